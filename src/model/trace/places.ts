/** Call stacks that a person calls the same place in the code, by one number. */
export interface Places {
  /** Number of the place by tensor, -1 where it is not known. */
  readonly places: Int32Array;
  readonly names: readonly string[];
}

/** `stacks`: stack number by tensor, -1 where it is not known; `nameOf` is asked once for each stack. */
export function placesOf(stacks: Int32Array, nameOf: (stack: number) => string): Places {
  const byName = new Map<string, number>();
  const names: string[] = [];
  const numbers = new Map<number, number>();
  const placeOf = (stack: number): number => {
    if (stack === -1) return -1;
    const known = numbers.get(stack);
    if (known !== undefined) return known;
    const name = nameOf(stack);
    const place = byName.get(name) ?? names.length;
    if (place === names.length) names.push(name);
    byName.set(name, place);
    numbers.set(stack, place);
    return place;
  };
  return { places: stacks.map(placeOf), names };
}
