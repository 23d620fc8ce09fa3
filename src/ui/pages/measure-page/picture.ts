/** Charts as one PNG: the same drawings as on screen, under their titles, with the mark of a software adapter. */
import { drawBarChart } from '../../../model/report/charts/bar-chart.js';
import { drawLineChart } from '../../../model/report/charts/line-chart.js';
import { CHART_CSS, type Frame, type Shape, toSvg } from '../../../model/report/charts/shapes.js';
import { DARK_TOKENS, FONT_TOKENS, LIGHT_TOKENS } from '../../../model/report/html-style.js';
import { escapeXml } from '../../../model/report/xml.js';
import { type NamedFigure, type RunCharts } from './run-charts.js';

export interface PictureText {
  /** Adapter and time, under the title. */
  readonly source: string;
  /** The word of the software mark, '' for none. */
  readonly mark: string;
  readonly barsTitle: string;
}

const WIDTH = 1200;
const CHART_HEIGHT = 460;
const BAR_HEIGHT = 52;
const HEAD = 44;
const MARGIN = 24;
/** Pixels of the picture for one of the drawing: sharp on a projector. */
const DENSITY = 2;

interface Part {
  readonly title: string;
  readonly detail: string;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/** Rejects with a plain error where the browser cannot paint it: that is our bug. */
export async function pictureOf(
  charts: RunCharts,
  wanted: readonly string[],
  text: PictureText,
  theme: 'light' | 'dark',
): Promise<Blob> {
  const parts = [
    ...(wanted.includes('bandwidth') ? [linePart(charts.bandwidth)] : []),
    ...(wanted.includes('latency') ? [linePart(charts.latency)] : []),
    ...(wanted.includes('tiers') ? barParts(charts, text.barsTitle) : []),
  ];
  const height = parts.reduce((sum, part) => sum + part.height + HEAD, MARGIN * 2);
  const drawing = pictureSvg(parts, { width: WIDTH, height, scale: 1 }, text, theme);
  return paint(drawing, WIDTH * DENSITY, height * DENSITY);
}

const frameOf = (height: number): Frame => ({ width: WIDTH - 2 * MARGIN, height, scale: 1 });

const linePart = ({ figure, heading, detail }: NamedFigure): Part => ({
  title: heading,
  detail,
  height: CHART_HEIGHT,
  shapes: drawLineChart(figure, frameOf(CHART_HEIGHT)),
});

function barParts({ bars }: RunCharts, title: string): readonly Part[] {
  if (bars.length === 0) return [];
  const height = bars.length * BAR_HEIGHT + 36;
  return [{ title, detail: '', height, shapes: drawBarChart(bars, 'GB/s', frameOf(height)) }];
}

function pictureSvg(
  parts: readonly Part[],
  { width, height }: Frame,
  { source, mark }: PictureText,
  theme: 'light' | 'dark',
): string {
  let top = MARGIN;
  const body = parts.map(({ title, detail, height: own, shapes }) => {
    const label = [detail, mark, source].filter((part) => part !== '').join(' \u00b7 ');
    const head =
      `<text class="title" x="0" y="14">${escapeXml(title)}</text>` +
      `<text class="quiet" x="0" y="32">${escapeXml(label)}</text>`;
    const group = `<g transform="translate(${MARGIN} ${top})">${head}<g transform="translate(0 ${HEAD})">${toSvg(shapes)}</g></g>`;
    top += own + HEAD;
    return group;
  });
  const tokens = `${FONT_TOKENS};${theme === 'dark' ? DARK_TOKENS : LIGHT_TOKENS}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><style>:root{${tokens}}${CHART_CSS}</style><rect class="paper" width="${width}" height="${height}"/>${body.join('')}</svg>`;
}

async function paint(drawing: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
  } finally {
    URL.revokeObjectURL(url);
  }
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser gives no 2D canvas');
  context.drawImage(image, 0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/png' });
}
