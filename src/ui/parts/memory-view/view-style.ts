/** Colours and words of the pictures, read from the page: the thread that draws knows neither tokens nor languages. */
import { msg } from '@lit/localize';
import { type CategoryColours, type Palette, type PictureWords } from '../../../model/memory-map/paint/picture.js';
import { CATEGORY_NAMES } from '../../../model/trace/trace.js';
import { categoryLetter } from './view-words.js';

/** The tokens as they are now. `probe` is an element of the view without a look of its own. */
export function readPalette(probe: HTMLElement): Palette {
  const style = getComputedStyle(probe);
  const colour = (token: string): string => {
    probe.style.color = `var(${token})`;
    return style.color;
  };
  const category = (name: string): CategoryColours => ({
    fill: colour(`--category-${name}`),
    edge: colour(`--category-${name}-edge`),
    ink: colour(`--category-${name}-ink`),
  });
  const isForced = matchMedia('(forced-colors: active)').matches;
  const palette: Palette = {
    surface: colour('--color-surface'),
    surfaceLow: colour('--color-surface-low'),
    text: colour('--color-text'),
    text2: colour('--color-text-2'),
    text3: colour('--color-text-3'),
    ink: colour('--color-ink'),
    onInk: colour('--color-on-ink'),
    line: colour('--color-line'),
    accent: colour('--color-accent'),
    bad: colour('--color-bad'),
    badMark: colour('--color-bad-mark'),
    onBadMark: colour('--color-on-ink'),
    hatch: colour('--color-hatch'),
    free: colour('--color-free'),
    freeEdge: colour('--color-free-edge'),
    seriesFill: colour('--series-fill'),
    pin: isForced ? colour('--color-focus') : colour('--color-text'),
    categories: CATEGORY_NAMES.map(category),
  };
  probe.style.removeProperty('color');
  return palette;
}

/** The words on the pictures. Braces stand for what the painter puts in. */
export const pictureWords = (axis: string): PictureWords => ({
  free: msg('{size} free', { desc: 'memory map: on a hole; {size} is MiB and stays as it is' }),
  needed: msg('{size} needed, hole {hole}', {
    desc: 'memory map: on the request that failed; {size} and {hole} are MiB and stay as they are',
  }),
  reserved: msg('reserved', { desc: 'tracks: value at the playhead' }),
  allocated: msg('allocated', { desc: 'tracks: value at the playhead' }),
  largestHole: msg('largest hole', { desc: 'tracks: value at the playhead' }),
  outOfMemory: msg('OOM {size}', { desc: 'tracks: flag of a failure; {size} is MiB and stays as it is' }),
  stopped: msg('stopped', { desc: 'tracks: behind the failure at which a run stopped' }),
  axis,
  letters: CATEGORY_NAMES.map((_, category) => categoryLetter(category)),
});
