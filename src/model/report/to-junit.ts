/** The report as JUnit XML: a row is a test case, so that a CI shows which one failed and why others were skipped. */
import { bySuite, describeExperiment, formatValue } from './present.js';
import type { Report, Row } from './schema.js';
import { escapeXml } from './xml.js';

interface Case {
  readonly id: string;
  readonly suite: string;
  readonly status: 'measured' | 'skipped' | 'failed';
  readonly text: string;
}

/** One `testsuite` a suite; an incomplete run adds an error, so that it cannot pass for a whole one. */
export function toJunit(report: Report): string {
  const suites = [...bySuite(report.results)].map(([suite, rows]) => [suite, rows.map(caseOfRow)] as const);
  const experiments = report.experiments.map((e) => ({
    id: e.id,
    suite: e.suite,
    status: e.status,
    text: describeExperiment(e),
  }));
  const all = experiments.length === 0 ? suites : [...suites, ['experiments', experiments] as const];
  const unfinished = report.complete ? [] : [unfinishedSuite(report.incompleteReason ?? 'no reason given')];
  const body = [...all.map(([name, cases]) => suiteXml(name, cases)), ...unfinished].join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="vramlab">\n${body}\n</testsuites>\n`;
}

const caseOfRow = (row: Row): Case => ({
  id: row.id,
  suite: row.suite,
  status: row.status,
  text: row.status === 'measured' ? formatValue(row.value, row.unit) : row.reason,
});

function suiteXml(name: string, cases: readonly Case[]): string {
  const count = (status: Case['status']) => cases.filter((c) => c.status === status).length;
  const counts = `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}"`;
  return `  <testsuite name="${escapeXml(name)}" ${counts}>\n${cases.map(caseXml).join('\n')}\n  </testsuite>`;
}

function caseXml({ id, suite, status, text }: Case): string {
  const open = `    <testcase classname="vramlab.${escapeXml(suite)}" name="${escapeXml(id)}"`;
  if (status === 'skipped') return `${open}><skipped message="${escapeXml(text)}"/></testcase>`;
  if (status === 'failed') return `${open}><failure message="${escapeXml(text)}"/></testcase>`;
  return `${open}><system-out>${escapeXml(text)}</system-out></testcase>`;
}

const unfinishedSuite = (reason: string): string =>
  [
    '  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0">',
    `    <testcase classname="vramlab" name="run completes"><error message="${escapeXml(reason)}"/></testcase>`,
    '  </testsuite>',
  ].join('\n');
