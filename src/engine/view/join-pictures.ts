/** The canvases of a view as one PNG: maps side by side, tracks under them. */
import { defined } from '../../base/errors.js';
import { type PictureCanvas } from './picture-canvas.js';

const MARGIN = 16;

/** Throws where there is nothing on any canvas. */
export async function joinPictures(
  maps: readonly (PictureCanvas | undefined)[],
  tracks: PictureCanvas | undefined,
  ground: string,
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
  if (below !== undefined) context.drawImage(below, MARGIN, aboveHeight + 2 * MARGIN);
  return canvas.convertToBlob({ type: 'image/png' });
}
