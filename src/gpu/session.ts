/**
 * The one owner of the device. Loss is handled here and nowhere else: whoever works with the device runs its promises
 * through `guard`, and after a loss asks for `recover`, which takes a new adapter and a new device and proves the device
 * by a run. Objects of the old device are void: `generation` tells.
 *
 *     const session = await GpuSession.open(navigator.gpu, 'any', proveDevice);
 *     try { await session.guard(work(session.device)); }
 *     catch (error) { if (session.lost !== undefined) await session.recover(); }
 */
import { AppError, messageOf } from '../base/errors.js';
import { say } from '../base/said.js';
import { type AdapterChoice, type AdapterFacts } from '../model/report/schema.js';
import { checkChoice, describeAdapter, requestAdapter, requestDevice, wait, type Wait } from './adapter.js';

export interface Loss {
  readonly reason: 'unknown' | 'destroyed';
  readonly message: string;
}

/** Runs something verified on a new device; rejects when the device does not work. */
export type ProveDevice = (device: GPUDevice) => Promise<void>;

interface Opened {
  readonly device: GPUDevice;
  readonly facts: AdapterFacts;
}

/** Without flags Chromium gives no adapter after two crashes of its GPU process; three tries show it. */
const RECOVERY_TRIES = 3;

export class GpuSession {
  #opened: Opened;
  #lost: Loss | undefined;
  #lostSignal: Promise<Loss>;
  #generation = 0;
  #errors: string[] = [];
  #closed = false;

  private constructor(
    readonly gpu: GPU,
    readonly choice: AdapterChoice,
    readonly prove: ProveDevice,
    readonly pause: Wait,
    opened: Opened,
  ) {
    this.#opened = opened;
    this.#lostSignal = this.#watch(opened.device);
  }

  /** Throws `AppError` (`unsupported`) where there is no WebGPU, no adapter, or not the class that was asked for. */
  static async open(
    gpu: GPU | undefined,
    choice: AdapterChoice,
    prove: ProveDevice,
    pause: Wait = wait,
  ): Promise<GpuSession> {
    if (gpu === undefined) {
      throw new AppError({ kind: 'unsupported', missing: 'WebGPU' }, say`this browser has no WebGPU (navigator.gpu)`);
    }
    return new GpuSession(gpu, choice, prove, pause, await openDevice(gpu, choice, pause));
  }

  get device(): GPUDevice {
    return this.#opened.device;
  }
  get adapterFacts(): AdapterFacts {
    return this.#opened.facts;
  }
  /** Counts devices: objects made under another number belong to a lost device. */
  get generation(): number {
    return this.#generation;
  }
  /** How the present device was lost; undefined while it works. */
  get lost(): Loss | undefined {
    return this.#lost;
  }

  /** Errors that no scope caught since the last call: the first is the cause, the others mostly follow from it. */
  takeErrors(): readonly string[] {
    const errors = this.#errors;
    this.#errors = [];
    return errors;
  }

  /** Settles as `work` does, but with `AppError` (`device-lost`) when the device is lost, whatever `work` says then. */
  async guard<T>(work: Promise<T>): Promise<T> {
    const lost = this.#lostSignal.then((loss) => {
      throw lossError(loss);
    });
    try {
      return await Promise.race([work, lost]);
    } catch (error) {
      if (error instanceof AppError) throw error;
      // A rejection of the work may arrive just before `lost` does.
      const late = await Promise.race([this.#lostSignal, this.pause(50).then(() => undefined)]);
      if (late !== undefined) throw lossError(late);
      throw error;
    }
  }

  /** One round trip to the GPU, after which a loss that had happened before is known. */
  async settle(): Promise<void> {
    const trip = this.#opened.device.queue.onSubmittedWorkDone().catch(() => undefined);
    await Promise.race([trip, this.#lostSignal]);
    // `lost` is told in a task of its own: let it come.
    if (this.#lost === undefined) await this.pause(0);
  }

  /**
   * Takes a new adapter and device and proves it by a run. Throws `AppError` (`device-lost`) when none works, or when it
   * is another adapter: after crashes a browser may fall back to software, whose figures are no part of this run.
   */
  async recover(): Promise<void> {
    let last: unknown;
    const before = this.#opened.facts;
    for (let attempt = 0; attempt < RECOVERY_TRIES; attempt++) {
      this.#opened.device.destroy();
      try {
        this.#opened = await openDevice(this.gpu, this.choice, this.pause);
        this.#generation += 1;
        this.#lost = undefined;
        this.#errors = [];
        this.#lostSignal = this.#watch(this.#opened.device);
        demandSameAdapter(before, this.#opened.facts);
        await this.guard(this.prove(this.#opened.device));
        return;
      } catch (error) {
        last = error;
        await this.pause(100 * 2 ** attempt);
      }
    }
    throw new AppError(
      { kind: 'device-lost', reason: 'unknown' },
      say`the GPU device was lost and no new one works (${messageOf(last)}); restart the browser`,
      { cause: last },
    );
  }

  /** A second device from an adapter of its own, for an experiment; whoever asked for it destroys it. */
  async openAnother(): Promise<GPUDevice> {
    return (await openDevice(this.gpu, this.choice, this.pause)).device;
  }

  /** Gives the device back. A loss after this is ours and no failure. */
  close(): void {
    this.#closed = true;
    this.#opened.device.destroy();
  }

  #watch(device: GPUDevice): Promise<Loss> {
    device.addEventListener('uncapturederror', (event) => {
      this.#errors.push(event.error.message);
    });
    const generation = this.#generation;
    return device.lost.then(({ reason, message }) => {
      const loss: Loss = { reason, message };
      if (generation === this.#generation && !this.#closed) this.#lost = loss;
      return loss;
    });
  }
}

const lossError = (loss: Loss): AppError =>
  new AppError(
    { kind: 'device-lost', reason: loss.reason },
    loss.message === ''
      ? say`the GPU device was lost (${loss.reason})`
      : say`the GPU device was lost (${loss.reason}: ${loss.message})`,
  );

function demandSameAdapter(before: AdapterFacts, now: AdapterFacts): void {
  const parts = ['class', 'vendor', 'architecture', 'device', 'description'] as const;
  if (parts.every((part) => before[part] === now[part])) return;
  const name = [now.vendor, now.architecture, now.description].filter((part) => part !== '').join(' ');
  throw new Error(
    name === ''
      ? say`the browser now gives another adapter, ${now.class}`
      : say`the browser now gives another adapter, ${now.class} (${name})`,
  );
}

async function openDevice(gpu: GPU, choice: AdapterChoice, pause: Wait): Promise<Opened> {
  const adapter = await requestAdapter(gpu, choice, pause);
  checkChoice(adapter, choice);
  const device = await requestDevice(adapter);
  return { device, facts: describeAdapter(adapter, device) };
}
