/**
 * Paints the tracks: for each run allocated as an area, hatch up to the reserved line, the largest hole as a line, the
 * capacity dashed, and every failure; nothing after the failure at which a run stopped. `origin`: the area is stacked by
 * category instead (`track-stack.ts`). The playhead and the values at it lie over the picture (`track-ends.ts`).
 */
import { type ProgramAxis } from '../program-axis.js';
import { type SiteLayer } from '../site-layer.js';
import { type TrackColumnValues, type TrackLevels, type TrackWindow } from '../track-columns.js';
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
import { TRACK_MARGIN, TrackScale, trackX } from './track-scale.js';
import { paintStack } from './track-stack.js';

export interface TrackPicture {
  readonly axis: ProgramAxis;
  readonly levels: readonly TrackLevels[];
  readonly window: TrackWindow;
  readonly mode: 'tracks' | 'origin';
  readonly selection: TrackWindow | undefined;
  readonly frame: PictureFrame;
  readonly palette: PixelPalette;
  readonly words: PictureWords;
  /** A, B; none where there is one run. */
  readonly letters: readonly string[];
  /** By run: a place in the code with a layer of its own in `origin`; undefined without one. */
  readonly layers: readonly (SiteLayer | undefined)[];
}

/** Paints the whole picture; the words on it. */
export const paintTracks = (picture: TrackPicture, pixels: Pixels, measure: Measure): Label[] =>
  new TrackPainter(picture, pixels, measure).paint();

class TrackPainter {
  readonly #labels: Label[] = [];
  readonly #scale: TrackScale;
  readonly #line: number;
  readonly #left: number;
  readonly #width: number;
  readonly #height: number;
  #top = 0;

  constructor(
    private readonly picture: TrackPicture,
    private readonly pixels: Pixels,
    private readonly measure: Measure,
  ) {
    this.#scale = new TrackScale(picture.frame, picture.levels);
    const { line, left, width, height } = this.#scale;
    [this.#line, this.#left, this.#width, this.#height] = [line, left, width, height];
  }

  paint(): Label[] {
    const { levels, palette } = this.picture;
    this.pixels.clear(palette.surface);
    levels.forEach((of, index) => {
      this.#top = this.#scale.topOf(index);
      this.#paintTrack(of, index);
    });
    this.#paintSelection();
    this.#paintAxis();
    return this.#labels;
  }

  #y(bytes: number): number {
    return this.#scale.yOf(this.#top, bytes);
  }

  #paintTrack(of: TrackLevels, index: number): void {
    const { axis, window, palette, mode, layers } = this.picture;
    const edges = of.edges(axis, index, window, this.#width);
    const values = of.columns(edges);
    this.pixels.fill(this.#left, this.#top, values.columns, this.#height, palette.surfaceLow);
    const layer = layers[index];
    if (mode === 'origin') {
      paintStack({ of, edges, values, layer, scale: this.#scale, top: this.#top, palette }, this.pixels);
    } else this.#paintArea(values);
    this.#paintLine(values.reservedLeast, values.reserved, values.columns, palette.text);
    if (mode === 'tracks') this.#paintLine(values.holeLeast, values.hole, values.columns, palette.accent);
    this.#paintCapacity(of);
    this.#paintFailures(of, edges);
    this.#paintStart(of, index);
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
    if (capacity === undefined || capacity > this.#scale.most) return;
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

  /** The letter of the run and the scale. */
  #paintStart({ run }: TrackLevels, index: number): void {
    const { palette, letters, frame } = this.picture;
    const { text3: colour, text: strong } = palette.css;
    const x = this.#left - 8 * frame.scale;
    const highest = this.#scale.highestOf(run.capacity);
    const zero = this.#top + this.#height - 4 * frame.scale;
    const letter = letters[index];
    if (letter !== undefined) {
      const y = this.#top + 8 * frame.scale;
      this.#labels.push({ text: letter, x: 0, y, colour: strong, weight: 400, align: 'start' });
    }
    this.#labels.push(
      { text: shortMiB(highest), x, y: this.#y(highest), colour, weight: 400, align: 'end' },
      { text: '0 MiB', x, y: zero, colour, weight: 400, align: 'end' },
    );
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
}
