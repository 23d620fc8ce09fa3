/** What the desk needs of the model workers. `FileSession` and `SweepPool` are these; tests hand in others. */
import { type AnswerOptions, type SweepInput } from '../../engine/sweep-pool.js';
import { type OpenOptions } from '../../engine/model-client.js';
import { type OpenedFile } from '../../engine/model-protocol.js';
import { type LiveSnapshot } from '../../model/diagnose/compare/compare-snapshots.js';
import { type Diagnosis } from '../../model/diagnose/diagnosis.js';
import { type Change } from '../../model/diagnose/whatif/changes.js';
import { type Question, type WhatIfRow } from '../../model/diagnose/whatif/run-change.js';
import { type TrainingSample } from '../../model/diagnose/sample/training-sample.js';
import { type WhatIfInput } from '../../model/diagnose/whatif/whatif-input.js';
import { type MemoryRun } from '../../model/memory-map/memory-run.js';

export interface Session {
  open(source: Blob, name: string, options: OpenOptions): Promise<OpenedFile>;
  explain(): Promise<Diagnosis>;
  /** The recorded trace of a device, every entry of it. */
  memoryRun(device: number): Promise<MemoryRun>;
  whatIfInput(device: number): Promise<WhatIfInput>;
  live(): Promise<LiveSnapshot>;
  sample(): Promise<TrainingSample>;
  dispose(): void;
}

export interface Answers {
  answer(input: SweepInput, change: Change, question: Question, options: AnswerOptions): Promise<WhatIfRow>;
  dispose(): void;
}

export interface ModelPort {
  readonly openSession: () => Session;
  readonly answers: Answers;
}
