/** The step that is on the machine's GPU: one at a time, and it is stopped when it is reset or another one is started. */
import { type Environment } from '../../model/report/schema.js';
import { type Step } from '../../model/lesson/schema.js';
import { type Engine } from '../engine-port.js';
import { type GpuTurns } from '../gpu-turns.js';
import { type DeviceState, hasDeviceRun, runOnDevice } from './device-run.js';
import { type LessonPort } from './lesson-port.js';
import { type LessonSession } from './lesson-session.js';

export interface LessonMachine {
  readonly engine: Engine;
  readonly gpu: GpuTurns;
  readonly environment: Environment;
}

export class LessonGpu {
  #abort: AbortController | undefined;

  constructor(
    private readonly session: LessonSession,
    private readonly models: Pick<LessonPort, 'trace'>,
  ) {}

  /** Carries a step out and keeps what came of it with the step. Nothing happens where somebody else has the GPU. */
  async run(step: Step, { engine, gpu, environment }: LessonMachine): Promise<void> {
    if (!hasDeviceRun(step)) return;
    await gpu.during('lesson', async () => {
      const abort = new AbortController();
      this.#abort = abort;
      const tell = (state: DeviceState): void => {
        if (!abort.signal.aborted) this.session.device(step, state);
      };
      const device = { engine, models: this.models, adapterClass: environment.adapter.class };
      const end = await runOnDevice(step, device, abort.signal, tell);
      // A reset has taken the step back to its start: nothing is told of what was stopped.
      if (this.#abort === abort) this.session.device(step, end);
    });
  }

  /** Stops the run; the step says that it was cancelled. */
  cancel(): void {
    this.#abort?.abort();
  }

  /** Stops the run and forgets it. */
  drop(): void {
    this.cancel();
    this.#abort = undefined;
  }
}
