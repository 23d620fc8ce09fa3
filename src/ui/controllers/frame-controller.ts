import { type ReactiveController, type ReactiveControllerHost } from 'lit';
import { type Frame } from '../../model/report/charts/shapes.js';

const DESIGN_ROOT = 16;
const NO_ROOM: Frame = { width: 0, height: 0, scale: 1 };

/** The room that a drawing has, followed while it changes: its box in CSS pixels and the root size against the design's. */
export class FrameController implements ReactiveController {
  #frame = NO_ROOM;
  #box: Element | undefined;
  readonly #resized = new ResizeObserver(() => this.#measure());

  constructor(
    private readonly host: ReactiveControllerHost,
    /** The element to fill; undefined while it is not shown. */
    private readonly box: () => Element | undefined,
  ) {
    host.addController(this);
  }

  get value(): Frame {
    return this.#frame;
  }

  hostUpdated(): void {
    const box = this.box();
    if (box === this.#box) return;
    this.#resized.disconnect();
    this.#box = box;
    if (box !== undefined) this.#resized.observe(box);
  }

  hostDisconnected(): void {
    this.#resized.disconnect();
    this.#box = undefined;
  }

  #measure(): void {
    if (this.#box === undefined) return;
    const { clientWidth: width, clientHeight: height } = this.#box;
    const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / DESIGN_ROOT;
    const { width: oldWidth, height: oldHeight, scale: oldScale } = this.#frame;
    if (width === oldWidth && height === oldHeight && scale === oldScale) return;
    this.#frame = { width, height, scale };
    this.host.requestUpdate();
  }
}

/** The same room in pixels of the screen. */
export const devicePixels = ({ width, height, scale }: Frame): Frame => ({
  width: Math.round(width * devicePixelRatio),
  height: Math.round(height * devicePixelRatio),
  scale: scale * devicePixelRatio,
});
