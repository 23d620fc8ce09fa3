/** Several runs of one configuration as one report: a round a run, so that what differs between runs shows. */
import { mean, summarize } from '../../base/statistics.js';
import type { MeasuredRow, Report, Row } from './schema.js';

/**
 * The first report with the rows of all: samples side by side, a round a report. A row that is not measured in one of
 * them keeps that status and reason. Incomplete when one of them is. Experiments are told with the run they are of.
 */
export function mergeReports(reports: readonly [Report, ...Report[]]): Report {
  const [first] = reports;
  const ids = [...new Set(reports.flatMap(({ results }) => results.map(({ id }) => id)))];
  const unfinished = reports.find(({ complete }) => !complete);
  const environment = reports.find((report) => report.environment !== undefined)?.environment;
  return {
    ...first,
    complete: unfinished === undefined,
    ...(unfinished === undefined ? {} : { incompleteReason: unfinished.incompleteReason ?? 'no reason given' }),
    ...(environment === undefined ? {} : { environment }),
    results: ids.flatMap((id) => mergeRows(reports.flatMap(({ results }) => results.filter((row) => row.id === id)))),
    experiments: reports.flatMap(({ experiments }, run) => experiments.map((e) => ({ ...e, run: run + 1 }))),
  };
}

function mergeRows(rows: readonly Row[]): readonly Row[] {
  const measured = rows.flatMap((row) => (row.status === 'measured' ? [row] : []));
  const other = rows.find(({ status }) => status === 'failed') ?? rows.find(({ status }) => status === 'skipped');
  if (other !== undefined) return [other];
  const [first] = measured;
  return first === undefined ? [] : [mergeMeasured(first, measured)];
}

function mergeMeasured(first: MeasuredRow, rows: readonly MeasuredRow[]): MeasuredRow {
  const samples = rows.flatMap((row) => row.samples);
  const isMean = rows.some(({ flags }) => flags.includes('timer-limited'));
  const { n, median, mean: average, min, max, p99, cv, ci95 } = summarize(samples, isMean ? 'mean' : 'median');
  const reference = rows.flatMap((row) => row.reference ?? []);
  return {
    ...first,
    value: isMean ? mean(rows.map(({ value }) => value)) : median,
    samples,
    stats: { n, median, mean: average, min, max, p99, cv, ci95 },
    flags: [...new Set(rows.flatMap(({ flags }) => flags))],
    rounds: rows.map((row) => row.samples.length),
    ...(reference.length === 0 ? {} : { reference }),
  };
}
