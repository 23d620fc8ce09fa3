/** The canvases of a view as one PNG: maps side by side, under them the tracks with the playhead and the values at it. */
import { defined } from '../../base/errors.js';
import { type PictureCanvas } from './picture-canvas.js';

const MARGIN = 16;

export interface TrackPictures {
  readonly tracks: PictureCanvas | undefined;
  /** They stand at the end of the tracks. */
  readonly ends: PictureCanvas | undefined;
  /** Pixels from the start of the tracks; undefined where they were never drawn. */
  readonly playhead: number | undefined;
}

export interface PictureColours {
  readonly ground: string;
  /** Of the playhead. */
  readonly ink: string;
}

/** Throws where there is nothing on any canvas. */
export async function joinPictures(
  maps: readonly (PictureCanvas | undefined)[],
  { tracks, ends, playhead }: TrackPictures,
  { ground, ink }: PictureColours,
): Promise<Blob> {
  const above = maps.flatMap((map) => (map === undefined ? [] : [map.canvas]));
  const aboveWidth = above.reduce((sum, { width }) => sum + width + MARGIN, -MARGIN);
  const aboveHeight = Math.max(0, ...above.map(({ height }) => height));
  const below = tracks?.canvas;
  const width = Math.max(1, aboveWidth, below?.width ?? 0) + 2 * MARGIN;
  const height = aboveHeight + (below === undefined ? 0 : MARGIN + below.height) + 2 * MARGIN;
  const canvas = new OffscreenCanvas(width, height);
  const context = defined(canvas.getContext('2d'), 'a 2d context');
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  let x = MARGIN;
  for (const map of above) {
    context.drawImage(map, x, MARGIN);
    x += map.width + MARGIN;
  }
  if (below === undefined) return canvas.convertToBlob({ type: 'image/png' });
  const top = aboveHeight + 2 * MARGIN;
  context.drawImage(below, MARGIN, top);
  const values = ends?.canvas;
  if (values !== undefined) context.drawImage(values, MARGIN + below.width - values.width, top);
  const end = below.width - (values?.width ?? 0);
  if (playhead !== undefined && playhead >= 0 && playhead <= end) {
    context.fillStyle = ink;
    context.fillRect(Math.round(MARGIN + playhead), top, 2, values?.height ?? below.height);
  }
  return canvas.convertToBlob({ type: 'image/png' });
}
