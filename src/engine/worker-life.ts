/**
 * How a page learns that a worker is gone. A worker that is terminated, closes itself or dies with its memory fires no
 * event on its `Worker`: calls to it would wait for ever. But it holds a lock while it lives, and the browser gives that
 * lock to whoever asks for it next.
 *
 *     holdLife();                              // in the worker
 *     void whenGone(worker).then(() => ...);   // in the page
 */

interface LifeRequest {
  /** Name of the lock that the worker is to hold. */
  readonly life: string;
}
interface LifeAnswer {
  readonly alive: string;
}

const hasLife = (data: unknown): data is LifeRequest => typeof data === 'object' && data !== null && 'life' in data;
const hasAlive = (data: unknown): data is LifeAnswer => typeof data === 'object' && data !== null && 'alive' in data;

/** The part of a worker's global scope that is used. */
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  postMessage(message: LifeAnswer): void;
}

/** Call once in a worker, before its first await. */
export function holdLife(scope: WorkerScope, locks: LockManager): void {
  scope.addEventListener('message', ({ data }) => {
    if (!hasLife(data)) return;
    const { life } = data;
    void locks.request(life, () => {
      scope.postMessage({ alive: life });
      return new Promise(() => {});
    });
  });
}

/**
 * Settles when a worker that called `holdLife` is gone, however it went. For one that did not, and where the browser has
 * no locks (a page that was not loaded securely), never.
 */
export function whenGone(worker: Worker): Promise<void> {
  if (!('locks' in navigator)) return new Promise(() => {});
  const { locks } = navigator;
  const life = `worker-${crypto.randomUUID()}`;
  return new Promise((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent) => {
      if (hasAlive(data) && data.alive === life) void locks.request(life, () => resolve());
    });
    worker.postMessage({ life } satisfies LifeRequest);
  });
}
