/**
 * Paints the tracks: for each run allocated as an area, hatch up to the reserved line, the largest hole as a line, the
 * capacity dashed, and every failure; nothing after the failure at which a run stopped. `origin`: the area is stacked by
 * category instead, from what lives long to what lives short.
 */
import { formatNumber } from '../../../base/format.js';
import { CATEGORY } from '../../trace/trace.js';
import { CATEGORY_COUNT } from '../memory-run.js';
import { type ProgramAxis } from '../program-axis.js';
import { categoriesAt, type TrackColumnValues, type TrackLevels, type TrackWindow } from '../track-columns.js';
import { type PixelPalette } from './paint-palette.js';
import {
  FONT_PIXELS,
  type Label,
  type Measure,
  type PictureFrame,
  type PictureWords,
  said,
  shortMiB,
  shortSize,
} from './picture.js';
import { type Pixels } from './pixels.js';
import { axisTicks } from './track-axis.js';

export interface TrackPicture {
  readonly axis: ProgramAxis;
  readonly levels: readonly TrackLevels[];
  readonly window: TrackWindow;
  readonly position: number;
  readonly mode: 'tracks' | 'origin';
  readonly selection: TrackWindow | undefined;
  readonly frame: PictureFrame;
  readonly palette: PixelPalette;
  readonly words: PictureWords;
  /** A, B; none where there is one run. */
  readonly letters: readonly string[];
}

/** Room around the plots, in pixels of the design. */
export const TRACK_MARGIN = { left: 60, right: 148, top: 8, bottom: 22, between: 10 } as const;

/** From the bottom of the stack: what lives long first. */
const STACK = [
  CATEGORY.unknown,
  CATEGORY.parameter,
  CATEGORY.optimizer,
  CATEGORY.gradient,
  CATEGORY.activation,
  CATEGORY.communication,
  CATEGORY.temporary,
] as const;
const HEADROOM = 1.06;
/** A capacity so many times the peak is out of the picture, so that what was used can be seen. */
const FAR_OFF = 4;
/** Values at the end of a track are listed one under the other, so far apart. */
const LINE = 13;

/** Paints the whole picture; the words on it. */
export const paintTracks = (picture: TrackPicture, pixels: Pixels, measure: Measure): Label[] =>
  new TrackPainter(picture, pixels, measure).paint();

/** Pixels from the left edge of the picture to a position. */
export function trackX(frame: PictureFrame, window: TrackWindow, position: number): number {
  const left = TRACK_MARGIN.left * frame.scale;
  const width = plotWidth(frame);
  return left + ((position - window.from) / (window.to - window.from)) * width;
}

export const plotWidth = (frame: PictureFrame): number =>
  Math.max(1, Math.round(frame.width - (TRACK_MARGIN.left + TRACK_MARGIN.right) * frame.scale));

class TrackPainter {
  readonly #labels: Label[] = [];
  readonly #line: number;
  readonly #left: number;
  readonly #width: number;
  readonly #height: number;
  readonly #max: number;
  #top = 0;

  constructor(
    private readonly picture: TrackPicture,
    private readonly pixels: Pixels,
    private readonly measure: Measure,
  ) {
    const { frame, levels } = picture;
    const { top, bottom, between, left } = TRACK_MARGIN;
    this.#line = Math.max(1, Math.round(frame.scale));
    this.#left = Math.round(left * frame.scale);
    this.#width = plotWidth(frame);
    const room = frame.height - (top + bottom + between * (levels.length - 1)) * frame.scale;
    this.#height = Math.max(1, Math.floor(room / Math.max(1, levels.length)));
    const peak = Math.max(1, ...levels.map((each) => each.peak));
    const capacity = Math.max(0, ...levels.map(({ run }) => run.capacity ?? 0));
    this.#max = HEADROOM * (capacity <= FAR_OFF * peak ? Math.max(capacity, peak) : peak);
  }

  paint(): Label[] {
    const { levels, frame, palette } = this.picture;
    this.pixels.clear(palette.surface);
    levels.forEach((of, index) => {
      this.#top = Math.round((TRACK_MARGIN.top + index * TRACK_MARGIN.between) * frame.scale) + index * this.#height;
      this.#paintTrack(of, index);
    });
    this.#paintSelection();
    this.#paintAxis();
    this.#paintPlayhead();
    return this.#labels;
  }

  #y(bytes: number): number {
    return this.#top + this.#height - Math.round((bytes / this.#max) * this.#height);
  }

  #paintTrack(of: TrackLevels, index: number): void {
    const { axis, window, palette, mode } = this.picture;
    const edges = of.edges(axis, index, window, this.#width);
    const values = of.columns(edges);
    this.pixels.fill(this.#left, this.#top, values.columns, this.#height, palette.surfaceLow);
    if (mode === 'origin') this.#paintStack(of, edges, values);
    else this.#paintArea(values);
    this.#paintLine(values.reservedLeast, values.reserved, values.columns, palette.text);
    if (mode === 'tracks') this.#paintLine(values.holeLeast, values.hole, values.columns, palette.accent);
    this.#paintCapacity(of);
    this.#paintFailures(of, edges);
    this.#paintEnds(of, index);
  }

  /** Allocated as a plain area, hatch from there to the reserved line; row by row, as pixels lie in memory. */
  #paintArea({ allocated, reserved, columns }: TrackColumnValues): void {
    const { palette } = this.picture;
    const tops = Int32Array.from({ length: columns }, (_, i) => this.#y(allocated[i]!));
    const roofs = Int32Array.from({ length: columns }, (_, i) => this.#y(reserved[i]!));
    const { data, width } = this.pixels;
    const { mask, step } = this.pixels.hatchRow(columns);
    const { seriesFill, hatch } = palette;
    for (let y = this.#top, end = this.#top + this.#height; y < end; y++) {
      const at = y * width + this.#left;
      const phase = (this.#left + y) % step;
      for (let column = 0; column < columns; column++) {
        if (y >= tops[column]!) data[at + column] = seriesFill;
        else if (y >= roofs[column]! && mask[phase + column] === 1) data[at + column] = hatch;
      }
    }
  }

  /** Categories on top of each other as they are at the operation of a column that has most allocated. */
  #paintStack(of: TrackLevels, edges: Int32Array, { reserved, columns }: TrackColumnValues): void {
    const { palette } = this.picture;
    const { end, tracks } = of.run;
    const bounds = STACK.map(() => new Int32Array(columns));
    const roofs = Int32Array.from({ length: columns }, (_, i) => this.#y(reserved[i]!));
    for (let column = 0; column < columns; column++) {
      const from = Math.min(end - 1, edges[column]!);
      const operation = highestAt(tracks.allocated, from, Math.min(end, Math.max(from + 1, edges[column + 1]!)));
      const sums = categoriesAt(of.run, operation);
      let height = 0;
      for (let layer = 0; layer < CATEGORY_COUNT; layer++) {
        height += sums[STACK[layer]!]!;
        bounds[layer]![column] = this.#y(height);
      }
    }
    const { data, width } = this.pixels;
    const { mask, step } = this.pixels.hatchRow(columns);
    const layers = new Int8Array(columns).fill(CATEGORY_COUNT - 1);
    for (let y = this.#top, stop = this.#top + this.#height; y < stop; y++) {
      const at = y * width + this.#left;
      const phase = (this.#left + y) % step;
      for (let column = 0; column < columns; column++) {
        let layer = layers[column]!;
        while (layer > 0 && y >= bounds[layer - 1]![column]!) layer--;
        layers[column] = layer;
        if (y >= bounds[layer]![column]!) {
          const category = STACK[layer]!;
          const isEdge = y === bounds[layer]![column];
          data[at + column] = isEdge ? palette.edges[category]! : palette.fills[category]!;
        } else if (y >= roofs[column]! && mask[phase + column] === 1) data[at + column] = palette.hatch;
      }
    }
  }

  /** A line through all values of each column: from the smallest to the largest, and on to the column before. */
  #paintLine(least: Float64Array, most: Float64Array, columns: number, colour: number): void {
    const thick = Math.max(1, Math.round(1.5 * this.#line));
    let [before, beforeLow] = [NaN, NaN];
    for (let column = 0; column < columns; column++) {
      let high = this.#y(most[column]!);
      let low = this.#y(least[column]!);
      const [ownHigh, ownLow] = [high, low];
      if (before > low) low = before;
      if (beforeLow < high) high = beforeLow;
      this.pixels.fill(this.#left + column, high, 1, low - high + thick, colour);
      [before, beforeLow] = [ownHigh, ownLow];
    }
  }

  #paintCapacity({ run }: TrackLevels): void {
    const { palette } = this.picture;
    const { capacity } = run;
    if (capacity === undefined || capacity > this.#max) return;
    const y = this.#y(capacity);
    this.pixels.dashes(this.#left, y, this.#width, this.#line, 5 * this.#line, palette.text);
  }

  #paintFailures(of: TrackLevels, edges: Int32Array): void {
    const { palette, words } = this.picture;
    const { run } = of;
    const height = (FONT_PIXELS + 4) * this.picture.frame.scale;
    let taken = -Infinity;
    for (const { column, row } of of.failureColumns(edges)) {
      const x = this.#left + column;
      this.pixels.fill(x, this.#top, 2 * this.#line, this.#height, palette.badMark);
      if (x < taken) continue;
      const text = said(words.outOfMemory, { size: shortSize(run.failures.requested[row]!) });
      const length = this.measure(text, 600) + 12 * this.#line;
      // Before the mark where the words at the end of the track begin.
      const left = x + length > this.#left + this.#width ? x - length : x;
      if (left < taken) continue;
      this.pixels.fill(left, this.#top, Math.round(length), Math.round(height), palette.badMark);
      this.#labels.push({
        text,
        x: left + 6 * this.#line,
        y: this.#top + height / 2,
        colour: palette.css.onBadMark,
        weight: 600,
        align: 'start',
      });
      taken = x + length;
    }
    if (run.end >= run.operations) return;
    const stopped = edges.findIndex((edge) => edge >= run.end);
    if (stopped < 0 || stopped + this.measure(words.stopped, 400) > this.#width) return;
    this.#labels.push({
      text: words.stopped,
      x: this.#left + stopped + 8 * this.#line,
      y: this.#top + this.#height - 12 * this.#line,
      colour: palette.css.text3,
      weight: 400,
      align: 'start',
    });
  }

  /** The scale at the start, and at the end the values at the playhead, which are those of the map. */
  #paintEnds({ run }: TrackLevels, index: number): void {
    const { axis, position, palette, words, letters, frame, mode } = this.picture;
    const { text2, text3, text, accent } = palette.css;
    const scale = frame.scale;
    const start = this.#left - 8 * scale;
    const bottom = this.#top + this.#height - 4 * scale;
    const highest = Math.min(run.capacity ?? Infinity, this.#max / HEADROOM);
    const top = this.#y(highest);
    const mark = (label: Omit<Label, 'weight'> & { readonly weight?: Label['weight'] }): void => {
      this.#labels.push({ weight: 400, ...label });
    };
    const letter = letters[index];
    if (letter !== undefined) mark({ text: letter, x: 0, y: this.#top + 8 * scale, colour: text, align: 'start' });
    mark({ text: shortMiB(highest), x: start, y: top, colour: text3, align: 'end' });
    mark({ text: '0 MiB', x: start, y: bottom, colour: text3, align: 'end' });
    const operation = axis.operationAt(index, position);
    const at = (column: Float64Array): number => (operation < 0 ? 0 : column[operation]!);
    const values = [
      { value: at(run.tracks.reserved), name: words.reserved, colour: text },
      { value: at(run.tracks.allocated), name: words.allocated, colour: text2 },
      ...(mode === 'tracks' ? [{ value: at(run.tracks.largestHole), name: words.largestHole, colour: accent }] : []),
    ];
    const left = this.#left + this.#width + 8 * scale;
    let least = this.#top + 4 * scale;
    values.forEach(({ value, name, colour }, place) => {
      const below = (values.length - 1 - place) * LINE * scale;
      const y = Math.min(Math.max(this.#y(value), least), Math.max(least, bottom - below));
      least = y + LINE * scale;
      // The value is what is read: where a wide font leaves no room for both, its name goes.
      const figure = formatNumber(value / 2 ** 20, 1);
      const room = this.pixels.width - left - this.measure(figure, 400) - 4 * scale;
      if (this.measure(name, 400) <= room) mark({ text: name, x: left, y, colour, align: 'start' });
      mark({ text: figure, x: this.pixels.width, y, colour, align: 'end' });
    });
  }

  #paintSelection(): void {
    const { selection, frame, window, palette } = this.picture;
    if (selection === undefined) return;
    const from = Math.max(this.#left, Math.round(trackX(frame, window, selection.from)));
    const to = Math.min(this.#left + this.#width, Math.round(trackX(frame, window, selection.to)));
    const top = Math.round(TRACK_MARGIN.top * frame.scale);
    const height = this.#top + this.#height - top;
    this.pixels.tint(from, top, to - from, height, palette.accent, 0.14);
    for (const x of [from, to]) {
      if (x >= this.#left && x <= this.#left + this.#width)
        this.pixels.fill(x, top, this.#line, height, palette.accent);
    }
  }

  #paintAxis(): void {
    const { axis, window, frame, palette, words } = this.picture;
    const y = frame.height - (TRACK_MARGIN.bottom - 12) * frame.scale;
    const colour = palette.css.text3;
    const room = (text: string): number => this.measure(text, 400) + 16 * frame.scale;
    for (const { position, text } of axisTicks(axis, window, this.#width, room)) {
      const x = Math.round(trackX(frame, window, position));
      this.pixels.fill(x, this.#top + this.#height, this.#line, 4 * this.#line, palette.text3);
      this.#labels.push({ text, x, y, colour, weight: 400, align: 'middle' });
    }
    const fits = this.measure(words.axis, 400) + 12 * frame.scale <= this.#left;
    const x = fits ? this.#left - 12 * frame.scale : this.pixels.width;
    this.#labels.push({ text: words.axis, x, y, colour, weight: 400, align: 'end' });
  }

  #paintPlayhead(): void {
    const { position, frame, window, palette } = this.picture;
    const x = Math.round(trackX(frame, window, position));
    if (x < this.#left || x > this.#left + this.#width) return;
    const thick = Math.max(1, Math.round(1.5 * this.#line));
    this.pixels.fill(x, 0, thick, this.#top + this.#height, palette.text);
    for (let row = 0; row < 7 * this.#line; row++) {
      const half = Math.max(0, Math.min(5 * this.#line, 7 * this.#line - row));
      this.pixels.fill(x - half, row, 2 * half + thick, 1, palette.text);
    }
  }
}

/** Where a column is highest in [from, to). */
function highestAt(column: Float64Array, from: number, to: number): number {
  let best = from;
  for (let i = from; i < to; i++) if (column[i]! > column[best]!) best = i;
  return best;
}
