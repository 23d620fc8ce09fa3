/**
 * The page's side of the thread that draws. Requests are painted one at a time; of those that come while one is painted
 * only the last is, so that a slow picture never lags behind by more than one.
 */
import { type Remote, transfer, wrap } from 'comlink';
import { type MemoryRun } from '../../model/memory-map/memory-run.js';
import { type LayoutMode, type MapLayout } from '../../model/memory-map/row-layout.js';
import { partsOf } from './run-parts.js';
import { type CanvasName, type PaintRequest, type PaintTimes, type ViewApi, type ViewStyle } from './view-protocol.js';

export class ViewClient {
  readonly #worker: Worker;
  readonly #remote: Remote<ViewApi>;
  readonly #onPainted: (times: PaintTimes) => void;
  #waiting: PaintRequest | undefined;
  #isPainting = false;
  #loaded = 0;

  /** `onPainted` is told after each picture. */
  constructor(onPainted: (times: PaintTimes) => void = () => undefined) {
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

  /** Paints when the picture before is done; a request that still waits is joined with this one. */
  paint(request: PaintRequest): void {
    const before = this.#waiting;
    this.#waiting = {
      position: request.position,
      maps: request.maps ?? before?.maps,
      tracks: request.tracks ?? before?.tracks,
    };
    if (!this.#isPainting) void this.#paintWaiting();
  }

  picture(): Promise<Blob> {
    return this.#remote.picture();
  }

  close(): void {
    this.#loaded++;
    this.#worker.terminate();
  }

  async #paintWaiting(): Promise<void> {
    this.#isPainting = true;
    while (this.#waiting !== undefined) {
      const request = this.#waiting;
      this.#waiting = undefined;
      this.#onPainted(await this.#remote.paint(request));
    }
    this.#isPainting = false;
  }
}
