/** The values at the playhead, at the end of the tracks: a picture of its own, so that a move of the playhead draws no track. */
import { formatNumber } from '../../../base/format.js';
import { type ProgramAxis } from '../program-axis.js';
import { type SiteLayer } from '../site-layer.js';
import { type TrackLevels } from '../track-columns.js';
import { type PixelPalette } from './paint-palette.js';
import { type Label, type Measure, type PictureFrame, type PictureWords } from './picture.js';
import { type Pixels } from './pixels.js';
import { TRACK_MARGIN, TrackScale } from './track-scale.js';

export interface TrackEndsPicture {
  readonly axis: ProgramAxis;
  readonly levels: readonly TrackLevels[];
  readonly position: number;
  readonly mode: 'tracks' | 'origin';
  /** The frame of the tracks that they stand beside. */
  readonly frame: PictureFrame;
  readonly palette: PixelPalette;
  readonly words: PictureWords;
  /** By run: a place in the code with a layer of its own; undefined without one. */
  readonly layers: readonly (SiteLayer | undefined)[];
}

/** Values are listed one under the other, so far apart. */
const LINE = 13;
/** Pixels of the design that stay free under the values, for the words of the axis. */
export const UNDER_ENDS = TRACK_MARGIN.bottom - 4;

/** The frame of the values: from the end of the plots to the right edge of the tracks, without the axis. */
export function endsFrame(tracks: PictureFrame): PictureFrame {
  const { scale } = tracks;
  return {
    width: Math.round(TRACK_MARGIN.right * scale),
    height: Math.max(0, Math.round(tracks.height - UNDER_ENDS * scale)),
    scale,
  };
}

/** Paints the values of all runs; the words on them. They are those of the map. */
export function paintTrackEnds(picture: TrackEndsPicture, pixels: Pixels, measure: Measure): Label[] {
  const { axis, levels, position, palette, words, frame, mode, layers } = picture;
  const { text, text2, accent } = palette.css;
  const scale = new TrackScale(frame, levels);
  const [line, left] = [LINE * frame.scale, 8 * frame.scale];
  const labels: Label[] = [];
  pixels.clear(palette.surface);
  levels.forEach(({ run }, index) => {
    const operation = axis.operationAt(index, position);
    const at = (column: Float64Array): number => (operation < 0 ? 0 : column[operation]!);
    const layer = mode === 'origin' ? layers[index] : undefined;
    const values = [
      { value: at(run.tracks.reserved), name: words.reserved, colour: text },
      { value: at(run.tracks.allocated), name: words.allocated, colour: text2 },
      ...(mode === 'tracks' ? [{ value: at(run.tracks.largestHole), name: words.largestHole, colour: accent }] : []),
      ...(layer === undefined ? [] : [{ value: layer.bytesAt(operation), name: layer.shortName, colour: accent }]),
    ];
    const top = scale.topOf(index);
    const bottom = top + scale.height - 4 * frame.scale;
    let least = top + 4 * frame.scale;
    values.forEach(({ value, name, colour }, place) => {
      const below = (values.length - 1 - place) * line;
      const y = Math.min(Math.max(scale.yOf(top, value), least), Math.max(least, bottom - below));
      least = y + line;
      // The value is what is read: where a wide font leaves no room for both, its name goes.
      const figure = formatNumber(value / 2 ** 20, 1);
      const room = pixels.width - left - measure(figure, 400) - 4 * frame.scale;
      const word = { colour, weight: 400, y } as const;
      if (measure(name, 400) <= room) labels.push({ ...word, text: name, x: left, align: 'start' });
      labels.push({ ...word, text: figure, x: pixels.width, align: 'end' });
    });
  });
  return labels;
}
