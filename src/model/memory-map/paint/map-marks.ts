/** What lies over a map: pins, numbers of the Why list, the request that failed, and the blocks that are looked at. */
import { type MapGeometry } from '../map-geometry.js';
import { type MemoryRun } from '../memory-run.js';
import { type Hole, type Moment } from '../moment.js';
import { boxOf, covers, placed } from './label-place.js';
import { type PixelPalette } from './paint-palette.js';
import { FONT_PIXELS, type Label, type Measure, type PictureWords, said, shortSize } from './picture.js';
import { type Pixels } from './pixels.js';
import { type RunShape } from './runs.js';

export interface MapMarks {
  /** Rows of blocks that carry 1, 2, 3. */
  readonly numbered: readonly number[];
  /** Bytes of a block or hole that is pinned; undefined without one. */
  readonly pinned: MarkedBytes | undefined;
  readonly hovered: MarkedBytes | undefined;
  /** Rows of blocks that a search found. */
  readonly found: readonly number[];
  /** A failed request, on the largest hole. */
  readonly request: FailedRequest | undefined;
}

export interface MarkedBytes {
  readonly range: number;
  readonly address: number;
  readonly size: number;
}

export interface FailedRequest {
  readonly size: number;
  readonly hole: Hole | undefined;
}

export interface MarkedPicture {
  readonly run: MemoryRun;
  readonly moment: Moment;
  readonly geometry: MapGeometry;
  readonly palette: PixelPalette;
  readonly words: PictureWords;
  readonly marks: MapMarks;
}

/** Thinnest outline that can be seen as one. */
const THINNEST_PIN = 5;
const MOST_FOUND = 2000;
/** Names and letters of blocks are written in this weight: the map has them elsewhere too, and they may give way. */
const NAME_WEIGHT = 500;

export class MapMarksPainter {
  #labels: Label[] = [];
  readonly #pins: { x: number; y: number; width: number; block: number }[] = [];
  readonly #line: number;

  constructor(
    private readonly picture: MarkedPicture,
    private readonly pixels: Pixels,
    private readonly numbers: ReadonlyMap<number, number>,
    private readonly measure: Measure,
  ) {
    this.#line = Math.max(1, Math.round(picture.geometry.frame.scale));
  }

  /** A run of blocks that holds its segment. Neighbours in one row are one pin, but for those with a number. */
  addPin(shape: RunShape, y: number): void {
    const block = this.picture.moment.rows[shape.first] ?? -1;
    const isNumbered = this.numbers.has(block);
    const last = this.#pins.at(-1);
    const touches = last !== undefined && last.y === y && last.x + last.width === shape.x;
    if (touches && !isNumbered && !this.numbers.has(last.block)) last.width += shape.width;
    else this.#pins.push({ x: shape.x, y, width: shape.width, block });
  }

  /** Whether the failed request is drawn on the hole at an address. */
  isRequested(address: number): boolean {
    return this.picture.marks.request?.hole?.address === address;
  }

  /** Paints the marks; `labels` are the words on the picture so far, and come back with those of the marks. */
  paint(labels: readonly Label[]): Label[] {
    const { palette, geometry, marks } = this.picture;
    this.#labels = [...labels];
    const height = geometry.rowHeight;
    for (const { x, y, width } of this.#pins) {
      this.pixels.frame(x, y, Math.max(THINNEST_PIN * this.#line, width), height, 2 * this.#line, palette.pin);
    }
    marks.numbered.forEach((block, index) => this.#paintNumber(block, index + 1));
    for (const block of marks.found.slice(0, MOST_FOUND)) this.#outline(this.#bytesOf(block), palette.accent, 1);
    if (marks.request !== undefined) this.#paintRequest(marks.request);
    if (marks.hovered !== undefined) this.#outline(marks.hovered, palette.accent, 1);
    if (marks.pinned !== undefined) this.#outline(marks.pinned, palette.accent, 2);
    return this.#labels;
  }

  #bytesOf(block: number): MarkedBytes {
    const { blocks } = this.picture.run;
    return { range: blocks.range[block]!, address: blocks.address[block]!, size: blocks.size[block]! };
  }

  #boxesOf({ range, address, size }: MarkedBytes): { x: number; y: number; width: number }[] {
    const { geometry, run } = this.picture;
    return geometry
      .spansOf(run, range, address, size)
      .filter(({ row }) => geometry.showsRow(row))
      .map(({ row, offset, size: bytes }) => {
        const x = Math.round(geometry.xOf(offset));
        return { x, y: geometry.yOf(row), width: Math.max(1, Math.round(geometry.xOf(offset + bytes)) - x) };
      });
  }

  #paintNumber(block: number, number: number): void {
    const { geometry, palette, run } = this.picture;
    const [box] = this.#boxesOf(this.#bytesOf(block));
    if (box === undefined) return;
    const width = Math.max(THINNEST_PIN * this.#line, box.width);
    this.pixels.frame(box.x, box.y, width, geometry.rowHeight, 2 * this.#line, palette.pin);
    if (geometry.rowHeight < FONT_PIXELS * geometry.frame.scale) return;
    const colour = palette.css.categories[run.blocks.category[block]!]?.ink ?? palette.css.text;
    const [x, y] = [box.x + width / 2, box.y + geometry.rowHeight / 2];
    this.#labels.push({ text: String(number), x, y, colour, weight: 600, align: 'middle' });
  }

  /** An outline around a block, with a rim of the ground so that it stands out on any fill. */
  #outline(bytes: MarkedBytes, colour: number, line: number): void {
    const { geometry, palette } = this.picture;
    const rim = line * this.#line;
    for (const { x, y, width } of this.#boxesOf(bytes)) {
      const [outer, height] = [rim + this.#line, geometry.rowHeight];
      this.pixels.frame(x - outer, y - outer, width + 2 * outer, height + 2 * outer, this.#line, palette.surface);
      this.pixels.frame(x - rim, y - rim, width + 2 * rim, height + 2 * rim, rim, colour);
    }
  }

  /** The request to scale on the largest hole, with what does not fit tinted. */
  #paintRequest({ size, hole }: FailedRequest): void {
    const { geometry, palette, moment, words } = this.picture;
    if (hole === undefined) return;
    const area = moment.areas[hole.area];
    if (area === undefined) return;
    const [box] = this.#boxesOf({ range: area.range, address: hole.address, size: hole.size });
    if (box === undefined) return;
    const scale = (geometry.frame.width - 1) / geometry.window.span;
    const width = Math.round(size * scale);
    const height = geometry.rowHeight;
    const dash = 4 * this.#line;
    this.pixels.tint(box.x + box.width, box.y, width - box.width, height, palette.badMark, 0.16);
    this.pixels.dashedFrame(box.x, box.y, width, height, 2 * this.#line, dash, palette.badMark);
    const text = said(words.needed, { size: shortSize(size), hole: shortSize(hole.size) });
    const textHeight = FONT_PIXELS * geometry.frame.scale;
    const isThin = height < textHeight + 6 * this.#line;
    const length = this.measure(text, 600);
    const inside = Math.max(0, box.x) + 12 * this.#line;
    const beside = textHeight / 2 + 4 * this.#line;
    const lines = [
      ...(isThin ? [] : [box.y + height / 2]),
      // Under the row, over it where the picture ends.
      ...[box.y + height + beside, box.y - beside].filter((y) => y >= beside && y + beside <= this.pixels.height),
    ];
    const right = Math.min(box.x + width, this.pixels.width - 4 * this.#line);
    this.#write(
      {
        text,
        x: isThin
          ? Math.max(length + 4 * this.#line, right)
          : Math.min(inside, Math.max(0, this.pixels.width - length)),
        y: lines[0] ?? box.y + height / 2,
        colour: palette.css.bad,
        weight: 600,
        align: isThin ? 'end' : 'start',
        plate: palette.css.surface,
      },
      lines,
    );
  }

  /** Puts the words of the request where they cover no size of a hole and no number; what else is under them goes. */
  #write(label: Label, lines: readonly number[]): void {
    const { scale } = this.picture.geometry.frame;
    const taken = this.#labels.filter(({ weight }) => weight !== NAME_WEIGHT);
    const own = placed(label, { lines, taken, width: this.pixels.width }, this.measure, scale);
    const box = boxOf(own, this.measure, scale);
    this.#labels = this.#labels.filter((other) => !covers(box, boxOf(other, this.measure, scale)));
    this.#labels.push(own);
  }
}
