/**
 * The worker boundary: one interface of async methods over plain data, used by the page, the command line's runner page
 * and the worker (STYLE section 7). Callbacks and signals are positional, because Comlink looks for handlers on
 * top-level arguments only.
 */
import type { Failure } from '../base/errors.js';
import type { JournalEntry } from '../model/journal/journal.js';
import type { AdapterChoice, Environment, Experiment, Preset, Row, SuiteName } from '../model/report/schema.js';

export interface RunRequest {
  readonly suites: readonly SuiteName[];
  readonly preset: Preset;
  /** A regular expression on row ids; only rows that match are run. */
  readonly filter?: string;
  /** Hard limit on the bytes of buffers that live at once. */
  readonly budgetBytes: number;
  readonly seed: number;
  readonly adapter: AdapterChoice;
  /** Memory of the machine, as the program knows it: what a software adapter has. */
  readonly hostMemoryBytes?: number;
  /** Name of a trace file for the suite `train`; the program hands its text out on demand. */
  readonly traceFile?: string;
  /** Its text, once it is there. */
  readonly traceText?: string;
}

/** What will run, known before it starts, so that a screen can list it and tell the time left. */
export interface PlannedRow {
  readonly id: string;
  readonly suite: SuiteName;
}

/** A result that is in: awaited by the worker, so nothing is lost and order is kept. */
export type RunEvent =
  | { readonly kind: 'planned'; readonly rows: readonly PlannedRow[] }
  | { readonly kind: 'environment'; readonly environment: Environment }
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'experiment'; readonly experiment: Experiment };
export type OnEvent = (event: RunEvent) => void | Promise<void>;

/** Advisory: it travels on its own port and may land after a result. */
export interface Progress {
  /** Rows times rounds: a run comes back to a row for more samples. */
  readonly done: number;
  readonly total: number;
  /** The round in work and the rows of it; absent before the first and after the last. */
  readonly round?: RoundProgress;
  /** The row in work, '' before the first. */
  readonly id: string;
  /** Nanoseconds left as far as known: from the second row on. */
  readonly remainingNs?: number;
}

/** How far a round is. */
export interface RoundProgress {
  /** From 1 on. */
  readonly number: number;
  readonly of: number;
  readonly done: number;
  readonly rows: number;
}
export type OnProgress = (progress: Progress) => void | Promise<void>;

/** What a worker may ask of the program that started its browser. A page has nobody to ask. */
export type HostQuestion =
  /** Memory of the browser's processes, as the system sees it. */
  | { readonly kind: 'process-memory' }
  /** A GPU process that dies: the real loss of a device. */
  | { readonly kind: 'end-gpu-process' }
  | { readonly kind: 'write-journal'; readonly entry: JournalEntry }
  | { readonly kind: 'read-journal' }
  /** The text of the trace file that the person named. */
  | { readonly kind: 'read-trace' };
export type HostAnswer =
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'process-memory'; readonly gpuBytes: number; readonly totalBytes: number }
  | { readonly kind: 'journal'; readonly entry?: JournalEntry }
  | { readonly kind: 'trace'; readonly text: string }
  | { readonly kind: 'done' };
export type AskHost = (question: HostQuestion) => Promise<HostAnswer>;

export interface RunSummary {
  readonly environment: Environment;
  readonly measured: number;
  readonly skipped: number;
  readonly failed: number;
}

export interface EngineApi {
  /** Opens a device and reports adapter and clock. Throws `AppError` (`unsupported`) where there is none. */
  describe(adapter: AdapterChoice): Promise<Environment>;
  /** Runs suites row by row. A failed row does not stop the others. Rejects with the signal's reason on abort. */
  run(
    request: RunRequest,
    onEvent: OnEvent,
    onProgress: OnProgress,
    signal: AbortSignal,
    askHost: AskHost,
  ): Promise<RunSummary>;
}

/**
 * The runner page (`runner.html`): the program's way to the engine. The page gets its task as JSON in the fragment of
 * its URL, posts messages to `CHANNEL/messages` and awaits each, so that a row is with the program before the next one
 * starts; questions to the program go to `CHANNEL/questions` and are answered with JSON. It keeps a stream from `CHANNEL/alive` open, whose end tells the program that the page is gone.
 */
export type RunnerTask =
  | { readonly kind: 'run'; readonly channel: string; readonly request: RunRequest }
  | { readonly kind: 'describe'; readonly channel: string; readonly adapter: AdapterChoice };

export type RunnerMessage =
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'ended' }
  /** `failure` is absent where the error is a bug of ours; then `message` carries the stack. */
  | { readonly kind: 'failed'; readonly failure?: Failure; readonly message: string };
