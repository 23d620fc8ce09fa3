/** The numbers of a lesson, each derived from the record of its run. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { type Heap, type HeapSegment } from '../allocator/allocator.js';
import { fragmentationOf } from '../trace/fragmentation.js';
import { triedFrees } from './frees-search.js';
import { type FailedMoment, type Moment, type Placed, type RunRecord } from './record-run.js';
import { type Metric, type MetricExpectation } from './schema.js';

/** A derived number or name. */
export type Value = number | string;

/** Segments up to this size are never told as pinned: they are the small pool's. */
const SMALL_SEGMENT = 2 * 2 ** 20;
/** Sets of frees larger than this help nobody. */
const MOST_FREES = 3;
const DECIMALS = 1e4;

/** Metrics of a state; every `at` of a moment can be asked of them. */
const STATE: Readonly<Partial<Record<Metric, (moment: Moment, record: RunRecord) => number>>> = {
  allocated: ({ totals }) => totals.allocated,
  requested: ({ totals }) => totals.requested,
  reserved: ({ totals }) => totals.reserved,
  gap: ({ totals }) => totals.reserved - totals.allocated,
  notReserved: ({ totals }, { budget }) => budget - totals.reserved,
  freeTotal: ({ totals }, { budget }) => budget - totals.allocated,
  internal: ({ totals }) => totals.allocated - totals.requested,
  largestFree: ({ heap }) => fragmentationOf(heap).largestFree,
  holes: ({ heap }) => fragmentationOf(heap).freeBlocks,
  fragmentation: ({ heap }) => Math.round(fragmentationOf(heap).external * DECIMALS) / DECIMALS,
  stuck: ({ heap }) => stuckBytes(heap),
  pinnedSegments: ({ heap }) => heap.segments.filter(isPinned).length,
  segments: ({ heap }) => heap.segments.length,
  deviceCalls: ({ calls }) => calls.granted,
  deviceFrees: ({ calls }) => calls.returned,
  failures: ({ failures }) => failures,
  completes: ({ failures }) => (failures === 0 ? 1 : 0),
};
/** Metrics that only some frameworks count, by the name of their statistic. */
const COUNTED: Readonly<Partial<Record<Metric, string>>> = {
  retries: 'num_alloc_retries',
  syncs: 'num_sync_all_streams',
  peakStat: 'peak_bytes_in_use',
};
/** Metrics of the first failure. */
const FAILURE: Readonly<Partial<Record<Metric, (failed: FailedMoment, at: string, record: RunRecord) => Value>>> = {
  failedTensor: ({ refused }) => refused.label,
  request: ({ failure }) => failure.requested,
  errorHas: ({ failure }, at) => (failure.text.includes(at) ? 1 : 0),
  segmentSize: (failed, at, { run }) => segmentOf(failed, at, run.id).size,
  freesNeeded: (failed, _, record) => smallestSets(failed, record)[0]?.tensors.length ?? 0,
  freesWays: (failed, _, record) => smallestSets(failed, record).length,
  freesBytes: (failed, _, record) => Math.min(...smallestSets(failed, record).map(({ bytes }) => bytes)),
};

/**
 * Derives one number. Throws `AppError` (`bad-input`), one line, where this run has no such number: it did not fail, it
 * has no such marker or tensor, its allocator does not count this.
 */
export function metricOf({ metric, at }: MetricExpectation, record: RunRecord): Value {
  const { run, placed, peaks } = record;
  const ofFailure = FAILURE[metric];
  if (ofFailure !== undefined) return ofFailure(failedOf(record, metric), at, record);
  if (metric === 'gapMax') return peaks.gap;
  if (metric === 'blockSize') return placedAt(placed, at, run.id).size;
  if (metric === 'sameAddress') {
    const [one = '', other = ''] = at.split('=');
    return placedAt(placed, one, run.id).address === placedAt(placed, other, run.id).address ? 1 : 0;
  }
  if (at === 'peak') return peakOf(record, metric);
  const moment = momentAt(record, metric, at);
  const counted = COUNTED[metric];
  if (counted !== undefined) {
    const count = moment.stats[counted];
    if (count === undefined)
      throw badInput(metric, say`run ${run.id}: the ${run.allocator} allocator counts no ${metric}`);
    return count;
  }
  const ofState = STATE[metric];
  if (ofState === undefined) throw new Error(`no rule for the metric ${metric}`);
  return ofState(moment, record);
}

/** Where the number is read: a label or a tensor that the record must keep. Undefined for moments that it always has. */
export function placeOf({ metric, at }: MetricExpectation): { readonly labels: string[]; readonly tensors: string[] } {
  if (metric === 'blockSize') return { labels: [], tensors: [at] };
  if (metric === 'sameAddress') return { labels: [], tensors: at.split('=') };
  if (FAILURE[metric] !== undefined || ['end', 'peak', 'fail'].includes(at)) return { labels: [], tensors: [] };
  return { labels: [at], tensors: [] };
}

function momentAt(record: RunRecord, metric: Metric, at: string): Moment {
  if (at === 'end') return record.end;
  if (at === 'fail') return failedOf(record, metric);
  const moment = record.moments.get(at);
  if (moment !== undefined) return moment;
  throw badInput(metric, say`run ${record.run.id}: ${metric} at "${at}", but there is no such marker (m ${at})`);
}

function failedOf({ run, failed }: RunRecord, metric: Metric): FailedMoment {
  if (failed !== undefined) return failed;
  throw badInput(metric, say`run ${run.id}: ${metric} at the failure, but this run completes`);
}

function peakOf({ run, peaks }: RunRecord, metric: Metric): number {
  const peak = new Map<string, number>(Object.entries(peaks)).get(metric);
  if (peak !== undefined) return peak;
  throw badInput(metric, say`run ${run.id}: ${metric} has no peak; ask for ${Object.keys(peaks).join(', ')}`);
}

function placedAt(placed: ReadonlyMap<string, Placed>, name: string, run: string): Placed {
  const place = placed.get(name);
  if (place !== undefined) return place;
  throw badInput(name, say`run ${run}: no tensor "${name}" was placed`);
}

function segmentOf({ heap, factOf }: FailedMoment, name: string, run: string): HeapSegment {
  const segment = heap.segments.find(({ blocks }) =>
    blocks.some(({ state, handle }) => state === 'allocated' && factOf(handle).label === name),
  );
  if (segment !== undefined) return segment;
  throw badInput(name, say`run ${run}: no tensor "${name}" is alive at the failure`);
}

function smallestSets(failed: FailedMoment, { run, trace }: RunRecord) {
  const sets = triedFrees(run, trace, failed, MOST_FREES);
  if (sets === undefined) {
    throw badInput(
      run.id,
      say`run ${run.id}: too many tensors are alive to try every set of frees; use a smaller program`,
    );
  }
  return sets;
}

const freeIn = ({ blocks }: HeapSegment): number =>
  blocks.reduce((sum, { state, size }) => sum + (state === 'free' ? size : 0), 0);

const stuckBytes = ({ segments }: Heap): number =>
  segments.filter(({ blocks }) => blocks.some(({ state }) => state !== 'free')).reduce((sum, s) => sum + freeIn(s), 0);

function isPinned(segment: HeapSegment): boolean {
  const free = freeIn(segment);
  return segment.size > SMALL_SEGMENT && free < segment.size && 2 * free >= segment.size;
}
