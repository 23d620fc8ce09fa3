/** One attempt that may fail in any way, watched from all sides, on a device of its own. */
import { messageOf } from '../../base/errors.js';
import { unlessAborted, withResolvers } from '../../base/promises.js';
import { classify, type FailureClass, type Observation } from '../../model/failure/classify.js';

export interface Seen {
  readonly observed: FailureClass;
  /** The first cause, in the browser's words. */
  readonly message: string;
  /** Time until it was known, ns. */
  readonly answerNs: number;
}

/** A device, and whether it is lost. */
export class WatchedDevice {
  #lost: GPUDeviceLostInfo | undefined;
  readonly lostSignal: Promise<GPUDeviceLostInfo>;

  constructor(readonly device: GPUDevice) {
    this.lostSignal = device.lost.then((info) => {
      this.#lost = info;
      return info;
    });
    // What scopes do not catch is the experiment's own doing.
    device.addEventListener('uncapturederror', (event) => event.preventDefault());
  }

  /** Asked anew each time: it changes while somebody waits. */
  isLost(): boolean {
    return this.#lost !== undefined;
  }

  get lost(): GPUDeviceLostInfo | undefined {
    return this.#lost;
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

export interface AttemptOptions {
  /** How long to wait for an answer. */
  readonly limitMs?: number;
  /** Ends the wait: `attempt` rejects with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Does `act` between two error scopes and says what came of it. Whatever goes wrong is the result; it rejects for an
 * abort alone.
 */
export async function attempt(
  watched: WatchedDevice,
  act: (device: GPUDevice) => unknown,
  { limitMs = 10_000, signal = NEVER }: AttemptOptions = {},
): Promise<Seen> {
  const { device } = watched;
  const begin = performance.now();
  const lostBefore = watched.isLost();
  const thrown: unknown[] = [];
  const limit = expired(limitMs);
  try {
    device.pushErrorScope('validation');
    device.pushErrorScope('out-of-memory');
    const acting = doing(act, device, thrown);
    const acted = await unlessAborted(Promise.race([acting, limit.promise, watched.lostSignal]), signal);
    const scopes = Promise.all([device.popErrorScope(), device.popErrorScope()]).then(
      ([outOfMemory, validation]) => ({ outOfMemory, validation }),
      (error: unknown) => {
        thrown.push(error);
        return undefined;
      },
    );
    const lost = watched.lostSignal.then(() => undefined);
    const answer =
      acted === 'expired' ? 'expired' : await unlessAborted(Promise.race([scopes, lost, limit.promise]), signal);
    // A loss is told in a task of its own, right after what it rejects.
    if (answer === undefined) await Promise.race([watched.lostSignal, pause(50)]);
    const seen: Observation = {
      lostBefore,
      lostAfter: !lostBefore && watched.isLost(),
      thrown: thrown.length === 0 ? undefined : nameOf(thrown[0]),
      outOfMemory: answer === undefined || answer === 'expired' ? undefined : answer.outOfMemory?.message,
      validation: answer === undefined || answer === 'expired' ? undefined : answer.validation?.message,
      timedOut: answer === 'expired',
    };
    const cause = seen.outOfMemory ?? seen.validation ?? watched.lost?.message;
    const waited = seen.timedOut === true ? `no answer within ${limitMs} ms` : '';
    const message = thrown.length > 0 && !seen.lostAfter ? messageOf(thrown[0]) : (cause ?? waited);
    return { observed: classify(seen), message, answerNs: Math.round((performance.now() - begin) * 1e6) };
  } finally {
    limit.clear();
  }
}

const NEVER = new AbortController().signal;

/** Never rejects: what is thrown is noted. */
async function doing(act: (device: GPUDevice) => unknown, device: GPUDevice, thrown: unknown[]): Promise<undefined> {
  try {
    await act(device);
  } catch (error) {
    thrown.push(error);
  }
  return undefined;
}

const pause = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

function expired(ms: number): { readonly promise: Promise<'expired'>; readonly clear: () => void } {
  const ending = withResolvers<'expired'>();
  const timer = setTimeout(() => ending.resolve('expired'), ms);
  return { promise: ending.promise, clear: () => clearTimeout(timer) };
}
