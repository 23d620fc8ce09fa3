/**
 * What would have made a failing program fit, each change tried on its own: allocator settings, an empty_cache a step, and,
 * for a trace that a workload made, the same program with its memory kept in another way. Every row is a replay from the
 * start; changes that do not help are rows too.
 */
import { formatBytes } from '../../base/format.js';
import { say } from '../../base/said.js';
import { type AllocatorSetup, makeAllocator } from '../allocator/registry.js';
import { Replay } from '../trace/replay.js';
import { OPERATION, type Trace } from '../trace/trace.js';
import { WORKLOADS } from './catalogue.js';
import { traceOf } from './trace-program.js';

export interface Remedy {
  /** The change, as it would be written. */
  readonly change: string;
  readonly conf?: string;
  readonly fraction?: number;
  /** empty_cache at the start of every step. */
  readonly emptyEachStep?: boolean;
  /** Other parameters of the workload that made the trace. */
  readonly program?: Readonly<Record<string, unknown>>;
}

export interface RemedyRow {
  readonly change: string;
  readonly outcome: 'completed' | 'out-of-memory';
  /** Operation of the first failure; undefined where there is none. */
  readonly failedAt: number | undefined;
  readonly peakReserved: number;
  readonly peakAllocated: number;
  readonly retries: number;
  readonly deviceCalls: number;
}

/** Settings of PyTorch's allocator that people try, one at a time. */
const SETTINGS: readonly Remedy[] = [
  { change: 'expandable_segments:True', conf: 'expandable_segments:True' },
  { change: 'max_split_size_mb:256', conf: 'max_split_size_mb:256' },
  { change: 'garbage_collection_threshold:0.8', conf: 'garbage_collection_threshold:0.8' },
  {
    change: say`garbage_collection_threshold:0.8, memory fraction 1.0`,
    conf: 'garbage_collection_threshold:0.8',
    fraction: 1,
  },
  { change: 'roundup_power2_divisions:4', conf: 'roundup_power2_divisions:4' },
  { change: say`empty_cache() at each step`, emptyEachStep: true },
];

/**
 * The changes to try on a trace: settings where its allocator is PyTorch's, programs where a workload made it. `parts` is
 * the trace, whole or in parts; one without marked steps gets no empty_cache a step.
 */
export function remediesFor(setup: AllocatorSetup, parts: readonly Trace[], meta: Trace['meta']): Remedy[] {
  const hasSteps = parts.some((part) => part.kind.some((_, i) => startsStep(part, i)));
  const settings = setup.name === 'caching' ? SETTINGS : [];
  return [
    ...settings.filter(
      ({ conf, emptyEachStep = false }) => (conf === undefined || conf !== setup.conf) && (hasSteps || !emptyEachStep),
    ),
    ...programsFor(meta),
  ];
}

function programsFor({ workload: id, params }: Trace['meta']): Remedy[] {
  const workload = WORKLOADS.find((each) => each.id === id);
  if (workload?.alternatives === undefined || typeof params !== 'object' || params === null) return [];
  const given = workload.resolve({ ...params });
  return workload
    .alternatives(given)
    .filter((set) => Object.entries(set).some(([key, value]) => given[key] !== value))
    .map((set) => ({
      change: Object.entries(set)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(' '),
      program: { ...given, ...set },
    }));
}

/** Replays the trace with the change. `parts` is the trace, whole or in parts. */
export function tryRemedy(remedy: Remedy, setup: AllocatorSetup, parts: readonly Trace[], id: unknown): RemedyRow {
  const workload = remedy.program === undefined ? undefined : WORKLOADS.find((each) => each.id === id);
  const changed = workload === undefined ? parts : [traceOf(workload, remedy.program)];
  const { allocator, deviceCalls } = makeAllocator({
    ...setup,
    conf: remedy.conf ?? setup.conf,
    fraction: remedy.fraction ?? setup.fraction,
    trace: setup.trace === undefined ? undefined : changed[0],
  });
  const replay = new Replay(allocator);
  for (const part of changed) {
    for (let i = 0; i < part.length; i++) {
      if (remedy.emptyEachStep === true && startsStep(part, i)) allocator.flush();
      replay.step(part, i);
    }
  }
  const { outcome, peakAllocated, peakReserved } = replay.result();
  return {
    change: remedy.change,
    outcome: outcome.status,
    failedAt: outcome.status === 'completed' ? undefined : outcome.operation,
    peakReserved,
    peakAllocated,
    retries: allocator.stats()['num_alloc_retries'] ?? 0,
    deviceCalls: deviceCalls(),
  };
}

const startsStep = (part: Trace, i: number): boolean =>
  part.kind[i] === OPERATION.marker && (part.texts[part.text?.[i] ?? -1] ?? '').startsWith('step ');

/** The rows in lines for people. */
export function remediesText(rows: readonly RemedyRow[], capacity: number): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(({ change }) => change.length));
  const none = rows.every(({ outcome }) => outcome === 'out-of-memory');
  return [
    `what fits in ${formatBytes(capacity)} (each change on its own, replayed from the start):`,
    ...rows.map((row) => `  ${row.change.padEnd(width)}  ${rowText(row)}`),
    ...(none ? ['None of the changes tried fits.'] : []),
  ];
}

function rowText({ outcome, failedAt, peakReserved, retries, deviceCalls }: RemedyRow): string {
  const figures = `peak reserved ${formatBytes(peakReserved)}, ${retries} flushes, ${deviceCalls} device calls`;
  return outcome === 'completed' ? `completes: ${figures}` : `out of memory at operation ${failedAt ?? 0}: ${figures}`;
}
