/**
 * A log-log chart over working sets, drawn as shapes: bands of tiers behind, grid, lines with markers and whiskers, names
 * on the lines. Colour is never the only difference: the first line is solid with dots, the second dashed with squares.
 *
 *     const shapes = drawLineChart(figure, { width: 800, height: 360, scale: 1 });
 */
import { formatBytes, formatSignificant } from '../../../base/format.js';
import { rangeX, rangeY, ticksX, ticksY } from './scales.js';
import { CHARACTER_WIDTH, type Frame, type Position, type Shape, wrapWords } from './shapes.js';
import { type SizedPoint } from './sized-point.js';

export interface FigureLine {
  /** Which of the two looks: 1 solid with dots, 2 dashed with squares. */
  readonly series: 1 | 2;
  readonly label: string;
  readonly points: readonly SizedPoint[];
  /** From an earlier run: drawn pale. */
  readonly earlier: boolean;
}

/** A named tier behind the lines. An end that is undefined reaches to the edge of the plot. */
export interface FigureBand {
  readonly name: string;
  readonly fromBytes: number | undefined;
  readonly toBytes: number | undefined;
  /** Plateau value and reach; the short one is for narrow bands. */
  readonly detail: string;
  readonly shortDetail: string;
}

export interface LineFigure {
  /** Unit of the y axis, written once at its top. */
  readonly unit: string;
  readonly xTitle: string;
  readonly lines: readonly FigureLine[];
  readonly bands: readonly FigureBand[];
  /** One sentence in the plot, '' for none: why no tier is named, or that there is nothing yet. */
  readonly note: string;
}

/** The point that is looked at: its line, and its place. */
export interface LineCursor {
  readonly series: 1 | 2;
  readonly workingSet: number;
}

const MARGIN = { left: 52, right: 16, top: 44, bottom: 40 };
const NOTE_CHARACTERS = 62;

interface Plot {
  readonly frame: Frame;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly x: (workingSet: number) => number;
  readonly y: (value: number) => number;
  readonly rangeX: readonly [number, number];
  readonly rangeY: readonly [number, number];
}

export function drawLineChart(figure: LineFigure, frame: Frame, cursor?: LineCursor): readonly Shape[] {
  const plot = plotOf(figure, frame);
  return [
    ...figure.bands.flatMap((band, i) => drawBand(plot, band, i)),
    ...drawAxes(plot, figure),
    ...drawCursor(plot, cursor),
    ...figure.lines.flatMap((line) => drawLine(plot, line, cursor)),
    ...figure.lines.map((line, i) => drawLabel(plot, line, figure.lines[1 - i], cursor)).flat(),
    ...drawNote(plot, figure),
  ];
}

/** The working set of the point nearest to a place in the drawing; undefined outside the plot or without points. */
export function workingSetAt(figure: LineFigure, frame: Frame, x: number): number | undefined {
  const plot = plotOf(figure, frame);
  if (x < plot.left - MARGIN.right || x > plot.left + plot.width + MARGIN.right) return undefined;
  const sets = figure.lines.flatMap((line) => line.points.map((point) => point.workingSet));
  const distance = (workingSet: number) => Math.abs(plot.x(workingSet) - x);
  return sets.reduce<number | undefined>(
    (best, set) => (best === undefined || distance(set) < distance(best) ? set : best),
    undefined,
  );
}

function plotOf(figure: LineFigure, frame: Frame): Plot {
  const { width, height, scale } = frame;
  const [left, top] = [MARGIN.left * scale, MARGIN.top * scale];
  const innerWidth = Math.max(1, width - left - MARGIN.right * scale);
  const innerHeight = Math.max(1, height - top - MARGIN.bottom * scale);
  const points = figure.lines.flatMap((line) => line.points);
  const smallest = (values: readonly number[]) => (values.length === 0 ? null : Math.min(...values));
  const largest = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values));
  const sets = points.map((point) => point.workingSet);
  const [x0, x1] = rangeX(smallest(sets), largest(sets));
  const [y0, y1] = rangeY(smallest(points.map((point) => point.low)), largest(points.map((point) => point.high)));
  const share = (value: number, from: number, to: number) => Math.log(value / from) / Math.log(to / from);
  return {
    frame,
    left,
    top,
    width: innerWidth,
    height: innerHeight,
    x: (workingSet) => left + share(workingSet, x0, x1) * innerWidth,
    y: (value) => top + (1 - share(value, y0, y1)) * innerHeight,
    rangeX: [x0, x1],
    rangeY: [y0, y1],
  };
}

function drawBand({ frame, left, top, width, height, x }: Plot, band: FigureBand, index: number): readonly Shape[] {
  const { scale } = frame;
  const clamp = (place: number) => Math.min(Math.max(place, left), left + width);
  const from = band.fromBytes === undefined ? left : clamp(x(band.fromBytes));
  const to = band.toBytes === undefined ? left + width : clamp(x(band.toBytes));
  const room = (to - from) / scale - 10;
  const fits = (text: string) => text.length * CHARACTER_WIDTH <= room;
  const head = top - 36 * scale;
  const detail = [band.detail, band.shortDetail].find(fits);
  const shapes: Shape[] = [];
  if (index % 2 === 0) {
    const look = 'band';
    shapes.push({ kind: 'box', look, at: [from, head], width: to - from, height: height + 36 * scale });
  }
  const at = (line: number): Position => [from + 8 * scale, head + line * 15 * scale];
  const name = [band.name, band.name.split(' ')[0] ?? ''].find(fits);
  if (name !== undefined) shapes.push({ kind: 'text', look: 'strong', at: at(1), anchor: 'start', text: name });
  if (detail !== undefined) shapes.push({ kind: 'text', look: 'quiet', at: at(2), anchor: 'start', text: detail });
  return shapes;
}

function drawAxes({ frame, left, top, width, height, x, y, rangeX: xs, rangeY: ys }: Plot, figure: LineFigure) {
  const { scale } = frame;
  const bottom = top + height;
  const shapes: Shape[] = [];
  const sharp = (place: number) => Math.round(place) + 0.5;
  for (const tick of ticksY(...ys)) {
    const level = sharp(y(tick));
    shapes.push({ kind: 'line', look: 'grid', from: [left, level], to: [left + width, level] });
    const text = formatSignificant(tick).replace(/\.0+$/, '');
    shapes.push({ kind: 'text', look: '', at: [left - 8 * scale, level + 4 * scale], anchor: 'end', text });
  }
  const unitAt: Position = [left - 8 * scale, top - 20 * scale];
  shapes.push({ kind: 'text', look: 'quiet', at: unitAt, anchor: 'end', text: figure.unit });
  const ticks = ticksX(...xs);
  const step = labelStep(ticks.length, width / scale);
  for (const [i, tick] of ticks.entries()) {
    const place = sharp(x(tick));
    const isLabelled = i % step === 0;
    const end = bottom + (isLabelled ? 5 : 3) * scale;
    shapes.push({ kind: 'line', look: 'axis', from: [place, bottom], to: [place, end] });
    if (!isLabelled) continue;
    const text = formatBytes(tick);
    const half = (text.length * CHARACTER_WIDTH * scale) / 2;
    const anchor = place + half > frame.width ? 'end' : 'middle';
    shapes.push({ kind: 'text', look: '', at: [place, bottom + 18 * scale], anchor, text });
  }
  shapes.push({ kind: 'line', look: 'axis', from: [left, sharp(bottom)], to: [left + width, sharp(bottom)] });
  const titleAt: Position = [left + width / 2, bottom + 34 * scale];
  shapes.push({ kind: 'text', look: 'quiet', at: titleAt, anchor: 'middle', text: figure.xTitle });
  return shapes;
}

/** A label at each, each second or each fourth power of two, so that they do not touch. */
function labelStep(ticks: number, width: number): number {
  const room = width / Math.max(ticks, 1);
  return [1, 2, 4].find((step) => room * step >= 66) ?? 8;
}

function drawCursor({ top, height, x }: Plot, cursor: LineCursor | undefined): readonly Shape[] {
  if (cursor === undefined) return [];
  const place = Math.round(x(cursor.workingSet)) + 0.5;
  return [{ kind: 'line', look: 'cursor', from: [place, top], to: [place, top + height] }];
}

function drawLine({ frame, x, y }: Plot, line: FigureLine, cursor: LineCursor | undefined): readonly Shape[] {
  const { scale } = frame;
  const look = `series-${line.series}${line.earlier ? ' earlier' : ''}`;
  const places = line.points.map((point): Position => [x(point.workingSet), y(point.value)]);
  const whiskers = line.points.map((point): Shape => {
    const place = x(point.workingSet);
    return { kind: 'line', look, from: [place, y(point.low)], to: [place, y(point.high)] };
  });
  const marks = line.points.map((point, i): Shape => {
    const [px, py] = places[i] ?? [0, 0];
    const isLooked = cursor?.series === line.series && cursor.workingSet === point.workingSet;
    const radius = (isLooked ? 5 : 3) * scale;
    if (line.series === 1) return { kind: 'dot', look, at: [px, py], radius };
    return { kind: 'box', look, at: [px - radius, py - radius], width: 2 * radius, height: 2 * radius };
  });
  return [...(places.length > 1 ? [{ kind: 'path', look, points: places } as const] : []), ...whiskers, ...marks];
}

/** The name stands on its line, on the side away from the other one; while a place is looked at, its figure too. */
function drawLabel(
  { frame, top, x, y }: Plot,
  line: FigureLine,
  other: FigureLine | undefined,
  cursor: LineCursor | undefined,
): readonly Shape[] {
  const anchor = line.points[line.points.length > 2 ? 1 : 0];
  if (anchor === undefined) return [];
  const isAbove = other === undefined || other.points.length === 0 || level(line) >= level(other);
  const hasRoom = y(anchor.value) - 24 * frame.scale > top;
  const looked = line.points.find((point) => point.workingSet === cursor?.workingSet);
  const text = looked === undefined ? line.label : `${line.label} ${formatSignificant(looked.value)}`;
  const at: Position = [
    x(anchor.workingSet) + 6 * frame.scale,
    y(anchor.value) + (isAbove && hasRoom ? -12 : 20) * frame.scale,
  ];
  const look = `plate series-${line.series}${line.earlier ? ' earlier' : ''}`;
  return [{ kind: 'text', look, at, anchor: 'start', text }];
}

const level = ({ points }: FigureLine): number =>
  points.reduce((sum, point) => sum + Math.log(point.value), 0) / Math.max(points.length, 1);

/** The sentence stands in the widest gap between the lines, or in the middle of an empty plot. */
function drawNote({ frame, left, top, width, height, y }: Plot, { lines, note }: LineFigure): readonly Shape[] {
  if (note === '') return [];
  const { scale } = frame;
  const rows = wrapWords(note, Math.min(NOTE_CHARACTERS, Math.floor(width / scale / CHARACTER_WIDTH)));
  const drawn = lines.filter((line) => line.points.length > 0);
  const centre = gapCentre(drawn, y) ?? top + height * (drawn.length === 0 ? 0.5 : 0.8);
  const first = centre - ((rows.length - 1) / 2) * 17 * scale + 4 * scale;
  const [place, anchor] =
    drawn.length === 0 ? [left + width / 2, 'middle' as const] : [left + width - 6, 'end' as const];
  return rows.map((text, i) => ({ kind: 'text', look: 'plate', at: [place, first + i * 17 * scale], anchor, text }));
}

function gapCentre(lines: readonly FigureLine[], y: (value: number) => number): number | undefined {
  const [a, b] = lines;
  if (a === undefined || b === undefined) return undefined;
  const [below, above] = level(a) < level(b) ? [a, b] : [b, a];
  const lowest = Math.min(...above.points.map((point) => point.low));
  const highest = Math.max(...below.points.map((point) => point.high));
  return lowest > highest ? (y(lowest) + y(highest)) / 2 : undefined;
}
