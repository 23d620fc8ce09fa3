/**
 * The page's side of the thread that draws. One request is painted and one stands ready behind it, so that the thread never
 * waits for the page; of those that come meanwhile only the last is painted, so that a slow picture never lags behind by
 * more than two.
 */
import { type Remote, transfer, wrap } from 'comlink';
import { type MemoryRun } from '../../model/memory-map/memory-run.js';
import { type LayoutMode, type MapLayout } from '../../model/memory-map/row-layout.js';
import { partsOf } from './run-parts.js';
import { type CanvasName, type PaintRequest, type PaintTimes, type ViewApi, type ViewStyle } from './view-protocol.js';

/** Requests that the thread has at a time. */
const UNDER_WAY = 2;

/** Told after each picture: what was asked for, and how long it took. */
export type OnPainted = (request: PaintRequest, times: PaintTimes) => void;

export class ViewClient {
  readonly #worker: Worker;
  readonly #remote: Remote<ViewApi>;
  readonly #onPainted: OnPainted;
  #waiting: PaintRequest | undefined;
  #underWay = 0;
  #loaded = 0;

  constructor(onPainted: OnPainted) {
    this.#worker = new Worker(new URL('../../../workers/view.worker.ts', import.meta.url), { type: 'module' });
    this.#remote = wrap<ViewApi>(this.#worker);
    this.#onPainted = onPainted;
  }

  async setCanvas(name: CanvasName, canvas: HTMLCanvasElement): Promise<void> {
    const offscreen = canvas.transferControlToOffscreen();
    await this.#remote.setCanvas(name, transfer(offscreen, [offscreen]));
  }

  async setStyle(style: ViewStyle): Promise<void> {
    await this.#remote.setStyle(style);
  }

  /**
   * Copies the runs over, a column at a time, so that the page goes on in between. False where other runs were given
   * meanwhile.
   */
  async setRuns(runs: readonly MemoryRun[]): Promise<boolean> {
    const load = ++this.#loaded;
    this.#waiting = undefined;
    await this.#remote.clearRuns();
    for (const [index, run] of runs.entries()) {
      for (const part of partsOf(run, index)) {
        await this.#remote.addPart(part);
        if (load !== this.#loaded) return false;
      }
    }
    await this.#remote.finishRuns();
    return load === this.#loaded;
  }

  layouts(mode: LayoutMode): Promise<readonly MapLayout[]> {
    return this.#remote.layouts(mode);
  }

  /** Paints when its turn comes; a request that still waits is joined with this one. */
  paint(request: PaintRequest): void {
    const before = this.#waiting;
    this.#waiting = {
      position: request.position,
      maps: request.maps ?? before?.maps,
      tracks: request.tracks ?? before?.tracks,
      ends: request.ends ?? before?.ends,
    };
    if (this.#underWay < UNDER_WAY) void this.#paintWaiting();
  }

  picture(): Promise<Blob> {
    return this.#remote.picture();
  }

  close(): void {
    this.#loaded++;
    this.#worker.terminate();
  }

  async #paintWaiting(): Promise<void> {
    this.#underWay++;
    while (this.#waiting !== undefined) {
      const request = this.#waiting;
      this.#waiting = undefined;
      this.#onPainted(request, await this.#remote.paint(request));
    }
    this.#underWay--;
  }
}
