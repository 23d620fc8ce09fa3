/**
 * One job at a time on the machine's GPU: two at once would measure each other. The pages of this tab ask each other
 * through the store, other tabs are asked through a lock of the browser, which a tab that crashes gives back.
 *
 *     const turn = await turns.during('lesson', () => runOnDevice(step, device, signal, tell));
 *     turn.kind === 'busy' && turn.holder; // 'measure', 'lab' or 'other-tab': nothing was begun
 *
 * `store.value.gpuHolder` is who has it now. Another tab is only known of when its turn was in the way; it is then waited
 * for, so that the words on screen go when it is done.
 */
import { type AppStore } from './app-state.js';

/** Pages that work on the GPU. */
export type GpuPage = 'measure' | 'lab' | 'lesson';
export type GpuHolder = GpuPage | 'other-tab';

export type Turn<R> =
  { readonly kind: 'done'; readonly value: R } | { readonly kind: 'busy'; readonly holder: GpuHolder };

/** The part of the browser's lock manager that is needed. */
export type Locks = Pick<LockManager, 'request'>;

/** One name for all tabs of the lab on one origin. */
const LOCK = 'vramlab-gpu';

export class GpuTurns {
  /** `locks` is undefined where a page was not loaded securely: then other tabs cannot be asked. */
  constructor(
    private readonly store: AppStore,
    private readonly locks: Locks | undefined,
  ) {}

  /** Does the work unless somebody else has the GPU. Rejects as the work does; the GPU is free afterwards. */
  async during<R>(page: GpuPage, work: () => Promise<R>): Promise<Turn<R>> {
    const { gpuHolder } = this.store.value;
    if (gpuHolder !== undefined) return { kind: 'busy', holder: gpuHolder };
    this.#hold(page);
    if (this.locks === undefined) return this.#work(work);
    return this.locks.request(LOCK, { ifAvailable: true }, (lock): Promise<Turn<R>> => {
      if (lock !== null) return this.#work(work);
      this.#hold('other-tab');
      void this.#untilFree();
      return Promise.resolve({ kind: 'busy', holder: 'other-tab' });
    });
  }

  async #work<R>(work: () => Promise<R>): Promise<Turn<R>> {
    try {
      return { kind: 'done', value: await work() };
    } finally {
      this.#hold(undefined);
    }
  }

  async #untilFree(): Promise<void> {
    await this.locks?.request(LOCK, () => this.#hold(undefined));
  }

  #hold(gpuHolder: GpuHolder | undefined): void {
    this.store.update((state) => ({ ...state, gpuHolder }));
  }
}

/** Who stands in the way of a page; undefined where the GPU is free or its own. */
export const othersTurn = (holder: GpuHolder | undefined, page: GpuPage): GpuHolder | undefined =>
  holder === page ? undefined : holder;
