/** What the page needs of the engine. `EngineClient` is one; tests hand in another. */
import {
  type OnEvent,
  type OnProgress,
  type OnTrainEvent,
  type RunRequest,
  type RunSummary,
  type TrainRequest,
  type TrainResult,
} from '../engine/protocol.js';
import { type AdapterChoice, type Environment } from '../model/report/schema.js';

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  readonly onProgress?: OnProgress;
}

export interface TrainOptions {
  readonly signal: AbortSignal;
  readonly onEvent: OnTrainEvent;
}

export interface Engine {
  /** Opens a device and reports adapter and clock. Rejects with `AppError` (`unsupported`) where there is none. */
  describe(adapter: AdapterChoice): Promise<Environment>;
  /** Runs the request; rejects with the signal's reason when it is aborted. */
  run(request: RunRequest, options: RunOptions): Promise<RunSummary>;
  /** Carries one training program out on real buffers; rejects with the signal's reason when it is aborted. */
  train(request: TrainRequest, options: TrainOptions): Promise<TrainResult>;
}
