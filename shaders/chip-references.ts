/** What each thread of the kernels that stay on the chip ends with: register.wgsl, workgroup.wgsl, subgroup.wgsl. */

/** Vectors of a block and links of a chain: register.wgsl. */
export const BLOCK_VECTORS = 8;
export const CHAIN = 128;

/** The sum of a thread after `steps` rounds of chains on `vectors` vectors of 4. Modulo 2^32. */
export function registerSum(thread: number, vectors: number, steps: number): number {
  // Lane l of vector k starts at l + k + base and takes CHAIN steps of 1; base = (thread + round) & 15.
  const perRound = 4 * ((vectors * (vectors - 1)) / 2) + 6 * vectors + 4 * vectors * CHAIN;
  let bases = Math.floor(steps / 16) * 120;
  for (let round = 0; round < steps % 16; round++) bases += (thread + round) & 15;
  return Number((BigInt(steps) * BigInt(perRound) + BigInt(bases) * BigInt(4 * vectors)) & 0xffffffffn);
}

/** Loads of one loop step of workgroup.wgsl. */
export const WALK_LOADS = 4;

/** The sum of each invocation of a workgroup after `steps` loop steps. Modulo 2^32. */
export function walkSums(input: {
  readonly invocations: number;
  readonly tileWords: number;
  readonly stride: number;
  readonly seed: number;
  readonly steps: number;
}): Uint32Array {
  const { invocations, tileWords, stride, seed, steps } = input;
  const tile = Uint32Array.from({ length: tileWords }, (_, word) => Math.imul(word, 0x9e3779b9) + seed);
  const total = tile.reduce((sum, word) => (sum + word) | 0, 0);
  const loads = WALK_LOADS * steps;
  const rounds = Math.floor(loads / tileWords);
  return Uint32Array.from({ length: invocations }, (_, local) => {
    let sum = Math.imul(total, rounds);
    for (let i = 0; i < loads % tileWords; i++) sum = (sum + (tile[(local * stride + i) % tileWords] ?? 0)) | 0;
    return sum;
  });
}

/** Swaps of one loop step of subgroup.wgsl; every two of them add 1. */
export const STEP_SWAPS = 4;
