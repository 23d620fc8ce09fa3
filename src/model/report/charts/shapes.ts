/**
 * A drawing as plain data: the page puts it on screen, the HTML report and the PNG write it as SVG text. Looks are class
 * names over the tokens of the page (`CHART_CSS`), so that one drawing follows every theme and root size.
 */
import { escapeXml } from '../xml.js';

export type Shape =
  | { readonly kind: 'line'; readonly look: string; readonly from: Position; readonly to: Position }
  | {
      readonly kind: 'box';
      readonly look: string;
      readonly at: Position;
      readonly width: number;
      readonly height: number;
    }
  | { readonly kind: 'dot'; readonly look: string; readonly at: Position; readonly radius: number }
  | { readonly kind: 'path'; readonly look: string; readonly points: readonly Position[] }
  | {
      readonly kind: 'text';
      readonly look: string;
      readonly at: Position;
      readonly anchor: Anchor;
      readonly text: string;
    };

/** x and y in the pixels of the drawing. */
export type Position = readonly [number, number];
export type Anchor = 'start' | 'middle' | 'end';

/** How large the drawing is and how many pixels a step of the design's 16-pixel root takes. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** Two digits are a hundredth of a pixel: finer ones only make files longer. */
const round = (value: number): number => Math.round(value * 100) / 100;

/** The `d` of a path through points. */
export const pathData = (points: readonly Position[]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');

/** The drawing as SVG elements, without the `svg` around them. Text is escaped. */
export const toSvg = (shapes: readonly Shape[]): string => shapes.map(elementOf).join('');

function elementOf(shape: Shape): string {
  const look = `class="${escapeXml(shape.look)}"`;
  switch (shape.kind) {
    case 'line':
      return `<line ${look} x1="${round(shape.from[0])}" y1="${round(shape.from[1])}" x2="${round(shape.to[0])}" y2="${round(shape.to[1])}"/>`;
    case 'box':
      return `<rect ${look} x="${round(shape.at[0])}" y="${round(shape.at[1])}" width="${round(shape.width)}" height="${round(shape.height)}"/>`;
    case 'dot':
      return `<circle ${look} cx="${round(shape.at[0])}" cy="${round(shape.at[1])}" r="${round(shape.radius)}"/>`;
    case 'path':
      return `<path ${look} d="${pathData(shape.points)}"/>`;
    case 'text':
      return `<text ${look} x="${round(shape.at[0])}" y="${round(shape.at[1])}" text-anchor="${shape.anchor}">${escapeXml(shape.text)}</text>`;
  }
}

/** Breaks a sentence into lines of at most `most` characters, between words. A longer word keeps a line of its own. */
export function wrapWords(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** About as wide as a character of the charts' text is, in pixels at scale 1: figures and small letters of 12 px. */
export const CHARACTER_WIDTH = 6.4;

/** The looks, in root sizes and in the tokens of the page; the HTML report and the PNG define the same tokens. */
export const CHART_CSS = `
.chart text{fill:var(--color-text-2);font:400 0.75rem/1 var(--font-sans);font-variant-numeric:tabular-nums}
.chart text.quiet{fill:var(--color-text-3)}
.chart text.strong{fill:var(--color-text);font-weight:600}
.chart text.title{fill:var(--color-text);font-weight:600;font-size:0.9375rem}
.chart text.plate{paint-order:stroke;stroke:var(--color-surface);stroke-width:0.375rem;stroke-linejoin:round}
.chart text.series-1{fill:var(--series-1);font-weight:500}
.chart text.series-2{fill:var(--series-2);font-weight:500}
.chart .band{fill:var(--color-surface-low)}
.chart .grid{stroke:var(--color-line);stroke-width:0.0625rem}
.chart .grid.dotted{stroke-dasharray:2 4;stroke:var(--color-line-strong)}
.chart .axis{stroke:var(--color-line-strong);stroke-width:0.0625rem}
.chart .cursor{stroke:var(--color-line-strong);stroke-width:0.0625rem}
.chart path{fill:none;stroke-width:0.125rem;stroke-linejoin:round}
.chart path.series-1,.chart line.series-1{stroke:var(--series-1)}
.chart path.series-2,.chart line.series-2{stroke:var(--series-2)}
.chart path.series-2{stroke-dasharray:6 3}
.chart line.series-1,.chart line.series-2{stroke-width:0.0625rem}
.chart circle.series-1,.chart rect.bar-1{fill:var(--series-1)}
.chart rect.bar-2{fill:var(--series-2)}
.chart rect.series-2{fill:var(--color-surface);stroke:var(--series-2);stroke-width:0.109rem}
.chart rect.derived{fill:none;stroke:var(--series-1);stroke-width:0.09375rem;stroke-dasharray:4 3}
.chart .whisker{stroke:var(--color-text);stroke-width:0.09375rem}
.chart .earlier{opacity:0.4}
.chart rect.paper{fill:var(--color-surface)}
`;
