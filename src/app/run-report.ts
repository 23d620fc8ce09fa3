/** The report of a run in the page: the same builder and schema as the command line's. */
import * as v from 'valibot';
import { name, version } from '../../package.json';
import { type Ending, ReportBuilder } from '../model/report/build.js';
import { type Report, reportSchema } from '../model/report/schema.js';
import { type RunRecord, type RunState } from './run-state.js';
import { DEFAULT_PREFERENCES } from './remembered.js';
import { HOME, writeHash } from './url-state.js';

export type StartedRun = Exclude<RunState, { readonly phase: 'idle' }>;

/** The report of what is in so far. Checked against the schema: a report that breaks it is our bug and throws. */
export function reportOf(run: StartedRun): Report {
  if (run.phase === 'opened') return run.report;
  const { record } = run;
  const builder = new ReportBuilder({
    tool: { name, version },
    createdAt: record.createdAt,
    argv: ['page', linkTo(record)],
    seed: record.request.seed,
    preset: record.request.preset,
  });
  if (record.environment !== undefined) builder.setEnvironment(record.environment);
  for (const row of record.rows) builder.addRow(row);
  for (const experiment of record.experiments) builder.addExperiment(experiment);
  return v.parse(reportSchema, builder.build(endingOf(run)));
}

/** The link that sets the page up for the same run. */
function linkTo({ request }: RunRecord): string {
  const { suites, preset, budgetBytes, seed, filter = '' } = request;
  const settings = { suites, preset, filter, budget: String(budgetBytes), seed: String(seed) };
  return writeHash(HOME, { ...DEFAULT_PREFERENCES, settings });
}

function endingOf(run: Exclude<StartedRun, { readonly phase: 'opened' }>): Ending {
  switch (run.phase) {
    case 'done':
      return { complete: true };
    case 'stopped':
      return { complete: false, reason: 'cancelled in the page' };
    case 'failed':
      return { complete: false, reason: run.message };
    case 'running':
    case 'cancelling':
      return { complete: false, reason: 'exported while it was running' };
  }
}

/** `vramlab-software-2026-11-30-001245.json`: the class of the adapter is in the name, so that figures keep their mark. */
export function reportFileName(report: Report, ending = '.json'): string {
  const time = report.createdAt
    .replace(/\.\d+Z$/, '')
    .replace('T', '-')
    .replaceAll(':', '');
  const parts = [report.tool.name, report.environment?.adapter.class ?? 'no-adapter', time];
  return `${parts.join('-')}${report.complete ? '' : '-incomplete'}${ending}`;
}
