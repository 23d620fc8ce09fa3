/** All ways to take `count` of these, in order; each keeps the order of `items`. None when there are fewer. */
export function* combinations<T>(items: readonly T[], count: number): Generator<readonly T[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (let first = 0; first <= items.length - count; first++) {
    const [head, ...rest] = items.slice(first);
    if (head === undefined) return;
    for (const others of combinations(rest, count - 1)) yield [head, ...others];
  }
}
