/** Which rows of the chip there are: register chains with the spill sweep, workgroup strides, the subgroup's swap. */
import {
  BLOCK_VECTORS,
  CHAIN,
  registerProgram,
  registerSum,
  STEP_SWAPS,
  subgroupProgram,
  WALK_LOADS,
  WORKGROUP_SIZE,
  workgroupProgram,
  walkSums,
} from '../../../shaders/index.js';
import { say } from '../../base/said.js';
import { sizeLabel } from '../../base/sizes.js';
import { type Environment, type Preset } from '../../model/report/schema.js';
import { type ChipRow } from './chip-row.js';

type AdapterClass = Environment['adapter']['class'];

const WORD = 4;
/** Enough to fill the adapter; few on a software one, where a round of 128 vectors costs most. */
const THREADS: Readonly<Record<AdapterClass, number>> = { software: 2 ** 11, hardware: 2 ** 18 };
/** 2 KiB on software adapters: more takes seconds to compile (facts/webgpu.md). */
const TILE_WORDS: Readonly<Record<AdapterClass, number>> = { software: 512, hardware: 2048 };
/** Blocks of 8 vectors: named vectors spill at about 64 vectors or before. */
const BLOCKS: Readonly<Record<Preset, readonly number[]>> = {
  quick: [1, 2, 4, 8],
  standard: [1, 2, 4, 8, 16],
  full: [1, 2, 3, 4, 6, 8, 12, 16],
};
const STRIDES: Readonly<Record<Preset, readonly number[]>> = {
  quick: [1, 2, 8, 32],
  standard: [1, 2, 4, 8, 16, 32],
  full: [1, 2, 3, 4, 8, 16, 17, 32, 33],
};

/** A row that this adapter may not have. */
export interface OptionalChipRow {
  readonly row: ChipRow;
  /** Why it cannot be run here; undefined where it can. */
  readonly missing: string | undefined;
}

/** Every row on the chip for an adapter and preset, those that it cannot run among them. */
export function chipRows({ adapter }: Environment, preset: Preset, seed: number): readonly OptionalChipRow[] {
  const threads = THREADS[adapter.class];
  const missing = (feature: string): string | undefined =>
    adapter.features.includes(feature) ? undefined : say`the adapter has no ${feature}`;
  const registers = (scalar: 'f32' | 'f16'): readonly OptionalChipRow[] =>
    BLOCKS[preset].map((blocks) => ({
      row: registerRow(scalar, blocks, threads),
      missing: scalar === 'f16' ? missing('shader-f16') : undefined,
    }));
  return [
    ...registers('f32'),
    ...registers('f16'),
    ...STRIDES[preset].map((stride) => ({
      row: strideRow(stride, threads, TILE_WORDS[adapter.class], seed),
      missing: undefined,
    })),
    { row: subgroupRow(threads), missing: missing('subgroups') },
  ];
}

/** u32 words in the order of bytes that a uniform has, and the view to put other types among them. */
const words = (...values: readonly number[]): { bytes: ArrayBuffer; view: DataView } => {
  const bytes = new ArrayBuffer(values.length * WORD);
  const view = new DataView(bytes);
  values.forEach((value, i) => view.setUint32(i * WORD, value, true));
  return { bytes, view };
};

export function registerRow(scalar: 'f32' | 'f16', blocks: number, threads: number): ChipRow {
  const vectors = blocks * BLOCK_VECTORS;
  const scalarBytes = scalar === 'f32' ? 4 : 2;
  const multiplyAdds = vectors * 4 * CHAIN * threads;
  return {
    id: `tiers/register/${scalar}/vec4x${vectors}`,
    program: registerProgram(scalar, blocks),
    threads,
    uniform: (steps, done) => {
      const { bytes, view } = words(steps, done, threads, 0, 0);
      view.setFloat32(12, 1, true);
      view.setFloat32(16, 1, true);
      return bytes;
    },
    reference: (steps) => (first, expected) => {
      for (let i = 0; i < expected.length; i++) expected[i] = registerSum(first + i, vectors, steps);
    },
    bytes: multiplyAdds * 4 * scalarBytes,
    flags: ['derived'],
    method: `derived: ${vectors} live vec4<${scalar}>, 4 operands of ${scalarBytes} B a multiply-add; registers cannot be seen from WGSL`,
  };
}

export function strideRow(stride: number, threads: number, tileWords: number, seed: number): ChipRow {
  return {
    id: `tiers/workgroup/stride-${stride}`,
    program: workgroupProgram(tileWords),
    threads,
    uniform: (steps, done) => words(steps, done, threads, stride, seed).bytes,
    reference: (steps) => {
      const sums = walkSums({ invocations: WORKGROUP_SIZE, tileWords, stride, seed, steps });
      return (first, expected) => {
        for (let i = 0; i < expected.length; i++) expected[i] = sums[(first + i) % WORKGROUP_SIZE] ?? 0;
      };
    },
    bytes: WALK_LOADS * WORD * threads,
    flags: [],
    method: `reads of a ${sizeLabel(tileWords * WORD)} tile in workgroup memory, neighbouring threads ${stride} word(s) apart`,
  };
}

export function subgroupRow(threads: number): ChipRow {
  return {
    id: 'tiers/workgroup/subgroup-shuffle',
    program: subgroupProgram,
    threads,
    uniform: (steps) => words(steps, threads, 1).bytes,
    reference: (steps) => (_first, expected) => expected.fill((steps * STEP_SWAPS) / 2),
    bytes: STEP_SWAPS * WORD * threads,
    flags: [],
    method: 'subgroupShuffleXor between neighbours, 4 B a lane and swap, beside the reads of workgroup memory',
  };
}
