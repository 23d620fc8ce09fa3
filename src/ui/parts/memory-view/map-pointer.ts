/** Pointers on a map: hover, click, drag to pan, wheel and pinch to zoom. */
export interface PointedMap {
  /** Places are shares of the width and pixels from the top of the map. */
  hover(place: MapPlace | undefined): void;
  click(place: MapPlace): void;
  zoom(factor: number, share: number): void;
  /** Shares of the width, and pixels down. */
  pan(across: number, down: number): void;
  /** Whether a wheel moves rows rather than zooms. */
  scrollsRows(): boolean;
}

export interface MapPlace {
  readonly x: number;
  readonly y: number;
}

/** A press that moves less is a click. */
const CLICK_SLACK = 4;
const WHEEL_ZOOM = 1.0015;

export class MapPointer {
  readonly #pointers = new Map<number, MapPlace>();
  #moved = 0;

  constructor(private readonly map: PointedMap) {}

  readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (event.currentTarget instanceof Element && event.isTrusted)
      event.currentTarget.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, placeOf(event));
    if (this.#pointers.size === 1) this.#moved = 0;
  };

  readonly onMove = (event: PointerEvent): void => {
    const before = this.#pointers.get(event.pointerId);
    const place = placeOf(event);
    if (before === undefined) {
      this.map.hover(place);
      return;
    }
    const width = widthOf(event);
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    const [other] = others;
    this.#pointers.set(event.pointerId, place);
    this.#moved += Math.hypot(place.x - before.x, place.y - before.y);
    if (other !== undefined) {
      const factor =
        Math.max(1, Math.hypot(place.x - other.x, place.y - other.y)) /
        Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      this.map.zoom(factor, (place.x + other.x) / 2 / width);
    } else if (this.#moved >= CLICK_SLACK) this.map.pan((before.x - place.x) / width, before.y - place.y);
  };

  readonly onUp = (event: PointerEvent): void => {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (this.#moved < CLICK_SLACK && event.type === 'pointerup') this.map.click(placeOf(event));
  };

  readonly onLeave = (): void => this.map.hover(undefined);

  readonly onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const width = widthOf(event);
    const { deltaX, deltaY } = event;
    if (Math.abs(deltaX) > Math.abs(deltaY)) this.map.pan(deltaX / width, 0);
    else if (event.shiftKey) this.map.pan(deltaY / width, 0);
    else if (this.map.scrollsRows() && !event.ctrlKey && !event.metaKey) this.map.pan(0, deltaY);
    else this.map.zoom(WHEEL_ZOOM ** -deltaY, placeOf(event).x / width);
  };
}

const boxOf = (event: MouseEvent): DOMRect | undefined =>
  event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : undefined;

const widthOf = (event: MouseEvent): number => Math.max(1, boxOf(event)?.width ?? 1);

function placeOf(event: MouseEvent): MapPlace {
  const box = boxOf(event);
  return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
}
