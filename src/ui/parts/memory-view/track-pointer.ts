/** Pointers on the tracks: press and drag moves the playhead, with Shift selects a range; wheel and pinch zoom. */
export interface PointedTracks {
  /** Shares of the width of the plot. */
  seek(share: number): void;
  select(from: number, to: number): void;
  zoom(factor: number, share: number): void;
  pan(across: number): void;
  /** Where the plot begins and how wide it is, in CSS pixels of the tracks. */
  plot(): { readonly left: number; readonly width: number };
}

const WHEEL_ZOOM = 1.0015;

export class TrackPointer {
  readonly #pointers = new Map<number, number>();
  #anchor: number | undefined;

  constructor(private readonly tracks: PointedTracks) {}

  readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    if (event.currentTarget instanceof HTMLElement) {
      if (event.isTrusted) event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.querySelector('input')?.focus({ preventScroll: true });
    }
    const share = this.#share(event);
    this.#pointers.set(event.pointerId, share);
    this.#anchor = event.shiftKey ? share : undefined;
    if (!event.shiftKey && this.#pointers.size === 1) this.tracks.seek(share);
  };

  readonly onMove = (event: PointerEvent): void => {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) return;
    const share = this.#share(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, share);
    if (other !== undefined) {
      const factor = Math.max(0.01, Math.abs(share - other)) / Math.max(0.01, Math.abs(before - other));
      this.tracks.zoom(factor, (share + other) / 2);
    } else if (this.#anchor !== undefined)
      this.tracks.select(Math.min(this.#anchor, share), Math.max(this.#anchor, share));
    else this.tracks.seek(share);
  };

  readonly onUp = (event: PointerEvent): void => {
    this.#pointers.delete(event.pointerId);
  };

  readonly onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { deltaX, deltaY } = event;
    if (Math.abs(deltaX) > Math.abs(deltaY)) this.tracks.pan(deltaX / this.tracks.plot().width);
    else if (event.shiftKey) this.tracks.pan(deltaY / this.tracks.plot().width);
    else this.tracks.zoom(WHEEL_ZOOM ** -deltaY, this.#share(event));
  };

  #share(event: MouseEvent): number {
    const box = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : undefined;
    const { left, width } = this.tracks.plot();
    return Math.min(1, Math.max(0, (event.clientX - (box?.left ?? 0) - left) / Math.max(1, width)));
  }
}
