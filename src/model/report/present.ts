/** How parts of a report read in words: shared by every exporter, so that a figure looks the same everywhere. */
import { formatDuration, formatNumber, formatSignificant } from '../../base/format.js';
import type { Environment, Experiment, MeasuredRow, Report, Row } from './schema.js';

/** A figure with its unit: times in the unit that reads best, everything else in its own. */
export function formatValue(value: number, unit: string): string {
  return unit === 'ns' ? formatDuration(value) : `${formatSignificant(value)} ${unit}`;
}

/** The half-width of the 95 % interval against the value: `1.2 %`. */
export function formatSpread(row: MeasuredRow): string {
  const [low, high] = row.stats.ci95;
  return `${formatNumber(((high - low) / 2 / row.value) * 100, 1)} %`;
}

/** Vendor and model as far as the browser tells; it may mask all of it. */
export function adapterName({ adapter }: Environment): string {
  const names = [adapter.description, adapter.device, adapter.architecture, adapter.vendor].filter((n) => n !== '');
  return names[0] ?? 'name not given by the browser';
}

interface StatusCounts {
  readonly measured: number;
  readonly skipped: number;
  readonly failed: number;
}

/** How many of these ended in which way. */
function countStatuses(ended: readonly { readonly status: keyof StatusCounts }[]): StatusCounts {
  const counts = { measured: 0, skipped: 0, failed: 0 };
  for (const { status } of ended) counts[status] += 1;
  return counts;
}

/** `28 measured, 0 skipped, 0 failed`, and the same of the experiments where there are any. */
export function summarize({ results, experiments }: Pick<Report, 'results' | 'experiments'>): string {
  const words = ({ measured, skipped, failed }: StatusCounts) =>
    `${measured} measured, ${skipped} skipped, ${failed} failed`;
  const rows = words(countStatuses(results));
  return experiments.length === 0 ? rows : `${rows}; experiments: ${words(countStatuses(experiments))}`;
}

/** What an experiment showed, in a few words: `provoked create-max, observed out-of-memory, recovered yes`. */
export function describeExperiment(experiment: Experiment): string {
  if (experiment.status !== 'measured') return experiment.reason ?? 'no reason given';
  const sentence = experiment['sentence'];
  if (typeof sentence === 'string') return sentence;
  const shown = ['variant', 'provoked', 'observed', 'recovered', 'predicted', 'met', 'outcome', 'corruptWords'];
  const parts = shown.flatMap((key) => {
    const value = experiment[key];
    if (value === undefined || value === null) return [];
    const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : wordOf(value);
    return [`${key} ${text}`];
  });
  return parts.length === 0 ? 'measured' : parts.join(', ');
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Facts about where the figures come from, as label and text. Software adapters are marked. */
export function environmentFacts(environment: Environment): readonly (readonly [string, string])[] {
  const { adapter, browser, clock } = environment;
  const clockName = clock.kind === 'timestamp-query' ? 'GPU timestamps' : 'wall clock';
  return [
    ['Adapter', `${adapterName(environment)}${adapter.class === 'software' ? ' (software adapter, no GPU)' : ''}`],
    ['Browser', `${browser.name} ${browser.version}, ${environment.headless ? 'headless' : 'headed'}`],
    [
      'Clock',
      `${clockName}, grid ${formatDuration(clock.gridNs)}, empty submit ${formatDuration(clock.emptySubmitNs)}`,
    ],
    ['Platform', environment.platform],
  ];
}

/** Rows by suite, in the order of the report. */
export function bySuite(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.suite, [...(groups.get(row.suite) ?? []), row]);
  return groups;
}

/** Rows of cells as lines with aligned columns, indented by two spaces. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}
