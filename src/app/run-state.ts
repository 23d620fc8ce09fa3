/** One run as the page sees it: what was asked, what came in, how it stands. Changed only by the functions here. */
import { type PlannedRow, type Progress, type RunEvent, type RunRequest } from '../engine/protocol.js';
import { type Environment, type Experiment, type Report, type Row, type SuiteName } from '../model/report/schema.js';

/** What a run has brought, whether it was made here or opened from a report. */
export interface RunContent {
  /** ISO time of the start. */
  readonly createdAt: string;
  readonly suites: readonly SuiteName[];
  readonly environment: Environment | undefined;
  readonly planned: readonly PlannedRow[];
  readonly rows: readonly Row[];
  readonly experiments: readonly Experiment[];
}

export interface RunRecord extends RunContent {
  readonly request: RunRequest;
}

export type RunState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running' | 'cancelling'; readonly record: RunRecord; readonly progress: Progress }
  | { readonly phase: 'done' | 'stopped'; readonly record: RunRecord; readonly tookNs: number }
  | { readonly phase: 'failed'; readonly record: RunRecord; readonly tookNs: number; readonly message: string }
  /** A kept run or a report from a file, on screen in place of one made now. */
  | { readonly phase: 'opened'; readonly name: string; readonly report: Report; readonly record: RunContent };

/** A report on screen. */
export const openRun = (name: string, report: Report): RunState => ({
  phase: 'opened',
  name,
  report,
  record: {
    createdAt: report.createdAt,
    suites: [...new Set([...report.results, ...report.experiments].map(({ suite }) => suite))],
    environment: report.environment,
    planned: report.results.map(({ id, suite }) => ({ id, suite })),
    rows: report.results,
    experiments: report.experiments,
  },
});

const BEFORE_THE_FIRST: Progress = { done: 0, total: 0, id: '' };

export const startRun = (request: RunRequest, createdAt: string, environment: Environment | undefined): RunState => ({
  phase: 'running',
  record: { request, suites: request.suites, createdAt, environment, planned: [], rows: [], experiments: [] },
  progress: BEFORE_THE_FIRST,
});

/** Takes in a result. After the end it is dropped: a stopped run keeps what it had. */
export function withEvent(state: RunState, event: RunEvent): RunState {
  if (!isActive(state)) return state;
  return { ...state, record: recordWith(state.record, event) };
}

function recordWith(record: RunRecord, event: RunEvent): RunRecord {
  switch (event.kind) {
    case 'planned':
      return { ...record, planned: event.rows };
    case 'environment':
      return { ...record, environment: event.environment };
    case 'row':
      return { ...record, rows: withRow(record.rows, event.row) };
    case 'experiment':
      return { ...record, experiments: [...record.experiments, event.experiment] };
  }
}

/** A row that comes again, with the samples of more rounds, takes the place of the one before. */
function withRow(rows: readonly Row[], row: Row): readonly Row[] {
  const at = rows.findIndex(({ id }) => id === row.id);
  return at < 0 ? [...rows, row] : rows.with(at, row);
}

export const withProgress = (state: RunState, progress: Progress): RunState =>
  isActive(state) ? { ...state, progress } : state;

export const cancelling = (state: RunState): RunState =>
  state.phase === 'running' ? { ...state, phase: 'cancelling' } : state;

/** How a run ended. */
export type RunEnd = { readonly phase: 'done' | 'stopped' } | { readonly phase: 'failed'; readonly message: string };

export const endRun = (state: RunState, end: RunEnd, tookNs: number): RunState =>
  isActive(state) ? { ...end, record: state.record, tookNs } : state;

export const isActive = (state: RunState): state is Extract<RunState, { readonly phase: 'running' | 'cancelling' }> =>
  state.phase === 'running' || state.phase === 'cancelling';

export const recordOf = (state: RunState): RunContent | undefined =>
  state.phase === 'idle' ? undefined : state.record;

/** Rows of one suite that are in, and that will be. */
export interface SuiteProgress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

export function suiteProgress(record: RunContent, suite: SuiteName): SuiteProgress {
  const rows = [...record.rows, ...record.experiments].filter((row) => row.suite === suite);
  return {
    done: rows.length,
    failed: rows.filter((row) => row.status === 'failed').length,
    total: Math.max(rows.length, record.planned.filter((row) => row.suite === suite).length),
  };
}
