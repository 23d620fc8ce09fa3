/** The charts of the run on screen, derived once for each list of rows and not at every progress. */
import { msg, str } from '@lit/localize';
import { figureWords, tierBarWords } from '../../../app/chart-words.js';
import { languageTag } from '../../../app/locale.js';
import { type RunContent } from '../../../app/run-state.js';
import { type TierBar } from '../../../model/report/charts/bar-chart.js';
import { bandwidthLines } from '../../../model/report/charts/bandwidth-lines.js';
import { bandwidthFigure, latencyFigure, type RunFigures } from '../../../model/report/charts/figures.js';
import { type LineFigure } from '../../../model/report/charts/line-chart.js';
import { tierBars } from '../../../model/report/charts/tier-bars.js';

export interface NamedFigure {
  readonly figure: LineFigure;
  readonly heading: string;
  /** What is measured, and what the whisker is. */
  readonly detail: string;
}

export interface RunCharts {
  readonly bandwidth: NamedFigure;
  readonly latency: NamedFigure;
  readonly bars: readonly TierBar[];
}

const NO_RUN: RunFigures = { rows: [], experiments: [] };

export class ChartCache {
  #of: readonly unknown[] = [];
  #charts: RunCharts | undefined;

  /** The charts of a run, with the lines of an earlier one where it has none yet. */
  of(run: RunContent | undefined, earlier: RunContent | undefined): RunCharts {
    const key = [run?.rows, run?.experiments, earlier?.rows, languageTag()];
    if (this.#charts === undefined || key.some((part, i) => part !== this.#of[i])) {
      this.#of = key;
      this.#charts = chartsOf(run ?? NO_RUN, earlier ?? NO_RUN);
    }
    return this.#charts;
  }
}

function chartsOf(run: RunFigures, earlier: RunFigures): RunCharts {
  const bandwidth = bandwidthFigure(run, figureWords(), earlier);
  const latency = latencyFigure(run, figureWords(), earlier);
  return {
    bandwidth: {
      figure: bandwidth,
      heading: msg('Bandwidth by working set', { desc: 'title of the chart' }),
      detail: bandwidthDetail(run, bandwidth),
    },
    latency: {
      figure: latency,
      heading: msg('Latency by working set', { desc: 'title of the chart' }),
      detail: isOld(latency)
        ? fromEarlier()
        : msg('pointer chase, one thread', { desc: 'subtitle of the chart of latency' }),
    },
    bars: tierBars(run.rows, run.experiments, tierBarWords()),
  };
}

const isOld = ({ lines }: LineFigure): boolean => lines.length > 0 && lines.every((line) => line.earlier);
const fromEarlier = (): string =>
  msg('from an earlier run', { desc: 'subtitle of the chart: the lines are not of this run' });

function bandwidthDetail(run: RunFigures, figure: LineFigure): string {
  if (isOld(figure)) return fromEarlier();
  if (figure.lines.length === 0) return msg('decimal GB/s', { desc: 'subtitle of the chart' });
  const { instructionBound, kernelStem } = bandwidthLines(run.rows);
  if (instructionBound) {
    return msg('instruction bound: no tier can be named from the kernel line', { desc: 'subtitle of the chart' });
  }
  const hasRange = figure.lines.some(({ points }) => points.some(({ basis }) => basis === 'range'));
  const whisker = hasRange
    ? msg('whisker = range of samples', { desc: 'subtitle of the chart' })
    : msg('whisker = 95 % interval', { desc: 'subtitle of the chart' });
  const kernelName = kernelStem.split('/').slice(1).join(', ');
  if (kernelName === '') return msg(str`decimal GB/s, ${whisker}`, { desc: 'subtitle of the chart' });
  return msg(str`${kernelName}, decimal GB/s, ${whisker}`, { desc: 'subtitle of the chart: kernel, unit, whisker' });
}
