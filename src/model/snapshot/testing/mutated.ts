/** Flips, cuts, doubles or overwrites a few bytes. */
export function mutated(original: Uint8Array, random: () => number): Uint8Array {
  const data = Uint8Array.from(original);
  for (let edits = 1 + (random() % 4); edits > 0; edits--) {
    const at = 2 + (random() % (data.length - 2));
    const kind = random() % 4;
    if (kind === 0) data[at] = random() & 255;
    else if (kind === 1) data.copyWithin(at, random() % data.length, (random() % data.length) + 8);
    else if (kind === 2) data.fill(random() & 255, at, at + (random() % 8));
    else return data.slice(0, at);
  }
  return data;
}
