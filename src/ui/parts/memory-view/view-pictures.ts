import { msg } from '@lit/localize';
import { type LitElement, type ReactiveController } from 'lit';
import { type OnPainted, ViewClient } from '../../../engine/view/view-client.js';
import { type CanvasName, type PaintRequest } from '../../../engine/view/view-protocol.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { type LayoutMode, type MapLayout } from '../../../model/memory-map/row-layout.js';
import { MediaController } from '../../controllers/media-controller.js';
import { pictureWords, readPalette } from './view-style.js';

const CANVAS_NAMES: readonly CanvasName[] = ['map-0', 'map-1', 'strip-0', 'strip-1', 'tracks', 'ends'];
const isCanvasName = (name: string | undefined): name is CanvasName => CANVAS_NAMES.some((each) => each === name);

/** Changes with the language of the page, so that what is kept from one rendering to the next follows it. */
export const languageMark = (): string =>
  msg('language', { desc: 'memory view: never shown; tells that the language of the page has changed' });

/** The pictures of a view: its canvases, their colours and words, and the thread that draws on them. */
export class ViewPictures implements ReactiveController {
  #client: ViewClient | undefined;
  #given = new WeakSet<HTMLCanvasElement>();
  #style = '';
  #isStale = true;
  readonly #media = ['(forced-colors: active)', '(prefers-color-scheme: dark)'].map((query) => matchMedia(query));
  readonly #themed = new MutationObserver(() => this.host.requestUpdate());
  /** Canvases are given away for good: another number asks for new ones. */
  generation = 0;

  constructor(
    private readonly host: LitElement,
    private readonly onPainted: OnPainted,
  ) {
    host.addController(this);
    // Colours of the system change without a change of the document.
    new MediaController(host, '(forced-colors: active)');
  }

  hostConnected(): void {
    this.#client = new ViewClient(this.onPainted);
    this.#given = new WeakSet();
    this.#style = '';
    this.generation++;
    this.#themed.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-present', 'lang'] });
  }

  hostDisconnected(): void {
    this.#themed.disconnect();
    this.#client?.close();
    this.#client = undefined;
  }

  /** Gives the thread another pair of runs and asks where their segments stand; undefined where others came meanwhile. */
  async load(runs: readonly MemoryRun[], mode: LayoutMode): Promise<readonly MapLayout[] | undefined> {
    const client = this.#client;
    if (client === undefined || !(await client.setRuns(runs))) return undefined;
    const layouts = await client.layouts(mode);
    this.#isStale = true;
    return client === this.#client ? layouts : undefined;
  }

  async layouts(mode: LayoutMode): Promise<readonly MapLayout[] | undefined> {
    return this.#client?.layouts(mode);
  }

  /** After each update: new canvases, colours and words go over. `axis` is the word under the axis of the tracks. */
  refresh(probe: HTMLElement, axis: string): void {
    for (const canvas of this.host.renderRoot.querySelectorAll('canvas')) {
      const { name } = canvas.dataset;
      if (this.#given.has(canvas) || !isCanvasName(name)) continue;
      this.#given.add(canvas);
      this.#isStale = true;
      void this.#client?.setCanvas(name, canvas);
    }
    const { theme = '', present = '' } = document.documentElement.dataset;
    const style = [theme, present, ...this.#media.map(({ matches }) => matches), axis, languageMark()].join(' ');
    if (style === this.#style) return;
    this.#style = style;
    this.#isStale = true;
    const font = getComputedStyle(this.host).fontFamily;
    void this.#client?.setStyle({ palette: readPalette(probe), words: pictureWords(axis), font });
  }

  /** True once after something that all pictures show has changed. */
  takeStale(): boolean {
    const was = this.#isStale;
    this.#isStale = false;
    return was;
  }

  paint(request: PaintRequest): void {
    const { maps, tracks, ends } = request;
    if ((maps ?? tracks ?? ends) !== undefined) this.#client?.paint(request);
  }

  /** The pictures as one PNG. Throws while the view is on no page. */
  async picture(): Promise<Blob> {
    if (this.#client === undefined) throw new Error('the memory view is not on a page');
    return this.#client.picture();
  }
}
