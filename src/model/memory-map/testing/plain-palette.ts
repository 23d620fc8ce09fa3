/** Colours and words for pictures under test: every kind of shape has a colour of its own. */
import { pixelPalette } from '../paint/paint-palette.js';
import { type Measure, type Palette, type PictureWords } from '../paint/picture.js';

const css: Palette = {
  surface: '#ffffff',
  surfaceLow: '#f0f0f0',
  text: '#000001',
  text2: '#000002',
  text3: '#000003',
  ink: '#000004',
  onInk: '#000005',
  line: '#000006',
  accent: '#0000ff',
  bad: '#ff0001',
  badMark: '#ff0000',
  onBadMark: '#000007',
  hatch: '#808080',
  free: '#818181',
  freeEdge: '#828282',
  seriesFill: '#c0c0c0',
  pin: '#00ffff',
  categories: [1, 2, 3, 4, 5, 6, 7].map((number) => ({
    fill: `rgb(${number}, 200, 0)`,
    edge: `rgb(${number}, 100, 0)`,
    ink: `rgb(${number}, 50, 0)`,
  })),
};

export const PLAIN_PALETTE = pixelPalette(css);

export const PLAIN_WORDS: PictureWords = {
  free: '{size} free',
  needed: '{size} needed, hole {hole}',
  reserved: 'reserved',
  allocated: 'allocated',
  largestHole: 'largest hole',
  outOfMemory: 'OOM {size}',
  stopped: 'stopped',
  axis: 'operation',
  letters: ['?', 'P', 'G', 'O', 'A', 'T', 'C'],
};

/** As wide as DejaVu Sans, about the widest face that a system puts in: 0.6 of 12 pixels a letter. */
export const wideMeasure: Measure = (text) => 7.2 * text.length;
