/** How parts of a report read in words: shared by every exporter, so that a figure looks the same everywhere. */
import { formatDuration, formatNumber, formatSignificant } from '../../base/format.js';
import { say } from '../../base/said.js';
import { ENGLISH_REPORT, type ReportLanguage } from './report-language.js';
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
  return names[0] ?? say`name not given by the browser`;
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
    say`${measured} measured, ${skipped} skipped, ${failed} failed`;
  const rows = words(countStatuses(results));
  return experiments.length === 0 ? rows : say`${rows}; experiments: ${words(countStatuses(experiments))}`;
}

/** What is told of an experiment, in this order. */
const TOLD: readonly (readonly [key: string, tell: (value: string) => string])[] = [
  ['variant', (value) => say`variant ${value}`],
  ['provoked', (value) => say`provoked ${value}`],
  ['observed', (value) => say`observed ${value}`],
  ['recovered', (value) => say`recovered ${value}`],
  ['predicted', (value) => say`predicted ${value}`],
  ['met', (value) => say`met ${value}`],
  ['outcome', (value) => say`outcome ${value}`],
  ['corruptWords', (value) => say`corruptWords ${value}`],
];

/**
 * What an experiment showed, in a few words: `provoked create-max, observed out-of-memory, recovered yes`. English without
 * a language.
 */
export function describeExperiment(
  experiment: Experiment,
  { words, list }: Pick<ReportLanguage, 'words' | 'list'> = ENGLISH_REPORT,
): string {
  if (experiment.status !== 'measured') return words(experiment.reason ?? say`no reason given`);
  const sentence = experiment['sentence'];
  if (typeof sentence === 'string') return words(sentence);
  const parts = TOLD.flatMap(([key, tell]) => {
    const value = experiment[key];
    return value === undefined || value === null ? [] : [tell(wordOf(value))];
  });
  return parts.length === 0 ? words(say`measured`) : list(parts.map(words));
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? say`yes` : say`no`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Facts about where the figures come from, as label and text. Software adapters are marked. */
export function environmentFacts(environment: Environment): readonly (readonly [string, string])[] {
  const { adapter, browser, clock } = environment;
  const name = adapterName(environment);
  const version = `${browser.name} ${browser.version}`;
  const [grid, empty] = [formatDuration(clock.gridNs), formatDuration(clock.emptySubmitNs)];
  return [
    [say`Adapter`, adapter.class === 'software' ? say`${name} (software adapter, no GPU)` : name],
    [say`Browser`, environment.headless ? say`${version}, headless` : say`${version}, headed`],
    [
      say`Clock`,
      clock.kind === 'timestamp-query'
        ? say`GPU timestamps, grid ${grid}, empty submit ${empty}`
        : say`wall clock, grid ${grid}, empty submit ${empty}`,
    ],
    [say`Platform`, environment.platform],
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
