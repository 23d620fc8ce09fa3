/**
 * The BFC allocator of TensorFlow and XLA: the one-line refusal, the dump that follows it (bins, chunks, statistics) and
 * the exception that Python shows.
 */
import { say } from '../../../../base/said.js';
import { answered, verdictStep } from '../../steps.js';
import { type Verdict } from '../../diagnosis.js';
import { type Judged, type Message, type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { type Printed, exactly, showSize } from '../printed-size.js';
import { type BfcDump, readBfcDump } from './bfc-dump.js';

/** From here the pool counts as full. */
const FULL = 0.95;
/** Bytes of an element, by the names that the exception prints. */
const ELEMENT_BYTES: Readonly<Record<string, number>> = {
  ...{ bool: 1, int8: 1, uint8: 1, int16: 2, half: 2, bfloat16: 2, float: 4, int32: 4, double: 8, int64: 8 },
  ...{ complex64: 8, complex128: 16 },
};

const TENSORFLOW_ADVICE = [
  say`TF_GPU_ALLOCATOR=cuda_malloc_async replaces the BFC pool by the driver's; set_memory_growth(True) starts small but can
    end up holding more, because regions cannot be joined.`,
  say`nvidia-smi shows the whole pool: TensorFlow takes it at the start, used or not. Another TensorFlow or JAX process on the
    same device leaves nothing.`,
];
const JAX_ADVICE = [
  say`XLA_PYTHON_CLIENT_ALLOCATOR=cuda_async replaces the BFC pool by a pool of the driver; XLA_PYTHON_CLIENT_MEM_FRACTION sets the size
    of the pool (0.75 of the device by default). Donated arguments (donate_argnums) and jax.checkpoint need less at once.`,
  say`nvidia-smi shows the whole pool: JAX takes it at the start, used or not. A second process on the same device finds what is left.`,
];

/** The figures of one failure, the surest source of each. */
interface Pool {
  readonly tried: Printed | undefined;
  readonly limit: Printed | undefined;
  readonly inUse: Printed | undefined;
  /** A region that the device refused. */
  readonly region: Printed | undefined;
  readonly dump: BfcDump | undefined;
}

type End = (verdict: Verdict, why: string) => Judged;

function judge(message: Message): Judged {
  const pool = poolOf(message);
  const { steps, end } = opened(message);
  const { tried, limit, inUse, region, dump } = pool;
  if (message.text.slice(0, 600).includes('this is not a failure')) {
    steps.push(say`1. the caller says that this is not a failure: yes`);
    return end('unknown', say`this is a warning, not a failure: the operation falls back to less workspace`);
  }
  steps.push(say`1. the caller says that this is not a failure: no`);
  const refused = refusedRegion(tried, region, steps, end);
  if (refused !== undefined) return refused;
  if (/by allocator (?:cpu|mklcpu)\b/i.test(message.text))
    return end('unknown', say`this is host memory, not the device's: the text does not say what was left of it`);
  if (tried !== undefined && limit !== undefined && tried.bytes > limit.bytes) {
    steps.push(say`2. request ${showSize(tried.bytes)} > limit ${showSize(limit.bytes)}: yes`);
    return end(
      'true-shortage',
      say`one request of ${showSize(tried.bytes)} is larger than the whole pool (${showSize(limit.bytes)})`,
    );
  }
  if (dump !== undefined) return judgeDump(dump, tried, limit, steps, end);
  if (limit !== undefined && inUse !== undefined) return judgeSums(limit, inUse, tried, steps, end);
  if (tried === undefined) return end('unknown', say`the text does not say how much was asked for`);
  return end(
    'unknown',
    say`only the request (${showSize(tried.bytes)}) is printed: paste the chunk dump and the Stats block that follow it`,
  );
}

function poolOf({ sizes, text, facts }: Message): Pool {
  const dump = readBfcDump(text);
  return {
    tried: sizes['tried_bytes'] ?? tensorBytes(text, facts['tensor_shape']),
    limit: sizes['limit_bytes'],
    inUse: dump?.isWhole === true ? dump.inUse : sizes['in_use_bytes'],
    region: sizes['region_attempt_bytes'],
    dump,
  };
}

/** What the exception does not print: elements times their size. */
function tensorBytes(text: string, shape: unknown): Printed | undefined {
  const element = ELEMENT_BYTES[/ and type (\w+)/.exec(text)?.[1] ?? ''];
  if (!Array.isArray(shape) || element === undefined) return undefined;
  const bytes = shape.reduce((product: number, length: unknown) => product * Number(length), element);
  return Number.isSafeInteger(bytes) ? exactly(bytes) : undefined;
}

function opened({ text, sizes, facts, framework }: Message): { readonly steps: string[]; readonly end: End } {
  const steps: string[] = [];
  const shape = facts['tensor_shape'];
  const type = / and type (\w+)/.exec(text)?.[1] ?? '';
  if (sizes['tried_bytes'] === undefined && Array.isArray(shape) && ELEMENT_BYTES[type] !== undefined) {
    steps.push(
      say`note: the size follows from the shape: ${shape.join(' x ')} elements of ${type}, ${ELEMENT_BYTES[type]} B each`,
    );
  }
  const advice = framework === 'jax' ? JAX_ADVICE : TENSORFLOW_ADVICE;
  return { steps, end: (verdict, why) => plainly(verdict, why, [...steps, verdictStep(verdict)], advice) };
}

/** The device refused a region: the pool never got its memory. */
function refusedRegion(
  tried: Printed | undefined,
  region: Printed | undefined,
  steps: string[],
  end: End,
): Judged | undefined {
  if (region === undefined || (tried !== undefined && region.bytes <= tried.bytes)) return undefined;
  if (tried === undefined) {
    steps.push(say`2. the first region, ${showSize(region.bytes)}, was refused by the device: yes`);
    return end(
      'other-process',
      say`the device refused a region of ${showSize(region.bytes)} while the pool was made: another process holds the memory`,
    );
  }
  steps.push(
    say`2. a region of ${showSize(region.bytes)} was refused before the request of ${showSize(tried.bytes)}: yes`,
  );
  return end(
    'other-process',
    say`the pool could not even take its region of ${showSize(region.bytes)}: another process holds the memory`,
  );
}

/** Free chunks are printed one by one or as sums: what was free, and in which pieces. */
function judgeDump(
  dump: BfcDump,
  tried: Printed | undefined,
  limit: Printed | undefined,
  steps: string[],
  end: End,
): Judged {
  const { free, freeChunks, largestFree, pool, isWhole } = dump;
  const growth = Math.max(0, (limit?.bytes ?? 0) - pool.bytes);
  const chunks =
    largestFree === undefined
      ? say`${freeChunks} chunks`
      : say`${freeChunks} chunks, the longest ${showSize(largestFree)}`;
  const listed = isWhole
    ? say`2. the dump lists ${showSize(free.bytes)} free in ${chunks}`
    : say`2. the dump, which is not whole, lists ${showSize(free.bytes)} free in ${chunks}`;
  steps.push(growth === 0 ? listed : say`${listed}; the pool may still grow by ${showSize(growth)}`);
  if (tried === undefined) {
    if (freeChunks <= 1 && growth === 0) {
      return end(
        'true-shortage',
        freeChunks === 0
          ? say`nothing is free in the pool; the text does not print the request`
          : say`the only free chunk, ${showSize(free.bytes)}, was too short, so more was asked for than all that is free; the text does not print how much`,
      );
    }
    return end(
      'unknown',
      say`the request is not in the text; ${showSize(free.bytes)} was free in ${freeChunks} chunks`,
    );
  }
  const there = free.bytes + growth;
  const covers = there >= tried.bytes;
  steps.push(answered(say`3. free ${showSize(there)} >= request ${showSize(tried.bytes)}`, covers));
  if (!covers && !isWhole) {
    return end(
      'unknown',
      say`the dump is not whole: ${showSize(there)} of what was free is listed, less than the ${showSize(tried.bytes)} asked for, the rest is missing`,
    );
  }
  if (!covers) {
    return end('true-shortage', say`${showSize(there)} is free, less than the ${showSize(tried.bytes)} asked for`);
  }
  if (growth >= tried.bytes) {
    return end(
      'other-process',
      say`the pool may still take ${showSize(growth)} under its limit and the device did not give it: something else holds it`,
    );
  }
  return end(
    'fragmentation',
    growth === 0
      ? say`${showSize(there)} is free, more than the ${showSize(tried.bytes)} asked for, yet in ${chunks}`
      : say`${showSize(there)} is free or not taken yet, more than the ${showSize(tried.bytes)} asked for, yet in ${chunks}`,
  );
}

/** Only the statistics are printed: limit and bytes in use. */
function judgeSums(limit: Printed, inUse: Printed, tried: Printed | undefined, steps: string[], end: End): Judged {
  const left = limit.bytes - inUse.bytes;
  steps.push(say`2. limit ${showSize(limit.bytes)} - in use ${showSize(inUse.bytes)} = ${showSize(left)} left`);
  if (tried === undefined) {
    return inUse.bytes >= FULL * limit.bytes
      ? end('true-shortage', say`${showSize(left)} is left under the limit of ${showSize(limit.bytes)}`)
      : end('unknown', say`the request is not in the text; ${showSize(left)} was left under the limit`);
  }
  return left >= tried.bytes
    ? end(
        'fragmentation',
        say`${showSize(left)} is free under the limit, more than the ${showSize(tried.bytes)} asked for, yet no chunk was long enough`,
      )
    : end(
        'true-shortage',
        say`${showSize(left)} is left under the limit, less than the ${showSize(tried.bytes)} asked for`,
      );
}

/** Facts that follow, and printed ones that mean "not counted". */
function derive(message: Message): Pick<Judged, 'derived' | 'dropped'> {
  const { facts, sizes } = message;
  const { tried, limit, inUse, region, dump } = poolOf(message);
  const isOnlyRegion = tried === undefined && region !== undefined;
  return {
    derived: {
      ...(limit === undefined ? {} : { capacity_bytes: limit.bytes }),
      ...(inUse === undefined || limit === undefined ? {} : { allocated_bytes: inUse.bytes }),
      ...(inUse === undefined ? {} : { in_use_bytes: inUse.bytes }),
      ...(isOnlyRegion ? { tried_bytes: region.bytes } : {}),
      ...(tried === undefined || 'tried_bytes' in facts ? {} : { tried_bytes: tried.bytes }),
      ...(dump === undefined ? {} : dumpFacts(dump)),
    },
    dropped: [
      ...(isOnlyRegion ? ['region_attempt_bytes'] : []),
      ...(dump?.largestFree === undefined ? [] : ['region_bytes']),
      // Versions before 2026 print 0 for "not counted".
      ...(sizes['largest_free_bytes']?.bytes === 0 && dump?.largestFree === undefined ? ['largest_free_bytes'] : []),
    ],
  };
}

const dumpFacts = (dump: BfcDump): Record<string, number> => ({
  ...(dump.pool.low === dump.pool.high ? { reserved_bytes: dump.pool.bytes } : { region_bytes: dump.pool.bytes }),
  in_use_bytes: dump.inUse.bytes,
  free_bytes: dump.free.bytes,
  free_chunks: dump.freeChunks,
  ...(dump.largestFree === undefined ? {} : { largest_free_bytes: dump.largestFree }),
});

/** A number that is not the beginning of a size with a unit. */
const EXACT = String.raw`{int}(?![\d.]| ?[KMGT]i?B)`;

export const tensorflowBfc: TextFamily = {
  name: say`tensorflow bfc`,
  anchor:
    /(?:external\/(?:xla|tsl)[\w/.]{0,80}:\d{1,6}\] )?Allocator \(\w+\) ran out of memory|failed to allocate [0-9.]+ ?[KMGT]?i?B? \([0-9]+ bytes\) from device|Stats: Limit: ?[0-9]|Bin \([0-9]+\): ?Total Chunks|in use [0-9.]+ ?[KMGT]iB, tried to allocate|OOM when allocating tensor (?:of|with) shape/g,
  parts: /^(?:Bin|Stats|in use|OOM)|Allocator \(/,
  framework: (text) => (/\bexternal\/xla|XlaRuntimeError|jaxlib|RESOURCE_EXHAUSTED/.test(text) ? 'jax' : 'tensorflow'),
  fields: [
    field('tried_bytes', String.raw`\(rounded to {int}\)`, 'bytes'),
    field('tried_bytes', 'trying to allocate {size}'),
    field('tried_bytes', 'tried to allocate {size}'),
    field('tried_bytes', 'Bin for {size} was'),
    field(
      'region_attempt_bytes',
      String.raw`failed to allocate [0-9.]+ ?[KMGT]?i?B? \({int} bytes\) from device`,
      'bytes',
    ),
    field('limit_bytes', `Limit: ${EXACT}`, 'bytes'),
    field('limit_bytes', 'Limit: {size}'),
    field('in_use_bytes', `\\bInUse: ${EXACT}`, 'bytes'),
    field('in_use_bytes', String.raw`\bInUse: {size}`),
    field('in_use_bytes', 'in use {size}'),
    field('max_in_use_bytes', `MaxInUse: ${EXACT}`, 'bytes'),
    field('max_in_use_bytes', 'MaxInUse: {size}'),
    field('num_allocs', 'NumAllocs: {int}'),
    field('max_alloc_bytes', `MaxAllocSize: ${EXACT}`, 'bytes'),
    field('max_alloc_bytes', 'MaxAllocSize: {size}'),
    field('largest_free_bytes', `LargestFreeBlock: ${EXACT}`, 'bytes'),
    field('largest_free_bytes', 'LargestFreeBlock: {size}'),
    // Counted in the score of a message; what the dump adds up to replaces them.
    field('in_use_bytes', '{size} in use in bin'),
    field('region_bytes', '{size} allocated for chunks'),
    field('tensor_shape', 'shape ?{shape}'),
  ],
  judge: (message) => ({ ...judge(message), ...derive(message) }),
};
