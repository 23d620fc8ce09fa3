/**
 * The values of `fill.wgsl` and of the write kernel, computed on their own in TypeScript, so that results of the GPU
 * are compared with something that never was on the GPU.
 */
/** Three times the largest mantissa plus the largest is 2^24: every sum and product of a stream kernel is exact. */
export const SCALAR = 3;

/** lowbias32: a bijection of 32 bits. */
function mix(value: number): number {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** 2^(k - 16) for k in [0, 31]. */
const POWERS = Float64Array.from({ length: 32 }, (_, k) => 2 ** (k - 16));

/** The f32 at a word of an array filled with `seed`. */
export const filledWord = (word: number, seed: number): number =>
  ((mix(word ^ seed) >>> 9) - 4194304) * (POWERS[Math.imul(word, 0x9e3779b9) >>> 27] ?? 0);

/** The f32 that the write kernel stores at a word. */
export const writtenWord = (word: number, seed: number): number => ((Math.imul(word, 0x9e3779b9) + seed) >>> 0) >>> 8;

/** The hash of a tensor by its number and the run's seed; its tag at a word is the hash xor the word's place. */
export const tensorHash = (tensor: number, seed: number): number => mix(mix(tensor + 1) ^ seed);
