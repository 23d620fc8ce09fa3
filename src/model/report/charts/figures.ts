/**
 * The charts of a run, ready to be drawn: which lines, which bands of tiers, and the sentence that says why there is no
 * band. The page hands in translated words; the HTML report uses the English ones here.
 */
import { formatBytes, formatSignificant } from '../../../base/format.js';
import { type Experiment, type Row } from '../schema.js';
import { bandwidthLines } from './bandwidth-lines.js';
import { latencyLine } from './latency-line.js';
import { type FigureBand, type FigureLine, type LineFigure } from './line-chart.js';
import { type NamedLine, type NamedTier, namedLine } from './named-tiers.js';
import { type SizedPoint } from './sized-point.js';

export interface FigureWords {
  readonly workingSet: string;
  readonly kernel: string;
  readonly chase: string;
  readonly runTiers: string;
  /** Why a flat kernel line names no tier. */
  readonly instructionBound: string;
  /** `9,790 GB/s to 4 MiB`. */
  readonly bandUpTo: (value: string, size: string) => string;
  /** `457 GB/s from 128 MiB`. */
  readonly bandFrom: (value: string, size: string) => string;
  /** A sentence of the models: a tier's name, why there are none. */
  readonly said: (english: string) => string;
}

export const ENGLISH_FIGURE_WORDS: FigureWords = {
  workingSet: 'working set',
  kernel: 'kernel',
  chase: 'pointer chase',
  runTiers: 'Run tiers to draw this.',
  instructionBound:
    'The kernel line is flat while the copy line has steps: each element costs more instructions than memory time.',
  bandUpTo: (value, size) => `${value} to ${size}`,
  bandFrom: (value, size) => `${value} from ${size}`,
  said: (english) => english,
};

export interface RunFigures {
  readonly rows: readonly Row[];
  readonly experiments: readonly Experiment[];
}

const NONE: RunFigures = { rows: [], experiments: [] };

/** Bandwidth by working set. Lines of `earlier` stand in, pale, where this run has none yet. */
export function bandwidthFigure(run: RunFigures, words: FigureWords, earlier: RunFigures = NONE): LineFigure {
  const lines = bandwidthLines(run.rows);
  const before = bandwidthLines(earlier.rows);
  const drawn = [
    lineOf(1, words.kernel, lines.kernel, before.kernel),
    lineOf(2, 'copyBufferToBuffer', lines.copy, before.copy),
  ];
  const kernel = namedLine(run.experiments, 'sweep');
  const hasTiers = kernel !== undefined && kernel.tiers.length > 0;
  const shown = hasTiers ? kernel : namedLine(run.experiments, 'copy-buffer');
  const note = lines.instructionBound ? words.instructionBound : words.said(kernel?.reason ?? '');
  return figureOf('GB/s', drawn, bandsOf(shown, 'GB/s', words), note, words);
}

/** Latency by working set. */
export function latencyFigure(run: RunFigures, words: FigureWords, earlier: RunFigures = NONE): LineFigure {
  const line = lineOf(1, words.chase, latencyLine(run.rows), latencyLine(earlier.rows));
  const named = namedLine(run.experiments, 'latency');
  return figureOf('ns', [line], bandsOf(named, 'ns', words), words.said(named?.reason ?? ''), words);
}

function lineOf(
  series: 1 | 2,
  label: string,
  points: readonly SizedPoint[],
  earlier: readonly SizedPoint[],
): FigureLine {
  const isEarlier = points.length === 0 && earlier.length > 0;
  return { series, label, points: isEarlier ? earlier : points, earlier: isEarlier };
}

function figureOf(
  unit: string,
  lines: readonly FigureLine[],
  bands: readonly FigureBand[],
  note: string,
  words: FigureWords,
): LineFigure {
  const drawn = lines.filter((line) => line.points.length > 0);
  if (drawn.length === 0) return { unit, xTitle: words.workingSet, lines: [], bands: [], note: words.runTiers };
  const isOld = drawn.every((line) => line.earlier);
  return { unit, xTitle: words.workingSet, lines: drawn, bands: isOld ? [] : bands, note: isOld ? '' : note };
}

/** Neighbouring tiers meet where the step is, midway between the end of one and the start of the next on log2. */
function bandsOf(line: NamedLine | undefined, unit: string, words: FigureWords): readonly FigureBand[] {
  if (line === undefined) return [];
  return line.tiers.map((tier, i) => {
    const value = `${formatSignificant(tier.value)} ${unit}`;
    return {
      name: words.said(tier.name),
      fromBytes: midpoint(line.tiers[i - 1], tier),
      toBytes: midpoint(tier, line.tiers[i + 1]),
      detail: detailOf(tier, i === line.tiers.length - 1, value, words),
      shortDetail: value,
    };
  });
}

function detailOf(tier: NamedTier, isLast: boolean, value: string, words: FigureWords): string {
  return isLast ? words.bandFrom(value, formatBytes(tier.fromBytes)) : words.bandUpTo(value, formatBytes(tier.toBytes));
}

const midpoint = (before: NamedTier | undefined, after: NamedTier | undefined): number | undefined =>
  before === undefined || after === undefined ? undefined : Math.sqrt(before.toBytes * after.fromBytes);
