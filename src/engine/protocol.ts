/**
 * The worker boundary: one interface of async methods over plain data, used by the page, the command line's runner page
 * and the worker (STYLE section 7). Callbacks and signals are positional, because Comlink looks for handlers on
 * top-level arguments only.
 */
import type { Failure } from '../base/errors.js';
import type { Placement } from '../model/execution/placement.js';
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
  /** True where somebody chose the budget. One that nobody chose is brought under a quarter of what the adapter has. */
  readonly isBudgetAsked?: boolean;
  /** True in a browser started with Dawn's `disable_resource_suballocation`: the suite `driver` expects accordingly. */
  readonly ownAllocations?: boolean;
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

/**
 * One training program on real buffers, once: the experiment of the lab page. It is planned on the placement's model,
 * carried out on a device of its own and verified; what the suite `train` does for its variants, for one chosen here.
 */
export interface TrainRequest {
  readonly program:
    /** A workload of the catalogue; parameters that are left out have its defaults. */
    | { readonly kind: 'workload'; readonly workload: string; readonly parameters: Readonly<Record<string, unknown>> }
    /** The text of a trace file (`vramlab-trace` or a golden file), and its name for messages. */
    | { readonly kind: 'trace'; readonly name: string; readonly text: string };
  readonly placement: Placement;
  /** Settings: PYTORCH_CUDA_ALLOC_CONF for `caching`, `key=value,...` for `bfc`. Expandable segments are refused: they have no counterpart. */
  readonly conf?: string;
  /** Memory that the program runs in before scaling, bytes: the workload's or the file's own unless given. */
  readonly capacityBytes?: number;
  /** Hard limit on the bytes of segments. A program made for more is scaled down, the allocator's constants with it. */
  readonly budgetBytes: number;
  readonly seed: number;
  readonly adapter: AdapterChoice;
}

/** What the model says before the device is asked. Bytes of the device, after scaling. */
export interface TrainPlanFacts {
  readonly predicted: 'completed' | 'out-of-memory';
  readonly segments: number;
  readonly refusals: number;
  readonly peakReservedBytes: number;
  readonly peakAllocatedBytes: number;
  readonly budgetBytes: number;
  /** Sizes of the program over sizes on the device, a power of two, and what that did to the constants, in words. */
  readonly scale: number;
  readonly scaling: string;
  /** Operations of the trace that will be carried out: all, or those up to the one that fails. */
  readonly operations: number;
}

/** How far the device is: told after each batch of work, some ten times a second. */
export interface TrainReached {
  /** Operations of the trace that are done, of `operations` in the plan: shows where the model's map stands. */
  readonly operation: number;
  readonly operations: number;
  /** The training step in work, '' before the first. */
  readonly step: string;
  readonly segments: number;
  /** Bytes of segments on the device now, those that wait for their release included. */
  readonly heldBytes: number;
  readonly movedBytes: number;
}

/** Awaited by the worker, in this order: `environment`, then for each plan `planned` and its `reached`. */
export type TrainEvent =
  | { readonly kind: 'environment'; readonly environment: Environment }
  /** A second one, with `because`, where the device refused what the budget allows and the plan was made again. */
  | { readonly kind: 'planned'; readonly plan: TrainPlanFacts; readonly because?: string }
  | { readonly kind: 'reached'; readonly reached: TrainReached };
export type OnTrainEvent = (event: TrainEvent) => void | Promise<void>;

export interface TrainResult {
  readonly environment: Environment;
  /** As in a report: id `train/VARIANT`, outcome, predicted, met, segments of both sides, corrupt words, times. */
  readonly experiment: Experiment;
  /** Rows of its training steps, `train/VARIANT/step-wall` and so on. */
  readonly rows: readonly Row[];
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
  /**
   * Carries one training program out. Throws `AppError` (`bad-input`) for a request that cannot be used, `unsupported`
   * without an adapter, `device-lost` when the device goes; rejects with the signal's reason on abort, within one batch
   * of work (about 0.1 s). All buffers are destroyed on every path. An out of memory is a result, not an error.
   *
   *     const { experiment } = await engine.train(request, { signal, onEvent: (event) => show(event) });
   *     experiment.outcome; // 'completed' or 'out-of-memory'; experiment.predicted is the model's
   */
  train(request: TrainRequest, onEvent: OnTrainEvent, signal: AbortSignal, askHost: AskHost): Promise<TrainResult>;
  /** The journal's last entry: after a crash its `state` is `running`, and `crashWords` says what that means. */
  journal(askHost: AskHost): Promise<JournalEntry | undefined>;
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
