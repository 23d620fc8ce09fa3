/**
 * The arithmetic that stands beside a verdict, as sums of figures: what the device holds, and what the request met. Labels
 * are tags; a screen has the words.
 *
 *     sumsOf(explainText(text)); // [{ about: 'device', lines: [allocated, cached, outside, free], result: capacity }, ...]
 */
import { exactly } from '../texts/printed-size.js';
import { type Diagnosis } from '../diagnosis.js';
import { type SnapshotDiagnosis } from '../snapshot/explain-snapshot.js';
import { type OomState } from '../../snapshot/oom-states.js';
import { outsideOf } from '../verdict/figures.js';

export type SumLabel =
  | 'capacity'
  | 'reserved'
  | 'allocated'
  | 'active'
  | 'cached'
  | 'outside'
  | 'device-free'
  | 'holes'
  | 'not-reserved'
  | 'free-in-total'
  | 'asked'
  | 'headroom'
  | 'held'
  | 'releasable'
  | 'short'
  | 'to-spare';

export interface SumLine {
  readonly label: SumLabel;
  readonly bytes: number;
  readonly sign: 'plus' | 'minus' | 'none';
  /** How many pieces it is in; undefined where nothing tells. */
  readonly pieces?: number;
}

export interface Sum {
  readonly about: 'device' | 'request' | 'shortage' | 'pieces' | 'cache' | 'release';
  /** Entry of the trace at which it holds; undefined for a text and for the end. */
  readonly event?: number;
  readonly lines: readonly SumLine[];
  /** What the lines come to. */
  readonly result: SumLine;
}

export const isSnapshotDiagnosis = (diagnosis: Diagnosis): diagnosis is SnapshotDiagnosis =>
  diagnosis.kind === 'snapshot';

/** The sums that the figures of a diagnosis allow; none where too little is known. */
export function sumsOf(diagnosis: Diagnosis): readonly Sum[] {
  if (!isSnapshotDiagnosis(diagnosis)) {
    return diagnosis.kind === 'memory-summary' ? summarySums(diagnosis) : textSums(diagnosis);
  }
  const failure = diagnosis.oom_state.at(-1);
  return failure === undefined ? [endSum(diagnosis)] : failureSums(failure);
}

const line = (label: SumLabel, bytes: number, sign: SumLine['sign'] = 'none'): SumLine => ({ label, bytes, sign });

/** What was left of the device, and in which pieces. */
function failureSums(state: OomState): Sum[] {
  const { event, device_free_bytes: free, reserved_bytes: reserved, active_bytes: active } = state;
  const holes: SumLine = { ...line('holes', state.inactive_bytes, 'plus'), pieces: state.inactive_blocks };
  if (Number.isNaN(free)) {
    return [
      {
        about: 'cache',
        event,
        lines: [line('reserved', reserved), line('active', active, 'minus')],
        result: line('cached', state.inactive_bytes),
      },
    ];
  }
  const capacity = reserved + free;
  const total = free + state.inactive_bytes;
  return [
    {
      about: 'shortage',
      event,
      lines: [line('capacity', capacity), line('active', active, 'minus')],
      result: line('headroom', capacity - active),
    },
    {
      about: 'pieces',
      event,
      lines: [line('asked', state.tried_bytes), line('not-reserved', free), holes],
      result: line('free-in-total', total),
    },
  ];
}

const endSum = ({ state }: SnapshotDiagnosis): Sum => ({
  about: 'cache',
  lines: [line('reserved', state.reserved_bytes), line('active', state.active_bytes, 'minus')],
  result: line('cached', state.reserved_bytes - state.active_bytes),
});

/** A fact that is a size; undefined where the text does not have it. */
export function sizeFact({ facts }: Diagnosis, key: string): number | undefined {
  const value = facts[key];
  return typeof value === 'number' ? value : undefined;
}

function textSums(diagnosis: Diagnosis): Sum[] {
  const sums: Sum[] = [];
  const [capacity, allocated, free, tried] = ['capacity_bytes', 'allocated_bytes', 'free_bytes', 'tried_bytes'].map(
    (key) => sizeFact(diagnosis, key),
  );
  const cached = cachedOf(diagnosis);
  const outside = outsideBytes(diagnosis);
  if (capacity !== undefined && allocated !== undefined && free !== undefined && outside !== undefined) {
    const parts = [
      line('allocated', allocated),
      ...(cached === undefined ? [] : [line('cached', cached, 'plus')]),
      line('outside', outside, 'plus'),
      line('device-free', free, 'plus'),
    ];
    const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
    sums.push({ about: 'device', lines: parts, result: line('capacity', total) });
  }
  if (tried !== undefined && (cached !== undefined || free !== undefined)) {
    const parts = [
      ...(cached === undefined ? [] : [line('cached', cached)]),
      ...(free === undefined ? [] : [line('device-free', free, cached === undefined ? 'none' : 'plus')]),
      line('asked', tried, 'minus'),
    ];
    const left = (cached ?? 0) + (free ?? 0) - tried;
    sums.push({ about: 'request', lines: parts, result: left < 0 ? line('short', -left) : line('to-spare', left) });
  }
  return sums;
}

/** Cached and not allocated: as printed, or reserved less allocated. */
export function cachedOf(diagnosis: Diagnosis): number | undefined {
  const printed = sizeFact(diagnosis, 'inactive_bytes');
  if (printed !== undefined) return printed;
  const reserved = sizeFact(diagnosis, 'reserved_bytes');
  const allocated = sizeFact(diagnosis, 'allocated_bytes');
  return reserved === undefined || allocated === undefined || allocated > reserved ? undefined : reserved - allocated;
}

/** Device memory that is neither free nor in this process's cache; undefined where the figures do not tell or contradict. */
export function outsideBytes(diagnosis: Diagnosis): number | undefined {
  const size = (key: string) => {
    const bytes = sizeFact(diagnosis, key);
    return bytes === undefined ? undefined : exactly(bytes);
  };
  const [capacity, allocated, free] = ['capacity_bytes', 'allocated_bytes', 'free_bytes'].map(size);
  const cached = cachedOf(diagnosis);
  const reserved = allocated === undefined || cached === undefined ? undefined : exactly(allocated.bytes + cached);
  const outside = outsideOf({
    tried: undefined,
    capacity,
    free,
    allocated,
    reserved,
    inactive: undefined,
    allowed: undefined,
    // The sum counts what is outside the cache, this process's own context included.
    thisProcess: undefined,
    others: [],
    oddities: [],
  });
  if (outside === undefined || capacity === undefined || free === undefined || allocated === undefined)
    return undefined;
  // Figures of different moments or of a driver that spills do not add up; then there is no sum to show.
  const known = allocated.bytes + (cached ?? 0) + free.bytes;
  return known > capacity.bytes ? undefined : outside.size.bytes;
}

function summarySums(diagnosis: Diagnosis): Sum[] {
  const [reserved, active, allocated, inactive, held, releasable] = [
    'reserved_bytes',
    'active_bytes',
    'allocated_bytes',
    'inactive_bytes',
    'non_releasable_bytes',
    'releasable_bytes',
  ].map((key) => sizeFact(diagnosis, key));
  const used = active ?? allocated;
  const sums: Sum[] = [];
  if (reserved !== undefined && used !== undefined && inactive !== undefined) {
    sums.push({
      about: 'cache',
      lines: [line('reserved', reserved), line('active', used, 'minus')],
      result: line('cached', inactive),
    });
  }
  if (inactive !== undefined && held !== undefined && releasable !== undefined) {
    sums.push({
      about: 'release',
      lines: [line('cached', inactive), line('held', held, 'minus')],
      result: line('releasable', releasable),
    });
  }
  return sums;
}
