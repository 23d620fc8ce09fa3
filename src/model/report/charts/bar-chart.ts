/**
 * Horizontal bars on a log axis, one a tier. A derived value is a dashed outline; a tier that was not resolved keeps its
 * line and says why. There is never a bar of length 0.
 */
import { formatSignificant } from '../../../base/format.js';
import { rangeY, ticksY } from './scales.js';
import { CHARACTER_WIDTH, type Frame, type Shape, wrapWords } from './shapes.js';

export type TierBar = {
  readonly name: string;
  /** How it was got: kernel or copy, and the size. */
  readonly detail: string;
} & (
  | {
      readonly kind: 'measured';
      readonly id: string;
      /** Decimal GB/s, as are the ends of the whisker. */
      readonly value: number;
      readonly low: number;
      readonly high: number;
      readonly basis: 'interval' | 'range';
      readonly derived: boolean;
      readonly source: 'kernel' | 'copy';
    }
  | { readonly kind: 'not-resolved'; readonly reason: string }
);

const MARGIN = { left: 112, right: 64, top: 8, bottom: 28 };
const NAME_CHARACTERS = 17;

export function drawBarChart(bars: readonly TierBar[], unit: string, frame: Frame): readonly Shape[] {
  const { width, height, scale } = frame;
  const [left, top] = [MARGIN.left * scale, MARGIN.top * scale];
  const innerWidth = Math.max(1, width - left - MARGIN.right * scale);
  const innerHeight = Math.max(1, height - top - MARGIN.bottom * scale);
  const ends = bars.flatMap((bar) => (bar.kind === 'measured' ? [bar.low, bar.high] : []));
  const [from, to] = ends.length === 0 ? rangeY(null, null) : decades(Math.min(...ends), Math.max(...ends));
  const x = (value: number) => left + (Math.log(value / from) / Math.log(to / from)) * innerWidth;
  const shapes: Shape[] = [];
  for (const tick of ticksY(from, to).filter((value) => Number.isInteger(Math.log10(value)))) {
    const place = Math.round(x(tick)) + 0.5;
    shapes.push({ kind: 'line', look: 'grid', from: [place, top], to: [place, top + innerHeight] });
    const text = tick >= 1000 ? `${tick / 1000}k` : String(tick);
    shapes.push({ kind: 'text', look: '', at: [place, height - 8 * scale], anchor: 'middle', text });
  }
  shapes.push({ kind: 'text', look: 'quiet', at: [width - 2, height - 8 * scale], anchor: 'end', text: unit });
  const room = innerHeight / Math.max(bars.length, 1);
  const thick = Math.min(22 * scale, room * 0.6);
  for (const [i, bar] of bars.entries()) {
    const centre = top + (i + 0.5) * room;
    shapes.push({ kind: 'text', look: 'strong', at: [0, centre - 2 * scale], anchor: 'start', text: bar.name });
    const detail =
      bar.detail.length > NAME_CHARACTERS ? `${bar.detail.slice(0, NAME_CHARACTERS - 1)}\u2026` : bar.detail;
    shapes.push({ kind: 'text', look: 'quiet', at: [0, centre + 13 * scale], anchor: 'start', text: detail });
    shapes.push(...drawBar(bar, { x, left, centre, thick, end: left + innerWidth, scale }));
  }
  return shapes;
}

interface Row {
  readonly x: (value: number) => number;
  readonly left: number;
  readonly end: number;
  readonly centre: number;
  readonly thick: number;
  readonly scale: number;
}

function drawBar(bar: TierBar, { x, left, end, centre, thick, scale }: Row): readonly Shape[] {
  if (bar.kind === 'not-resolved') {
    const most = Math.floor((end - left + MARGIN.right * scale - 8 * scale) / scale / CHARACTER_WIDTH);
    const lines = wrapWords(bar.reason, most).slice(0, 2);
    const first = centre + (lines.length === 1 ? 4 : -4) * scale;
    return [
      { kind: 'line', look: 'grid dotted', from: [left, centre], to: [end, centre] },
      ...lines.map((text, i): Shape => ({
        kind: 'text',
        look: 'plate',
        at: [left + 8 * scale, first + i * 15 * scale],
        anchor: 'start',
        text,
      })),
    ];
  }
  const look = bar.derived ? 'derived' : bar.source === 'copy' ? 'bar-2' : 'bar-1';
  return [
    { kind: 'box', look, at: [left, centre - thick / 2], width: Math.max(1, x(bar.value) - left), height: thick },
    { kind: 'line', look: 'whisker', from: [x(bar.low), centre], to: [x(bar.high), centre] },
    {
      kind: 'text',
      look: 'strong',
      at: [x(bar.high) + 8 * scale, centre + 4 * scale],
      anchor: 'start',
      text: formatSignificant(bar.value),
    },
  ];
}

/** Whole decades around the values, so that the shortest bar has a length too. */
function decades(low: number, high: number): [number, number] {
  const from = 10 ** Math.floor(Math.log10(low / 1.2));
  return [from, Math.max(high * 1.05, from * 10)];
}
