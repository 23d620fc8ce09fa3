/**
 * Seeded random numbers, so that same seed means same bytes. The generator is mulberry32, the one that the golden
 * traces name (golden/pytorch/README.md), all arithmetic on unsigned 32-bit integers.
 */
export type Random = () => number;

/** Unsigned 32-bit integers from a seed. */
export function mulberry32(seed: number): Random {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

/** A number in [0, 1) from the next 32 bits. */
export const unitInterval = (random: Random): number => random() / 2 ** 32;

/** A shuffled copy (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = random() % (i + 1);
    const a = result[i] as T;
    result[i] = result[j] as T;
    result[j] = a;
  }
  return result;
}
