/**
 * What a suite is: rows known before they run, and what a row may use. A new suite is a file with a `Suite` and a line in
 * suites.ts (and its name in model/report/suites.ts).
 */
import { type AskHost, type RunRequest } from '../engine/protocol.js';
import { type JournalEntry } from '../model/journal/journal.js';
import { type Environment, type Experiment, type Row, type SuiteName } from '../model/report/schema.js';
import { type BufferPool } from './buffers.js';
import { type Clock } from './clock.js';
import { type Samples } from './sampling.js';
import { type Stopwatch } from './stopwatch.js';

/** What belongs to one device: made anew after a loss. */
export interface Bench {
  readonly device: GPUDevice;
  readonly pool: BufferPool;
  readonly stopwatch: Stopwatch;
  readonly clock: Clock;
}

export interface RowContext {
  readonly bench: Bench;
  readonly environment: Environment;
  readonly request: RunRequest;
  /** Checked between submits. */
  readonly signal: AbortSignal;
  /** A device of its own for an experiment, from a new adapter. Whoever opens it destroys it. */
  readonly openDevice: () => Promise<GPUDevice>;
  /** Asks the program that started the browser; a page answers that there is none. */
  readonly askHost: AskHost;
  /** What earlier rounds of this row have measured. */
  readonly history: RowHistory;
  /** The journal as the run before left it; read before this run writes. Only where a suite keeps a journal. */
  readonly earlierJournal?: JournalEntry | undefined;
}

/** Samples of a row's rounds so far; `sampleWork` adds to it. */
export interface RowHistory {
  /** Rounds that are done; 0 in the first. */
  round: number;
  samples: Samples[];
  /** Elements that were compared with the reference, once they were. */
  checked?: number;
}

export const noHistory = (): RowHistory => ({ round: 0, samples: [] });

export type RowResult =
  { readonly kind: 'row'; readonly row: Row } | { readonly kind: 'experiment'; readonly experiment: Experiment };

export const rowResult = (row: Row): RowResult => ({ kind: 'row', row });
export const experimentResult = (experiment: Experiment): RowResult => ({ kind: 'experiment', experiment });

/** One row to come. `run` may throw: the row then fails with that reason and the next one runs. */
export interface Job {
  readonly id: string;
  readonly suite: SuiteName;
  /** What it yields, also when it fails: a row unless said otherwise. */
  readonly kind?: 'row' | 'experiment';
  /** The unit of its figure: a row that failed still says what it would have measured. Empty for an experiment. */
  readonly measures: string;
  /** True where the run may come back to the row for more samples: `run` is then called once a round. */
  readonly isSpread?: boolean;
  /** True where its samples were taken together with those of a row before it: run again it would say the same again. */
  readonly isShared?: boolean;
  /** True where the experiment loses the run's device on purpose: it goes on, and the next row gets a new one. */
  readonly losesDevice?: boolean;
  /** Bytes that it risks: the run writes it into the journal before it starts. A row that keeps its own has none. */
  readonly riskBytes?: number;
  run(context: RowContext): Promise<RowResult>;
}

export interface Conclusion {
  readonly rows: readonly Row[];
  readonly experiments: readonly Experiment[];
}

export interface SuiteRun {
  readonly jobs: readonly Job[];
  /** True where the jobs get along beside what other suites hold: it is then freed only when the pool is full. */
  readonly leavesOthers?: boolean;
  /** What the rows say together, once all are in: rows with warnings added, and experiments. */
  conclude?(rows: readonly Row[]): Conclusion;
  /** Frees what the jobs share. Called on every path. */
  dispose(): void;
}

export interface Suite {
  rows(environment: Environment, request: RunRequest): SuiteRun;
}
