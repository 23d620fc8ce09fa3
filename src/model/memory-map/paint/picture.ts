/** What a painter is told beside the data, and the words that it leaves to the canvas. */
import { formatBytes, formatNumber } from '../../../base/format.js';

export interface PictureFrame {
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels of one pixel of the design: the screen's ratio times the root size against 16. */
  readonly scale: number;
}

/** Colours as CSS writes them, resolved. */
export interface Palette {
  readonly surface: string;
  readonly surfaceLow: string;
  readonly text: string;
  readonly text2: string;
  readonly text3: string;
  readonly ink: string;
  readonly onInk: string;
  readonly line: string;
  readonly accent: string;
  readonly bad: string;
  readonly badMark: string;
  readonly onBadMark: string;
  readonly hatch: string;
  readonly free: string;
  readonly freeEdge: string;
  readonly seriesFill: string;
  /** Pins: the text colour, or the system's highlight. */
  readonly pin: string;
  /** By `CATEGORY`. */
  readonly categories: readonly CategoryColours[];
}

export interface CategoryColours {
  readonly fill: string;
  readonly edge: string;
  readonly ink: string;
}

/** Words of a picture, in the language of the page. `{size}` and its like are put in by the painter. */
export interface PictureWords {
  /** `{size} free`, on a hole. */
  readonly free: string;
  /** `{size} needed, hole {hole}`, on a request that failed. */
  readonly needed: string;
  readonly reserved: string;
  readonly allocated: string;
  readonly largestHole: string;
  /** `OOM {size}`. */
  readonly outOfMemory: string;
  readonly stopped: string;
  /** Under the axis: `step`, `operation` or `event`. */
  readonly axis: string;
  /** By `CATEGORY`: one letter each. */
  readonly letters: readonly string[];
}

export interface Label {
  readonly text: string;
  readonly x: number;
  /** The middle of the line. */
  readonly y: number;
  readonly colour: string;
  readonly weight: 400 | 500 | 600;
  readonly align: 'start' | 'middle' | 'end';
  /** A plate of this colour under it. */
  readonly plate?: string;
}

/** Width of a text in device pixels. */
export type Measure = (text: string, weight: Label['weight']) => number;

export const FONT_PIXELS = 12;

/** Puts values into a template. */
export const said = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole);

const MIB = 2 ** 20;

/** `99.5`, `102`: MiB with one decimal unless it is whole or large. */
export const shortMiB = (bytes: number): string => {
  const size = bytes / MIB;
  return formatNumber(size, size >= 100 || Number.isInteger(size) ? 0 : 1);
};

/** As `shortMiB`; what would be 0.0 has its own unit: a request of 4 KiB is none of nothing. */
export const shortSize = (bytes: number): string =>
  bytes > 0 && bytes < 0.05 * MIB ? formatBytes(bytes) : shortMiB(bytes);
