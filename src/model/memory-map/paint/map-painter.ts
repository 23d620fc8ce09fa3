/**
 * Paints a map: ruler, then for every segment free memory as hatch, runs of blocks, hole sizes and edge, then pins, the
 * request that failed, and what is looked at. Shapes go into pixels, words are returned for the canvas.
 */
import { type MemoryRun } from '../memory-run.js';
import { firstAfter, type MapGeometry, type Span } from '../map-geometry.js';
import { type Area, isPinned, type Moment } from '../moment.js';
import { MapMarksPainter, type MapMarks } from './map-marks.js';
import { type PixelPalette } from './paint-palette.js';
import { FONT_PIXELS, type Label, type Measure, type PictureWords, said, shortMiB } from './picture.js';
import { mixed, type Pixels } from './pixels.js';
import { RunScan, type RunShape } from './runs.js';

const MIB = 2 ** 20;
/** A single block over this has its name on it. */
const NAMED_OVER = 30 * MIB;
const INNER_BORDER = 0.55;
const RULER_PARTS = 4;

export interface MapPicture {
  readonly run: MemoryRun;
  readonly moment: Moment;
  readonly geometry: MapGeometry;
  readonly palette: PixelPalette;
  readonly words: PictureWords;
  readonly marks: MapMarks;
}

/** Paints the whole picture; the words on it. */
export const paintMap = (picture: MapPicture, pixels: Pixels, measure: Measure): Label[] =>
  new MapPainter(picture, pixels, measure).paint();

class MapPainter {
  readonly #labels: Label[] = [];
  readonly #line: number;
  readonly #text: number;
  readonly #hasText: boolean;
  readonly #numbers: ReadonlyMap<number, number>;
  #span: Span = { row: 0, offset: 0, address: 0, size: 0, isHead: true, isTail: true };
  #left = 0;
  #width = 0;
  #y = 0;

  constructor(
    private readonly picture: MapPicture,
    private readonly pixels: Pixels,
    private readonly measure: Measure,
  ) {
    const { geometry, marks } = picture;
    const { scale } = geometry.frame;
    this.#line = Math.max(1, Math.round(scale));
    this.#text = FONT_PIXELS * scale;
    this.#hasText = geometry.rowHeight >= this.#text + 2 * scale;
    this.#numbers = new Map(marks.numbered.map((block, index) => [block, index + 1]));
  }

  paint(): Label[] {
    const { run, moment, geometry, palette } = this.picture;
    this.pixels.clear(palette.surface);
    this.#paintRuler();
    const marks = new MapMarksPainter(this.picture, this.pixels, this.#numbers, this.measure);
    for (let index = 0; index < moment.areas.length; index++) {
      const area = moment.areas[index]!;
      const spans = geometry.spansOf(run, area.range, area.address, area.size);
      for (const span of spans) {
        if (geometry.showsRow(span.row) && this.#isAcross(span)) this.#paintSpan(area, span, marks);
      }
    }
    return marks.paint(this.#labels);
  }

  #isAcross({ offset, size }: Span): boolean {
    const { from, span } = this.picture.geometry.window;
    return offset < from + span && offset + size > from;
  }

  #paintRuler(): void {
    const { geometry, palette } = this.picture;
    const { window, layout, frame } = geometry;
    const step = rulerStep(window.span);
    const y = this.#text * 0.6;
    for (let at = Math.ceil(window.from / step) * step; at <= window.from + window.span; at += step) {
      if (at > layout.rowBytes) break;
      const x = Math.round(geometry.xOf(at));
      this.pixels.fill(x, geometry.top - 4 * this.#line, this.#line, frame.height, palette.line);
      const isLast = at + step > window.from + window.span || at + step > layout.rowBytes;
      const text = isLast ? `${shortMiB(at)} MiB` : shortMiB(at);
      const align = x < this.#text ? 'start' : x > frame.width - 2 * this.#text ? 'end' : 'middle';
      this.#labels.push({ text, x, y, colour: palette.css.text3, weight: 400, align });
    }
  }

  #paintSpan(area: Area, span: Span, marks: MapMarksPainter): void {
    const { run, moment, geometry, palette } = this.picture;
    this.#span = span;
    this.#y = geometry.yOf(span.row);
    this.#left = Math.round(geometry.xOf(span.offset));
    const right = Math.round(geometry.xOf(span.offset + span.size));
    this.#width = Math.max(3 * this.#line, right - this.#left);
    this.pixels.hatch(this.#left, this.#y, this.#width, geometry.rowHeight, palette.hatch, palette.free);
    const { first, end } = blocksOf(run, moment, area, span);
    const isPin = isPinned(area);
    const xOf = (address: number): number => this.#x(address);
    const scan = new RunScan(run.blocks, moment.rows, xOf, this.#numbers, (shape) => {
      this.#paintRun(shape);
      if (isPin) marks.addPin(shape, this.#y);
    });
    scan.scan(first, end, span.address, span.address + span.size);
    if (this.#hasText) this.#nameHoles(first, end, marks);
    this.#paintEdge();
  }

  /** Pixel of an address of the span; the span is at least as wide as it is drawn. */
  #x(address: number): number {
    const share = (address - this.#span.address) / this.#span.size;
    return this.#left + Math.min(1, Math.max(0, share)) * this.#width;
  }

  #paintRun(shape: RunShape): void {
    const { run, moment, geometry, palette } = this.picture;
    const { x, width, category } = shape;
    if (x >= this.pixels.width || x + width <= 0) return;
    const height = geometry.rowHeight;
    const [fill, edge] = [palette.fills[category]!, palette.edges[category]!];
    this.pixels.fill(x, this.#y, width, height, fill);
    if (shape.isGathered || width <= 2 * this.#line) {
      this.pixels.fill(x, this.#y, width, this.#line, edge);
      this.pixels.fill(x, this.#y + height - this.#line, width, this.#line, edge);
      return;
    }
    this.pixels.frame(x, this.#y, width, height, this.#line, edge);
    const border = mixed(edge, fill, INNER_BORDER);
    let lastX = x;
    for (let i = shape.first + 1; i <= shape.last; i++) {
      const at = Math.round(this.#x(run.blocks.address[moment.rows[i]!]!));
      if (at - lastX < 4 * this.#line || x + width - at < 2 * this.#line) continue;
      this.pixels.fill(at, this.#y + this.#line, this.#line, height - 2 * this.#line, border);
      lastX = at;
    }
    if (this.#hasText) this.#nameRun(shape);
  }

  #nameRun({ x, width, category, first, last }: RunShape): void {
    const { run, moment, geometry, palette, words } = this.picture;
    const left = Math.max(0, x);
    const shown = Math.min(this.pixels.width, x + width) - left;
    const row = moment.rows[first]!;
    if (this.#numbers.has(row)) return;
    const colour = palette.css.categories[category]?.ink ?? palette.css.text;
    const y = this.#y + geometry.rowHeight / 2;
    const size = run.blocks.size[row]!;
    const space = 4 * this.#line;
    if (first === last && size > NAMED_OVER) {
      const name = run.names[run.blocks.name[row]!];
      const text = name === undefined ? `${shortMiB(size)} MiB` : `${shortName(name)} ${shortMiB(size)} MiB`;
      if (this.measure(text, 500) + 2 * space <= shown) {
        this.#labels.push({ text, x: left + space, y, colour, weight: 500, align: 'start' });
        return;
      }
    }
    const letter = words.letters[category] ?? '';
    if (this.measure(letter, 500) + 2 * space > shown) return;
    this.#labels.push({ text: letter, x: left + shown / 2, y, colour, weight: 500, align: 'middle' });
  }

  /** Sizes of the holes that are wide enough, on a plate. */
  #nameHoles(first: number, end: number, marks: MapMarksPainter): void {
    const { run, moment, geometry, palette, words } = this.picture;
    const { blocks } = run;
    const stop = this.#span.address + this.#span.size;
    let at = this.#span.address;
    for (let i = first; i <= end; i++) {
      const row = i < end ? moment.rows[i]! : -1;
      const to = row === -1 ? stop : Math.max(at, blocks.address[row]!);
      const left = Math.max(0, this.#x(at));
      const shown = Math.min(this.pixels.width, this.#x(to)) - left;
      if (shown > 3 * this.#text && !marks.isRequested(at)) {
        const text = said(words.free, { size: shortMiB(to - at) });
        const width = this.measure(text, 400);
        if (width + 22 * this.#line <= shown) {
          this.#labels.push({
            text,
            x: left + 10 * this.#line,
            y: this.#y + geometry.rowHeight / 2,
            colour: palette.css.text2,
            weight: 400,
            align: 'start',
            plate: palette.css.surface,
          });
        }
      }
      if (row !== -1) at = blocks.address[row]! + blocks.size[row]!;
    }
  }

  /** The edge of the segment, open where it goes on in another row. */
  #paintEdge(): void {
    const { geometry, palette } = this.picture;
    const height = geometry.rowHeight;
    this.pixels.fill(this.#left, this.#y, this.#width, this.#line, palette.freeEdge);
    this.pixels.fill(this.#left, this.#y + height - this.#line, this.#width, this.#line, palette.freeEdge);
    if (this.#span.isHead) this.pixels.fill(this.#left, this.#y, this.#line, height, palette.freeEdge);
    if (!this.#span.isTail) return;
    this.pixels.fill(this.#left + this.#width - this.#line, this.#y, this.#line, height, palette.freeEdge);
  }
}

/** Places in the moment's rows of the blocks that reach into a span. */
export function blocksOf(
  { blocks }: MemoryRun,
  { rows }: Moment,
  area: Area,
  span: Span,
): { readonly first: number; readonly end: number } {
  let first = firstAfter(blocks.address, rows, area, span.address);
  if (first > area.first) {
    const before = rows[first - 1]!;
    if (blocks.address[before]! + blocks.size[before]! > span.address) first--;
  }
  return { first, end: firstAfter(blocks.address, rows, area, span.address + span.size - 1) };
}

/** A name without what it was computed from: `bank` of `bank = cat(bank, x), step 3`. */
const shortName = (name: string): string => name.replace(/ = .*$/, '').replace(/ \(.*/, '');

function rulerStep(span: number): number {
  const step = 2 ** Math.floor(Math.log2(span / RULER_PARTS));
  return span / step > 2 * RULER_PARTS ? 2 * step : step;
}
