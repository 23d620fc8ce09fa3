/**
 * A picture as numbers. Maps and tracks are rectangles by the ten thousand: written straight into the pixels of an
 * ImageData they cost a tenth of what the same calls on a canvas do.
 */
export type Colour = number;

/** `#rgb`, `#rrggbb`, `rgb(r, g, b)` or `rgb(r g b)` as a pixel. Throws for anything else: colours are our own. */
export function pixelOf(css: string): Colour {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(css.trim())?.[1];
  if (hex !== undefined) {
    const long = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
    return packed(parseInt(long.slice(0, 2), 16), parseInt(long.slice(2, 4), 16), parseInt(long.slice(4, 6), 16));
  }
  const [red, green, blue] = (/^rgba?\(([^)]*)\)/.exec(css.trim())?.[1] ?? '').split(/[\s,/]+/).map(Number);
  if (red === undefined || green === undefined || blue === undefined || Number.isNaN(red + green + blue)) {
    throw new Error(`"${css}" is no colour that a picture can use`);
  }
  return packed(red, green, blue);
}

/** Bytes in memory are red, green, blue, alpha: so as a number of a little-endian machine, all that browsers run on. */
const packed = (red: number, green: number, blue: number): Colour =>
  (0xff00_0000 | (blue << 16) | (green << 8) | red) >>> 0;

/** `share` of one colour over another. */
export function mixed(over: Colour, under: Colour, share: number): Colour {
  const at = (shift: number): number =>
    Math.round(((over >>> shift) & 255) * share + ((under >>> shift) & 255) * (1 - share));
  return packed(at(0), at(8), at(16));
}

const HATCH = 6;
const NARROW = 40;

export class Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8ClampedArray<ArrayBuffer>;
  readonly data: Uint32Array<ArrayBuffer>;
  readonly #hatchStep: number;
  readonly #hatchWidth: number;

  /** `scale`: device pixels of one of the design's. */
  constructor(width: number, height: number, scale: number) {
    this.width = width;
    this.height = height;
    this.bytes = new Uint8ClampedArray(4 * width * height);
    this.data = new Uint32Array(this.bytes.buffer);
    this.#hatchStep = Math.max(3, Math.round(HATCH * scale));
    this.#hatchWidth = Math.max(1, Math.round(scale));
  }

  clear(colour: Colour): void {
    this.data.fill(colour);
  }

  /** Everything is cut to the picture. */
  fill(x: number, y: number, width: number, height: number, colour: Colour): void {
    const left = Math.max(0, x);
    const right = Math.min(this.width, x + width);
    const bottom = Math.min(this.height, y + height);
    if (right <= left) return;
    const { data, width: stride } = this;
    const length = right - left;
    for (let row = Math.max(0, y); row < bottom; row++) {
      const at = row * stride + left;
      // A call of `fill` costs as much as forty pixels.
      if (length > NARROW) data.fill(colour, at, at + length);
      else for (let i = 0; i < length; i++) data[at + i] = colour;
    }
  }

  /** Lines at 45 degrees on a ground: free memory. */
  hatch(x: number, y: number, width: number, height: number, line: Colour, ground: Colour): void {
    const left = Math.max(0, x);
    const right = Math.min(this.width, x + width);
    const bottom = Math.min(this.height, y + height);
    const [step, thick] = [this.#hatchStep, this.#hatchWidth];
    const { data } = this;
    for (let row = Math.max(0, y); row < bottom; row++) {
      const at = row * this.width;
      for (let column = left, phase = (left + row) % step; column < right; column++) {
        data[at + column] = phase < thick ? line : ground;
        if (++phase === step) phase = 0;
      }
    }
  }

  /** The hatch as a row of its own: 1 where a row has a line, from pixel 0 of row 0 on. Row y begins at y % its step. */
  hatchRow(length: number): { readonly mask: Uint8Array; readonly step: number } {
    const step = this.#hatchStep;
    const mask = Uint8Array.from({ length: length + step }, (_, i) => (i % step < this.#hatchWidth ? 1 : 0));
    return { mask, step };
  }

  /** An outline inside a box. */
  frame(x: number, y: number, width: number, height: number, line: number, colour: Colour): void {
    const thick = Math.min(line, Math.ceil(width / 2), Math.ceil(height / 2));
    this.fill(x, y, width, thick, colour);
    this.fill(x, y + height - thick, width, thick, colour);
    this.fill(x, y, thick, height, colour);
    this.fill(x + width - thick, y, thick, height, colour);
  }

  /** A dashed outline inside a box. */
  dashedFrame(x: number, y: number, width: number, height: number, line: number, dash: number, colour: Colour): void {
    this.dashes(x, y, width, line, dash, colour);
    this.dashes(x, y + height - line, width, line, dash, colour);
    for (let at = 0; at < height; at += 2 * dash) {
      const length = Math.min(dash, height - at);
      this.fill(x, y + at, line, length, colour);
      this.fill(x + width - line, y + at, line, length, colour);
    }
  }

  /** A dashed level line. */
  dashes(x: number, y: number, width: number, line: number, dash: number, colour: Colour): void {
    for (let at = 0; at < width; at += 2 * dash) this.fill(x + at, y, Math.min(dash, width - at), line, colour);
  }

  /** A veil of a colour over what is there. */
  tint(x: number, y: number, width: number, height: number, colour: Colour, share: number): void {
    const right = Math.min(this.width, x + width);
    const bottom = Math.min(this.height, y + height);
    for (let row = Math.max(0, y); row < bottom; row++) {
      for (let column = Math.max(0, x); column < right; column++) {
        const at = row * this.width + column;
        this.data[at] = mixed(colour, this.data[at]!, share);
      }
    }
  }
}
