/** The uPlot behind the chart: two lines with whiskers and direct labels. Loaded on its own, after the first paint. */
import uPlot from 'uplot';
import css from 'uplot/dist/uPlot.min.css?inline';
import { type BandwidthLines, type BandwidthPoint } from '../../../app/bandwidth-lines.js';
import { formatBytes, formatSignificant } from '../../../base/format.js';
import { type PlotTheme } from './plot-theme.js';
import { rangeX, rangeY, ticksX, ticksY } from './plot-scales.js';

/** Styles that uPlot's own elements need. */
export const plotStyles = css;

export type SeriesName = 'kernel' | 'copy';
export interface PlotData {
  readonly lines: BandwidthLines;
  /** Lines of an earlier run, drawn pale where the new ones are not there yet. */
  readonly earlier: BandwidthLines | undefined;
  readonly labels: Readonly<Record<SeriesName, string>>;
  readonly axisTitle: string;
}
/** The point under the pointer or the keys; its values stand in the labels' places. */
export interface PlotCursor {
  readonly workingSet: number;
  readonly series: SeriesName;
}

/** uPlot's code for it; its declaration is a `const enum`, which isolated modules cannot import. */
const LOGARITHMIC = 3;
const EARLIER_ALPHA = 0.4;
const DASH = [6, 3];
const NAMES = ['kernel', 'copy'] as const;
const CIRCLE = Math.PI * 2;

export class BandwidthPlot {
  #plot: uPlot;
  #data: PlotData;
  #cursor: PlotCursor | undefined;

  constructor(
    private readonly host: HTMLElement,
    private theme: PlotTheme,
    data: PlotData,
    private readonly onHover: (workingSet: number | undefined) => void,
  ) {
    this.#data = data;
    this.#plot = this.#create();
  }

  /** New points, and the same axes unless they have to grow. */
  setData(data: PlotData): void {
    this.#data = data;
    this.#plot.setData(columns(data));
  }

  setCursor(cursor: PlotCursor | undefined): void {
    this.#cursor = cursor;
    this.#plot.redraw(false);
  }

  /** Takes over new colours or a new root size. */
  setTheme(theme: PlotTheme): void {
    this.theme = theme;
    this.#plot.destroy();
    this.#plot = this.#create();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width > 0 && height > 0) this.#plot.setSize({ width, height });
  }

  /** Where the widest gap between the two lines is, from the top in CSS pixels; undefined with less than two lines. */
  gapCentre(): number | undefined {
    const { kernel, copy } = this.#data.lines;
    if (kernel.length === 0 || copy.length === 0) return undefined;
    const [below, above] = mean(kernel) < mean(copy) ? [kernel, copy] : [copy, kernel];
    const top = Math.min(...above.map((point) => point.low));
    const bottom = Math.max(...below.map((point) => point.high));
    return this.#plot.valToPos(Math.sqrt(top * bottom), 'y') + this.#plot.over.offsetTop;
  }

  destroy(): void {
    this.#plot.destroy();
  }

  #create(): uPlot {
    const { theme } = this;
    const { scale } = theme;
    const axis = {
      font: theme.font,
      stroke: theme.text,
      border: { show: true, stroke: theme.lineStrong, width: 1 },
    };
    return new uPlot(
      {
        width: Math.max(this.host.clientWidth, 1),
        height: Math.max(this.host.clientHeight, 1),
        padding: [28 * scale, 14 * scale, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        scales: {
          x: { time: false, distr: LOGARITHMIC, log: 2, range: (_, min, max) => rangeX(min, max) },
          y: { distr: LOGARITHMIC, log: 10, range: () => rangeY(...this.#whiskerEnds()) },
        },
        axes: [
          {
            ...axis,
            label: this.#data.axisTitle,
            labelFont: theme.font,
            labelSize: 18 * scale,
            size: 30 * scale,
            gap: 4 * scale,
            grid: { show: false },
            ticks: { show: true, stroke: theme.lineStrong, width: 1, size: 5 * scale },
            splits: (_, __, min, max) => ticksX(min, max),
            filter: (_, splits) => splits,
            values: (plot, splits) => labelsX(splits, plot.width / scale),
          },
          {
            ...axis,
            border: { show: false },
            size: 52 * scale,
            gap: 6 * scale,
            grid: { show: true, stroke: theme.line, width: 1 },
            ticks: { show: false },
            splits: (_, __, min, max) => ticksY(min, max),
            filter: (_, splits) => splits,
            values: (_, splits) => splits.map((value) => formatSignificant(value).replace(/\.0+$/, '')),
          },
        ],
        series: [
          {},
          ...[1, EARLIER_ALPHA].flatMap((alpha) =>
            theme.series.map((stroke, i) => ({
              stroke,
              alpha,
              width: 2 * scale,
              spanGaps: true,
              points: { show: false },
              ...(i === 1 ? { dash: DASH.map((length) => length * scale) } : {}),
            })),
          ),
        ],
        hooks: { draw: [() => this.#draw()], setCursor: [(plot) => this.#hover(plot)] },
      },
      columns(this.#data),
      this.host,
    );
  }

  /** The y range has to hold the whiskers, which uPlot does not know. */
  #whiskerEnds(): [number | null, number | null] {
    const { lines, earlier } = this.#data;
    const drawn = NAMES.flatMap((name) => (lines[name].length > 0 ? lines[name] : (earlier?.[name] ?? [])));
    if (drawn.length === 0) return [null, null];
    return [Math.min(...drawn.map((point) => point.low)), Math.max(...drawn.map((point) => point.high))];
  }

  #hover(plot: uPlot): void {
    const index = plot.cursor.idx;
    this.onHover(index === undefined || index === null ? undefined : plot.data[0][index]);
  }

  #draw(): void {
    const { ctx } = this.#plot;
    const { lines, earlier } = this.#data;
    ctx.save();
    ctx.setLineDash([]);
    ctx.font = this.theme.font.replace(/^[\d.]+/, (size) => String(Number(size) * devicePixelRatio));
    this.#drawUnit(ctx);
    this.#drawCursor(ctx);
    for (const [i, name] of NAMES.entries()) {
      const stale = lines[name].length === 0 ? (earlier?.[name] ?? []) : [];
      ctx.globalAlpha = stale.length > 0 ? EARLIER_ALPHA : 1;
      const points = stale.length > 0 ? stale : lines[name];
      ctx.strokeStyle = ctx.fillStyle = this.theme.series[i === 0 ? 0 : 1];
      this.#drawPoints(ctx, points, name);
      ctx.globalAlpha = 1;
      this.#drawLabel(ctx, points, name);
    }
    ctx.restore();
  }

  #drawUnit(ctx: CanvasRenderingContext2D): void {
    const { left, top } = this.#plot.bbox;
    ctx.fillStyle = this.theme.textQuiet;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'alphabetic';
    ctx.fillText('GB/s', left - this.#pixels(8), top - this.#pixels(14));
  }

  #drawCursor(ctx: CanvasRenderingContext2D): void {
    if (this.#cursor === undefined) return;
    const { top, height } = this.#plot.bbox;
    const x = Math.round(this.#plot.valToPos(this.#cursor.workingSet, 'x', true)) + 0.5;
    ctx.strokeStyle = this.theme.lineStrong;
    ctx.lineWidth = this.#pixels(1);
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
  }

  #drawPoints(ctx: CanvasRenderingContext2D, points: readonly BandwidthPoint[], name: SeriesName): void {
    for (const point of points) {
      const x = this.#plot.valToPos(point.workingSet, 'x', true);
      const y = (value: number) => this.#plot.valToPos(value, 'y', true);
      const isUnderCursor = this.#cursor?.series === name && this.#cursor.workingSet === point.workingSet;
      const radius = this.#pixels(isUnderCursor ? 5 : 3);
      ctx.lineWidth = this.#pixels(1);
      ctx.beginPath();
      ctx.moveTo(x, y(point.low));
      ctx.lineTo(x, y(point.high));
      ctx.stroke();
      ctx.beginPath();
      if (name === 'kernel') {
        ctx.arc(x, y(point.value), radius, 0, CIRCLE);
        ctx.fill();
        continue;
      }
      ctx.rect(x - radius, y(point.value) - radius, radius * 2, radius * 2);
      const ink = ctx.fillStyle;
      ctx.fillStyle = this.theme.surface;
      ctx.lineWidth = this.#pixels(1.75);
      ctx.fill();
      ctx.stroke();
      ctx.fillStyle = ink;
    }
  }

  /** The name stands on its line; while a point is looked at, its figure stands there too. */
  #drawLabel(ctx: CanvasRenderingContext2D, points: readonly BandwidthPoint[], name: SeriesName): void {
    const anchor = points[points.length > 2 ? 1 : 0];
    if (anchor === undefined) return;
    const { kernel, copy } = this.#data.lines;
    const isUpper = name === 'copy' ? mean(copy) >= mean(kernel) : mean(kernel) > mean(copy);
    const looked = points.find((point) => point.workingSet === this.#cursor?.workingSet);
    const label = this.#data.labels[name];
    const text = looked === undefined ? label : `${label} ${formatSignificant(looked.value)}`;
    const x = this.#plot.valToPos(anchor.workingSet, 'x', true) + this.#pixels(6);
    const y = this.#plot.valToPos(anchor.value, 'y', true) + this.#pixels(isUpper ? -10 : 20);
    const pad = this.#pixels(2);
    ctx.textAlign = 'left';
    const width = ctx.measureText(text).width;
    const ink = ctx.fillStyle;
    ctx.fillStyle = this.theme.surface;
    ctx.fillRect(x - pad, y - this.#pixels(12), width + 2 * pad, this.#pixels(16));
    ctx.fillStyle = ink;
    ctx.fillText(text, x, y);
  }

  #pixels(size: number): number {
    return size * this.theme.scale * devicePixelRatio;
  }
}

const mean = (points: readonly BandwidthPoint[]): number =>
  points.reduce((sum, point) => sum + Math.log(point.value), 0) / Math.max(points.length, 1);

/** uPlot's columns: one x for all, null where a line has no point there. */
function columns({ lines, earlier }: PlotData): uPlot.AlignedData {
  const all = NAMES.map((name) => lines[name]);
  const pale = NAMES.map((name) => (lines[name].length === 0 ? (earlier?.[name] ?? []) : []));
  const drawn = [...all, ...pale];
  const xs = [...new Set(drawn.flatMap((points) => points.map((point) => point.workingSet)))].sort((a, b) => a - b);
  const ys = drawn.map((points) => {
    const byX = new Map(points.map((point) => [point.workingSet, point.value]));
    return xs.map((x) => byX.get(x) ?? null);
  });
  return [xs, ...ys];
}

/** A label at each second power of two, at each fourth where the plot is narrow. */
function labelsX(splits: readonly number[], width: number): string[] {
  const step = width < 460 || splits.length > 14 ? (width < 700 ? 4 : 2) : splits.length > 7 ? 2 : 1;
  return splits.map((value, i) => (i % step === 0 ? formatBytes(value) : ''));
}
