/**
 * The boundary of the model worker: what pages ask of the models without blocking a screen. A worker holds what it has
 * opened, so that a snapshot of hundreds of megabytes crosses no thread; figures, rows and columns do.
 */
import { type Diagnosis } from '../model/diagnose/diagnosis.js';
import type { TrainingSample } from '../model/diagnose/sample/training-sample.js';
import { type LiveSnapshot } from '../model/diagnose/compare/compare-snapshots.js';
import { type Change } from '../model/diagnose/whatif/changes.js';
import { type Question, type WhatIfRow } from '../model/diagnose/whatif/run-change.js';
import { type WhatIfInput } from '../model/diagnose/whatif/whatif-input.js';
import { type MemoryRun } from '../model/memory-map/memory-run.js';
import { type Trace } from '../model/trace/trace.js';
import { type LabApi } from './lab-protocol.js';
import { type LessonApi } from './lesson-protocol.js';

/** What a worker is doing with a file. */
export type OpeningStage = 'reading' | 'parsing';
export interface OpeningProgress {
  readonly stage: OpeningStage;
  /** Bytes: of the file while it is read, of its unpacked content while it is parsed. */
  readonly done: number;
  readonly total: number;
}
/** Advisory: it travels on its own port and may land after the result. */
export type OnOpening = (progress: OpeningProgress) => void;

/** A device of a snapshot that can be looked at. */
export interface SnapshotDevice {
  readonly device: number;
  /** Entries of its trace. */
  readonly events: number;
  readonly hasFailure: boolean;
}

/** What a file turned out to be. */
export type OpenedFile =
  | { readonly kind: 'text' | 'diagnosis'; readonly name: string; readonly bytes: number }
  | {
      readonly kind: 'snapshot';
      readonly name: string;
      readonly bytes: number;
      readonly devices: readonly SnapshotDevice[];
      /** Whether a trace with allocations was recorded, so that it can be replayed. */
      readonly canReplay: boolean;
    };

export interface ModelApi extends LabApi, LessonApi {
  /**
   * Reads and parses a file, gzip or plain, and holds it. Throws `AppError` (`bad-input`): one line with what is wrong and
   * at which byte.
   */
  open(source: Blob, name: string, onProgress: OnOpening): Promise<OpenedFile>;
  /** The verdict on what was opened. */
  explain(): Promise<Diagnosis>;
  /** The program of a device of the opened snapshot, and of its changed code, for other workers to replay. */
  whatIfInput(device: number): Promise<WhatIfInput>;
  /** The recorded trace of a device for the memory view, every entry of it. */
  memoryRun(device: number): Promise<MemoryRun>;
  /** What is live in the final dump, for a comparison with other snapshots. */
  live(): Promise<LiveSnapshot>;

  /** An example to try the page with, made by the models. */
  sample(): Promise<TrainingSample>;

  /** Holds a trace under a number for `answer`. */
  takeTrace(number: number, trace: Trace): Promise<void>;
  /** Lets go of all traces. */
  dropTraces(): Promise<void>;
  /** Replays one change on a trace that was taken. */
  answer(number: number, change: Change, question: Question): Promise<WhatIfRow>;
}
