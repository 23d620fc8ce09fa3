/** A snapshot in words: its final state, where its free memory lies, and what `empty_cache()` would give back. */
import { formatNumber } from '../../../base/format.js';
import { SMALL_SIZE, segmentSize } from '../../allocator/caching/rounding.js';
import { say } from '../../../base/said.js';
import { emptyCache } from '../../snapshot/empty-cache.js';
import { type SnapshotState, snapshotState } from '../../snapshot/snapshot-state.js';
import { fidelityOf } from '../../snapshot/fidelity.js';
import { type Fidelity } from '../../snapshot/fidelity-figures.js';
import { isRecordedExpandable, recordedText } from '../../snapshot/recorded-settings.js';
import { ACTION, emptyTrace, type RecordedSnapshot } from '../../snapshot/recorded-snapshot.js';
import { type OomState, oomStates } from '../../snapshot/oom-states.js';
import { DIAGNOSIS_SCHEMA, DIAGNOSIS_VERSION, type Diagnosis } from '../diagnosis.js';
import { parseOptions, type Settings } from '../texts/settings.js';
import { adviseCache } from '../verdict/cache-advice.js';
import { judgeCache } from '../verdict/cache-rule.js';
import { type GrowingSite, snapshotGrowth } from '../growth/snapshot-growth.js';
import { type SnapshotPins, snapshotPins } from '../pins/snapshot-pins.js';
import { type Figures } from '../verdict/figures.js';
import { fidelityStep } from './fidelity-step.js';
import { layoutOddities } from './layout-oddities.js';
import { type SnapshotContents, snapshotContents } from './snapshot-contents.js';
import { exactly, showSize } from '../texts/printed-size.js';

export interface SnapshotDiagnosis extends Diagnosis {
  readonly kind: 'snapshot';
  readonly state: SnapshotState;
  readonly contents: SnapshotContents;
  /** How exactly the model repeats the trace, for each device that has one. */
  readonly fidelity: readonly Fidelity[];
  /** The cache when each `oom` entry was raised. */
  readonly oom_state: readonly OomState[];
  /** What keeps the cache at the last failure, or at the end of the trace. */
  readonly pins: readonly SnapshotPins[];
  /** Places whose live bytes rise step over step. */
  readonly growth: readonly GrowingSite[];
}

/**
 * Explains what a snapshot holds at its last failure and at its end. `around` tells what else is known of a failure: a
 * message beside the file knows the capacity and the other processes.
 */
export function explainSnapshot(
  snapshot: RecordedSnapshot,
  around: (failure: OomState) => Surroundings = () => ({}),
): SnapshotDiagnosis {
  const state = snapshotState(snapshot);
  const devices = [...new Set(snapshot.segments.map(({ device }) => device))].sort((a, b) => a - b);
  const events = snapshot.traces.reduce((total, trace) => total + trace.count, 0);
  const hasHistory = snapshot.traces.some(({ action }) => action.some((kind) => kind !== ACTION.snapshot));
  const failures = oomStates(snapshot);
  const fidelity = fidelityOf(snapshot);
  const last = failures.at(-1);
  const judged = last === undefined ? withoutFailure(state, hasHistory) : judgeFailure(last, snapshot, around(last));
  return {
    schema: DIAGNOSIS_SCHEMA,
    version: DIAGNOSIS_VERSION,
    kind: 'snapshot',
    framework: 'pytorch-cuda',
    facts: {
      ...state,
      devices,
      trace_events: events,
      ...(last === undefined ? {} : { tried_bytes: last.tried_bytes, free_bytes: last.device_free_bytes }),
    },
    ranges: {},
    verdict: judged.verdict,
    why: judged.why,
    steps: [
      ...judged.steps,
      ...stateSteps(snapshot, state).map((step) => say`final dump: ${step}`),
      ...fidelity.map(fidelityStep),
    ],
    advice: [...judged.advice, ...stateAdvice(state, hasHistory)],
    oddities: [...judged.oddities, ...layoutOddities(snapshot)],
    state,
    contents: snapshotContents(snapshot),
    fidelity,
    oom_state: failures,
    pins: devices.map((device) => pinsOn(snapshot, device, failures)),
    growth: snapshot.traces
      .filter((trace) => trace.action.includes(ACTION.alloc))
      .flatMap((trace) => snapshotGrowth(snapshot, trace)),
  };
}

/** A snapshot without a trace is a moment too: its end. */
function pinsOn(snapshot: RecordedSnapshot, device: number, failures: readonly OomState[]): SnapshotPins {
  const trace = snapshot.traces.find((candidate) => candidate.device === device) ?? emptyTrace(device);
  return snapshotPins(snapshot, trace, failures.filter((failure) => failure.device === device).at(-1));
}

type Judged = Pick<Diagnosis, 'verdict' | 'why' | 'steps' | 'advice' | 'oddities'>;

const withoutFailure = (state: SnapshotState, hasHistory: boolean): Judged => ({
  verdict: 'unknown',
  why: hasHistory
    ? say`unknown, because the trace holds no failed request; ${showSize(state.inactive_bytes)} is cached and free`
    : say`unknown, because the trace holds no failed request: no history was recorded;
        ${showSize(state.inactive_bytes)} is cached and free`,
  steps: [],
  advice: [],
  oddities: [],
});

/** What a snapshot does not know and an out-of-memory text beside it may. */
export type Surroundings = Partial<Pick<Figures, 'capacity' | 'allowed' | 'thisProcess' | 'others'>>;

/** The rule on exact figures: what the cache held when the exception was raised. */
function judgeFailure(failure: OomState, snapshot: RecordedSnapshot, known: Surroundings): Judged {
  const figures: Figures = {
    tried: exactly(failure.tried_bytes),
    fromDevice: exactly(fromDevice(failure, snapshot)),
    capacity: known.capacity,
    free: Number.isNaN(failure.device_free_bytes) ? undefined : exactly(failure.device_free_bytes),
    allocated: exactly(failure.active_bytes),
    reserved: exactly(failure.reserved_bytes),
    inactive: exactly(failure.inactive_bytes),
    allowed: known.allowed,
    thisProcess: known.thisProcess,
    others: known.others ?? [],
    oddities: [],
  };
  const rule = judgeCache(figures);
  const fitting =
    failure.largest_inactive_block >= failure.tried_bytes
      ? [
          say`a free block long enough was in the cache: it belongs to another pool or stream, or the allocator did not look
            again after it flushed (pytorch#189504)`,
        ]
      : [];
  return {
    verdict: rule.verdict,
    why: rule.why,
    steps: [
      say`state at the failure (device ${failure.device}, entry ${failure.event}): reserved ${showSize(failure.reserved_bytes)},
        live ${showSize(failure.active_bytes)}, cached ${showSize(failure.inactive_bytes)} in ${formatNumber(failure.inactive_blocks)}
        free blocks, the largest ${showSize(failure.largest_inactive_block)}`,
      ...fitting,
      ...rule.steps,
    ],
    advice: adviseCache({
      verdict: rule.verdict,
      figures,
      settings: settingsOf(snapshot),
      backend: 'pytorch-cuda',
      hasSnapshot: true,
    }),
    oddities:
      failure.contradictions === 0
        ? []
        : [
            say`${formatNumber(failure.contradictions)} trace entries contradict the blocks: the trace was cut or mixed, figures of the failure are approximate`,
          ],
  };
}

/** Requests of 1 to 10 MiB share segments of this size. */
const LARGE_SEGMENT = 20 * 2 ** 20;

/** Pages of expandable segments, by pool. */
const SMALL_PAGE = 2 * 2 ** 20;

/** The device gives whole segments; expandable ones grow by whole pages, beside which free blocks at their end count. */
function fromDevice({ tried_bytes: tried }: OomState, snapshot: RecordedSnapshot): number {
  if (!isRecordedExpandable(snapshot)) return segmentSize(tried, LARGE_SEGMENT);
  return Math.max(tried, tried <= SMALL_SIZE ? SMALL_PAGE : LARGE_SEGMENT);
}

/** The settings that the file carries: no guess is needed. */
function settingsOf(snapshot: RecordedSnapshot): Settings {
  const { variable, text } = recordedText(snapshot);
  const options: Record<string, string> = { ...parseOptions(text) };
  if (isRecordedExpandable(snapshot)) options['expandable_segments'] = 'True';
  return { options, source: text === '' ? undefined : `${variable}=${text}`, variable };
}

function stateSteps(snapshot: RecordedSnapshot, state: SnapshotState): string[] {
  const free = state.inactive_bytes;
  const scattered = free === 0 ? 0 : 1 - state.largest_inactive_block / free;
  return [
    say`reserved ${showSize(state.reserved_bytes)} in ${formatNumber(state.segments)} segments and ${formatNumber(state.blocks)} blocks`,
    say`allocated ${showSize(state.allocated_bytes)}, active ${showSize(state.active_bytes)}`,
    say`inactive ${showSize(free)}, the largest free block ${showSize(state.largest_inactive_block)}: external fragmentation
      1 - largest / free = ${formatNumber(scattered, 3)}`,
    ...emptyCacheSteps(snapshot, state),
  ];
}

/** What `empty_cache()` gives back of the free bytes, and what it does not. */
function emptyCacheSteps(snapshot: RecordedSnapshot, state: SnapshotState): string[] {
  const { given, afterWaiting, privatePools } = emptyCache(snapshot);
  const where = snapshot.segments.some(({ expandable }) => expandable)
    ? say`segments without a block in use and whole free pages of expandable ones`
    : say`segments without a block in use`;
  const held = Math.max(0, state.inactive_bytes - given - privatePools);
  return [
    say`${showSize(given)} lies in ${where}: empty_cache() gives that back; ${showSize(held)} is held by segments that are partly in use`,
    ...(afterWaiting === 0
      ? []
      : [
          say`${showSize(afterWaiting)} more lies in segments that hold only free blocks and blocks that a stream still uses:
            empty_cache() waits for the stream and gives these back, too`,
        ]),
    ...(privatePools === 0
      ? []
      : [
          say`${showSize(privatePools)} lies in free segments of private pools: it comes back only once nothing uses the pool`,
        ]),
  ];
}

function stateAdvice(state: SnapshotState, hasHistory: boolean): string[] {
  const lines: string[] = [];
  if (!hasHistory) {
    lines.push(
      say`Record a history (torch.cuda.memory._record_memory_history()) before the part that fails: with a trace the state at
        the failure can be rebuilt.`,
    );
  }
  if (state.active_bytes > state.allocated_bytes) {
    lines.push(
      say`${showSize(state.active_bytes - state.allocated_bytes)} is freed but still used by another stream (record_stream): it
        comes back once that stream has passed; empty_cache() waits for it.`,
    );
  }
  return lines;
}
