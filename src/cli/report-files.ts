/** The forms a report can be written in, as options that `bench` and `report` share. */
import type { Command } from 'commander';
import { toCsv } from '../model/report/to-csv.js';
import { toHtml } from '../model/report/to-html.js';
import { toJunit } from '../model/report/to-junit.js';
import { toMarkdown } from '../model/report/to-markdown.js';
import type { Report } from '../model/report/schema.js';
import { checkWritable, writeAtomically } from './files.js';
import { writeResult } from './output.js';

const FORMS = [
  { key: 'md', what: 'Markdown, for the summary of a CI job', write: toMarkdown },
  { key: 'csv', what: 'the raw samples as CSV', write: toCsv },
  { key: 'junit', what: 'JUnit XML, one test case a row', write: toJunit },
  { key: 'html', what: 'one self-contained HTML page with charts', write: toHtml },
] as const;

export type ReportFileOptions = { readonly [Key in (typeof FORMS)[number]['key']]?: string };

/** Adds `--md`, `--csv`, `--junit` and `--html`; each takes a file or `-` for stdout. */
export function addReportFileOptions(command: Command): Command {
  for (const { key, what } of FORMS) command.option(`--${key} <file>`, `${what}; - for stdout`);
  return command;
}

/** Throws `AppError` (`bad-input`) when one of the files cannot be written, before any work is done. */
export function checkReportFiles(options: ReportFileOptions): void {
  for (const { key } of FORMS) checkWritable(options[key] ?? '-', `--${key}`);
}

/** What was asked for, as pairs of option and path. */
export const namedFiles = (options: ReportFileOptions): readonly (readonly [string, string | undefined])[] =>
  FORMS.map(({ key }) => [`--${key}`, options[key]]);

/** Whether one of the forms goes to stdout. */
export const takesStdout = (options: ReportFileOptions): boolean => FORMS.some(({ key }) => options[key] === '-');

/** Every form that was asked for, as what writes it. */
export const reportFiles = (report: Report, options: ReportFileOptions) =>
  FORMS.flatMap(({ key, write }) => {
    const path = options[key];
    return path === undefined ? [] : [{ option: `--${key}`, path, text: () => write(report) }];
  });

/** Writes every form that was asked for. */
export async function writeReportFiles(report: Report, options: ReportFileOptions): Promise<void> {
  for (const { path, text } of reportFiles(report, options)) {
    if (path === '-') await writeResult(text());
    else await writeAtomically(path, text());
  }
}
