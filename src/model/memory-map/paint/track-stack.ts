/** The area of a track by category, from what lives long to what lives short; a place in the code can have a layer of its own. */
import { CATEGORY } from '../../trace/trace.js';
import { CATEGORY_COUNT } from '../memory-run.js';
import { type SiteLayer } from '../site-layer.js';
import { categoriesAt, operationsOf, type TrackColumnValues, type TrackLevels } from '../track-columns.js';
import { type PixelPalette } from './paint-palette.js';
import { type Pixels } from './pixels.js';
import { type TrackScale } from './track-scale.js';

/** From the bottom of the stack: what lives long first. */
const STACK: readonly number[] = [
  CATEGORY.unknown,
  CATEGORY.parameter,
  CATEGORY.optimizer,
  CATEGORY.gradient,
  CATEGORY.activation,
  CATEGORY.communication,
  CATEGORY.temporary,
];

export interface StackedTrack {
  readonly of: TrackLevels;
  readonly edges: Int32Array;
  readonly values: TrackColumnValues;
  readonly layer: SiteLayer | undefined;
  readonly scale: TrackScale;
  /** First row of the plot. */
  readonly top: number;
  readonly palette: PixelPalette;
}

interface LayerLook {
  readonly fill: number;
  readonly edge: number;
  /** Rows of the edge at its top. */
  readonly line: number;
}

/** Paints categories on top of each other as they are at the operation of a column that has most allocated. */
export function paintStack(track: StackedTrack, pixels: Pixels): void {
  const { values, scale, palette, top } = track;
  const { columns, reserved } = values;
  const looks = looksOf(track);
  const bounds = boundsOf(track, looks.length);
  const roofs = Int32Array.from({ length: columns }, (_, i) => scale.yOf(top, reserved[i]!));
  const { data, width } = pixels;
  const { mask, step } = pixels.hatchRow(columns);
  const layers = new Int8Array(columns).fill(looks.length - 1);
  for (let y = top, stop = top + scale.height; y < stop; y++) {
    const at = y * width + scale.left;
    const phase = (scale.left + y) % step;
    for (let column = 0; column < columns; column++) {
      let layer = layers[column]!;
      while (layer > 0 && y >= bounds[layer - 1]![column]!) layer--;
      layers[column] = layer;
      const bound = bounds[layer]![column]!;
      if (y >= bound) {
        const look = looks[layer]!;
        data[at + column] = y < bound + look.line ? look.edge : look.fill;
      } else if (y >= roofs[column]! && mask[phase + column] === 1) data[at + column] = palette.hatch;
    }
  }
}

/** Looks of the layers from the bottom: the layer of a place lies on its category, in its colour under a line of its own. */
function looksOf({ layer, palette, scale }: StackedTrack): LayerLook[] {
  return STACK.flatMap((category) => {
    const look = { fill: palette.fills[category]!, edge: palette.edges[category]!, line: 1 };
    return layer?.category === category ? [look, { ...look, edge: palette.accent, line: 3 * scale.line }] : [look];
  });
}

/** First rows of the layers, from the bottom of the stack up. */
function boundsOf({ of, edges, values, layer, scale, top }: StackedTrack, count: number): Int32Array[] {
  const { end, tracks } = of.run;
  const { columns } = values;
  const bounds = Array.from({ length: count }, () => new Int32Array(columns));
  for (let column = 0; column < columns; column++) {
    const { from, to } = operationsOf(edges, column, end);
    const operation = highestAt(tracks.allocated, from, to);
    const sums = categoriesAt(of.run, operation);
    const own = layer?.categoriesAt(operation) ?? NOTHING;
    let height = 0;
    let place = 0;
    const raise = (bytes: number): void => {
      height += bytes;
      bounds[place++]![column] = scale.yOf(top, height);
    };
    for (const category of STACK) {
      raise(sums[category]! - (own[category] ?? 0));
      if (layer?.category === category) raise(own.reduce((sum, bytes) => sum + bytes, 0));
    }
  }
  return bounds;
}

const NOTHING = new Float64Array(CATEGORY_COUNT);

/** Where a column is highest in [from, to). */
function highestAt(column: Float64Array, from: number, to: number): number {
  let best = from;
  for (let i = from; i < to; i++) if (column[i]! > column[best]!) best = i;
  return best;
}
