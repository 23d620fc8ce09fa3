/**
 * The one door for WGSL: kernel id -> code, entry point, bindings, bytes moved, reference. A kernel is one WGSL file and
 * one row of a table here; nothing else knows it by name.
 */
import elementF32 from './lib/element-f32.wgsl?raw';
import elementVec4 from './lib/element-vec4.wgsl?raw';
import grid from './lib/grid.wgsl?raw';
import permute from './lib/permute.wgsl?raw';
import scalarF16 from './lib/scalar-f16.wgsl?raw';
import scalarF32 from './lib/scalar-f32.wgsl?raw';
import stream from './lib/stream.wgsl?raw';
import tensor from './lib/tensor.wgsl?raw';
import chase from './chase.wgsl?raw';
import { BLOCK_VECTORS, CHAIN, registerSum, STEP_SWAPS, WALK_LOADS, walkSums } from './chip-references.js';
import count from './count.wgsl?raw';
import fill from './fill.wgsl?raw';
import { filledWord, SCALAR, tensorHash, writtenWord } from './pattern.js';
import { chased, permuted } from './permute.js';
import register from './register.wgsl?raw';
import ring from './ring.wgsl?raw';
import streamAdd from './stream-add.wgsl?raw';
import streamCopy from './stream-copy.wgsl?raw';
import streamRandom from './stream-random.wgsl?raw';
import streamRead from './stream-read.wgsl?raw';
import streamScale from './stream-scale.wgsl?raw';
import streamStrided from './stream-strided.wgsl?raw';
import streamTriad from './stream-triad.wgsl?raw';
import streamWrite from './stream-write.wgsl?raw';
import subgroup from './subgroup.wgsl?raw';
import tensorCheck from './tensor-check.wgsl?raw';
import tensorFill from './tensor-fill.wgsl?raw';
import tensorMap from './tensor-map.wgsl?raw';
import tensorSlice from './tensor-slice.wgsl?raw';
import workgroup from './workgroup.wgsl?raw';

export { BLOCK_VECTORS, CHAIN, chased, filledWord, permuted, registerSum, SCALAR, STEP_SWAPS, WALK_LOADS, walkSums };
export { tensorHash, writtenWord };

/** Module scope is order-independent in WGSL, so joining is composing. */
const compose = (...parts: readonly string[]): string => parts.join('\n');

/** `row`: one row of a table of uniforms, chosen by a dynamic offset. */
export type Access = 'uniform' | 'row' | 'read' | 'read-write';

/** Bytes from one row of a table to the next: the largest alignment of dynamic offsets that a device may ask for. */
export const ROW_BYTES = 256;

/** What a pipeline needs. Bindings are group 0 in order; the first is the uniform. */
export interface Program {
  readonly code: string;
  readonly entryPoint: string;
  readonly bindings: readonly Access[];
  /** Values of the `override`s of the code. */
  readonly constants: Readonly<Record<string, number>>;
}

/** Invocations of a workgroup of every kernel that runs on many threads. */
export const WORKGROUP_SIZE = 256;
const WORKGROUP = { workgroup_size: WORKGROUP_SIZE };

/** What a stream kernel was run with, as far as its result depends on it. */
export interface StreamInput {
  readonly seedA: number;
  readonly seedB: number;
  /** Salt of the write kernel's values and of the random gather's order; log2 of the distance of the strided gather. */
  readonly seedWrite: number;
  /** 32-bit words of one array. */
  readonly words: number;
  readonly threads: number;
  /** Loop steps over all dispatches since the output was cleared. */
  readonly steps: number;
}

/** The buffers that a stream kernel binds after its uniform. */
export type StreamBuffer = 'a' | 'b' | 'dst' | 'sums';

/** Elements a thread takes in one loop step: lib/stream.wgsl. */
const UNROLL = 4;

interface StreamFamily {
  readonly name: string;
  readonly code: string;
  readonly buffers: readonly StreamBuffer[];
  /** Arrays that one step reads or writes an element of: 1 for read and write, 2 for copy, 3 for triad. */
  readonly streams: number;
  /** Writes the expected output words from word `first` on. Sums are u32, the others f32. */
  reference(input: StreamInput, elementWords: number, first: number, expected: Float32Array | Uint32Array): void;
}

/**
 * References for outputs where each word depends on its place alone. One plain loop each: a check goes over millions of
 * words, and a shared loop that calls a function for each word takes three times as long.
 */
const writtenWords: StreamFamily['reference'] = ({ seedWrite }, _elementWords, first, expected) => {
  for (let i = 0; i < expected.length; i++) expected[i] = writtenWord(first + i, seedWrite);
};
const copiedWords: StreamFamily['reference'] = ({ seedA }, _elementWords, first, expected) => {
  for (let i = 0; i < expected.length; i++) expected[i] = filledWord(first + i, seedA);
};
const scaledWords: StreamFamily['reference'] = ({ seedA }, _elementWords, first, expected) => {
  for (let i = 0; i < expected.length; i++) expected[i] = SCALAR * filledWord(first + i, seedA);
};
const addedWords: StreamFamily['reference'] = ({ seedA, seedB }, _elementWords, first, expected) => {
  for (let i = 0; i < expected.length; i++) expected[i] = filledWord(first + i, seedA) + filledWord(first + i, seedB);
};
const triadWords: StreamFamily['reference'] = ({ seedA, seedB }, _elementWords, first, expected) => {
  for (let i = 0; i < expected.length; i++) {
    expected[i] = filledWord(first + i, seedA) + SCALAR * filledWord(first + i, seedB);
  }
};

const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);
function bitsOf(value: number): number {
  float[0] = value;
  return floatBits[0] ?? 0;
}

/**
 * The sum that each thread of the read kernel ends with. A thread meets elements (thread + j * threads) & mask for
 * j = 0 .. 4 * steps - 1: a cycle of `period` elements, the first few once more than the others.
 */
const sumsOf =
  (placeOf: (input: StreamInput, index: number, bits: number) => number): StreamFamily['reference'] =>
  (input, elementWords, first, expected) => {
    const { threads, seedA } = input;
    const elements = input.words / elementWords;
    // Elements are a power of two, so that integers do where a remainder of doubles would take most of the time.
    const mask = elements - 1;
    const period = Math.max(1, elements / threads);
    const loads = input.steps * UNROLL;
    const bits = Math.log2(elements);
    const sums = new Int32Array(expected.length);
    for (let p = 0; p < period; p++) {
      const times = Math.floor(loads / period) + (p < loads % period ? 1 : 0);
      for (let i = 0; i < sums.length; i++) {
        const element = placeOf(input, (first + i + p * threads) & mask, bits);
        let value = 0;
        for (let w = 0; w < elementWords; w++) value += bitsOf(filledWord(element * elementWords + w, seedA));
        sums[i] = (sums[i] ?? 0) + Math.imul(value, times);
      }
    }
    for (let i = 0; i < sums.length; i++) expected[i] = (sums[i] ?? 0) >>> 0;
  };

const readSums = sumsOf((_, index) => index);
const stridedSums = sumsOf(({ seedWrite }, index, bits) => {
  const mask = (1 << bits) - 1;
  return ((index << seedWrite) & mask) + (index >>> (bits - seedWrite));
});
const randomSums = sumsOf(({ seedWrite }, index, bits) => permuted(index, bits, seedWrite));

const streamFamilies = [
  { name: 'read', code: streamRead, buffers: ['a', 'sums'], streams: 1, reference: readSums },
  {
    name: 'write',
    code: streamWrite,
    buffers: ['dst'],
    streams: 1,
    reference: writtenWords,
  },
  { name: 'copy', code: streamCopy, buffers: ['a', 'dst'], streams: 2, reference: copiedWords },
  {
    name: 'scale',
    code: streamScale,
    buffers: ['a', 'dst'],
    streams: 2,
    reference: scaledWords,
  },
  {
    name: 'add',
    code: streamAdd,
    buffers: ['a', 'b', 'dst'],
    streams: 3,
    reference: addedWords,
  },
  {
    name: 'triad',
    code: streamTriad,
    buffers: ['a', 'b', 'dst'],
    streams: 3,
    reference: triadWords,
  },
] as const satisfies readonly StreamFamily[];

/** Gathers read one word at a time: neighbours in a vector would be neighbours in memory. */
const gatherFamilies = [
  { name: 'strided', code: streamStrided, buffers: ['a', 'sums'], streams: 1, reference: stridedSums },
  { name: 'random', code: compose(permute, streamRandom), buffers: ['a', 'sums'], streams: 1, reference: randomSums },
] as const satisfies readonly StreamFamily[];

const elements = [
  { type: 'f32', code: elementF32, words: 1 },
  { type: 'vec4', code: elementVec4, words: 4 },
] as const;

/** A typo in a kernel's name does not compile. */
export type StreamKernelId =
  | `${(typeof streamFamilies)[number]['name']}/${(typeof elements)[number]['type']}`
  | `${(typeof gatherFamilies)[number]['name']}/f32`;

export interface StreamKernel extends Program {
  readonly id: StreamKernelId;
  readonly elementWords: number;
  readonly buffers: readonly StreamBuffer[];
  readonly streams: number;
  /** Bytes read plus written by `steps` loop steps of `threads` threads. */
  bytesMoved(steps: number, threads: number): number;
  reference(input: StreamInput, first: number, expected: Float32Array | Uint32Array): void;
}

const accessOf = (buffer: StreamBuffer): Access => (buffer === 'a' || buffer === 'b' ? 'read' : 'read-write');

type ElementType = (typeof elements)[number];

function streamKernel(id: StreamKernelId, family: StreamFamily, element: ElementType): StreamKernel {
  return {
    id,
    code: compose(element.code, grid, stream, family.code),
    entryPoint: `stream_${family.name}`,
    constants: WORKGROUP,
    bindings: ['uniform', ...family.buffers.map(accessOf)],
    elementWords: element.words,
    buffers: family.buffers,
    streams: family.streams,
    bytesMoved: (steps, threads) => steps * UNROLL * threads * element.words * 4 * family.streams,
    reference: (input, first, expected) => {
      family.reference(input, element.words, first, expected);
    },
  };
}

/** Every stream kernel: each family in each element type, in the order in which they run. */
export const streamKernels: readonly StreamKernel[] = streamFamilies.flatMap((family) =>
  elements.map((element) => streamKernel(`${family.name}/${element.type}`, family, element)),
);

/** The gathers: as stream kernels, but the order of the elements is another. */
export const gatherKernels: readonly StreamKernel[] = gatherFamilies.map((family) =>
  streamKernel(`${family.name}/f32`, family, elements[0]),
);

/** Programs that prepare data; nothing of theirs is timed. */
export const fillProgram: Program = {
  code: compose(grid, fill),
  entryPoint: 'fill',
  bindings: ['uniform', 'read-write'],
  constants: WORKGROUP,
};
export const ringProgram: Program = {
  code: compose(grid, permute, ring),
  entryPoint: 'lay_ring',
  bindings: ['uniform', 'read-write'],
  constants: WORKGROUP,
};

/** Loads of one loop step of chase.wgsl. */
export const CHASE_LOADS = 8;
export const chaseProgram: Program = {
  code: chase,
  entryPoint: 'pointer_chase',
  bindings: ['uniform', 'read', 'read-write'],
  constants: {},
};

export const countProgram: Program = {
  code: count,
  entryPoint: 'count_dispatch',
  bindings: ['read-write'],
  constants: {},
};

/** Chains on `blocks` blocks of 8 vectors. `enable` lines must lead, so the scalar comes first. */
export const registerProgram = (scalar: 'f32' | 'f16', blocks: number): Program => ({
  code: compose(scalar === 'f16' ? scalarF16 : scalarF32, grid, register),
  entryPoint: 'register_chains',
  bindings: ['uniform', 'read-write'],
  constants: { ...WORKGROUP, blocks },
});

export const workgroupProgram = (tileWords: number): Program => ({
  code: compose(grid, workgroup),
  entryPoint: 'workgroup_walk',
  bindings: ['uniform', 'read-write'],
  constants: { ...WORKGROUP, tile_words: tileWords },
});

export const subgroupProgram: Program = {
  code: compose(subgroup, grid),
  entryPoint: 'subgroup_swap',
  bindings: ['uniform', 'read-write'],
  constants: WORKGROUP,
};

/** What a kernel on tensors does with its range; `bytesMoved` counts bytes read plus written, for `bytes` of result. */
export interface TensorKernel extends Program {
  bytesMoved(bytes: number): number;
}

const tensorKernel = (name: string, code: string, streams: number): TensorKernel => ({
  code: compose(grid, tensor, code),
  entryPoint: `tensor_${name}`,
  constants: WORKGROUP,
  bindings: ['row', 'read-write', 'read-write', ...(name === 'check' ? (['read-write'] as const) : [])],
  bytesMoved: (bytes) => streams * bytes,
});

/** Kernels that work on ranges of segments; their result is the tensor's tag, its hash xor the word's place, and `check` is what compares it. */
export const tensorKernels = {
  fill: tensorKernel('fill', tensorFill, 1),
  map: tensorKernel('map', tensorMap, 2),
  slice: tensorKernel('slice', tensorSlice, 2),
  check: tensorKernel('check', tensorCheck, 1),
} as const;
export type TensorKernelId = keyof typeof tensorKernels;
