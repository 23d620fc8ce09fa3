/** A palette as pixels. */
import { CATEGORY_COUNT } from '../memory-run.js';
import { type Colour, pixelOf } from './pixels.js';
import { type Palette } from './picture.js';

export interface PixelPalette {
  readonly css: Palette;
  readonly surface: Colour;
  readonly surfaceLow: Colour;
  readonly text: Colour;
  readonly text3: Colour;
  readonly line: Colour;
  readonly accent: Colour;
  readonly badMark: Colour;
  readonly hatch: Colour;
  readonly free: Colour;
  readonly freeEdge: Colour;
  readonly seriesFill: Colour;
  readonly pin: Colour;
  readonly fills: Uint32Array;
  readonly edges: Uint32Array;
}

export const pixelPalette = (css: Palette): PixelPalette => ({
  css,
  surface: pixelOf(css.surface),
  surfaceLow: pixelOf(css.surfaceLow),
  text: pixelOf(css.text),
  text3: pixelOf(css.text3),
  line: pixelOf(css.line),
  accent: pixelOf(css.accent),
  badMark: pixelOf(css.badMark),
  hatch: pixelOf(css.hatch),
  free: pixelOf(css.free),
  freeEdge: pixelOf(css.freeEdge),
  seriesFill: pixelOf(css.seriesFill),
  pin: pixelOf(css.pin),
  fills: Uint32Array.from({ length: CATEGORY_COUNT }, (_, i) => pixelOf(css.categories[i]?.fill ?? '')),
  edges: Uint32Array.from({ length: CATEGORY_COUNT }, (_, i) => pixelOf(css.categories[i]?.edge ?? '')),
});
