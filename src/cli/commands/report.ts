/** `vramlab report`: reads a report that `bench` wrote, shows it, or turns it into another form. */
import type { Command } from 'commander';
import { readReport } from '../../model/report/read.js';
import { toText } from '../../model/report/to-text.js';
import { checkDistinct, readText } from '../files.js';
import { writeResult } from '../output.js';
import {
  type ReportFileOptions,
  addReportFileOptions,
  checkReportFiles,
  namedFiles,
  takesStdout,
  writeReportFiles,
} from '../report-files.js';

/** Adds `report` to the program. */
export function registerReport(program: Command): void {
  const command = program
    .command('report')
    .description('show a report that `bench` wrote, or turn it into another form')
    .argument('<file>', 'a report; - for stdin');
  addReportFileOptions(command).action(async (file: string, options: ReportFileOptions) => {
    checkReportFiles(options);
    checkDistinct([['the report', file], ...namedFiles(options)]);
    const report = readReport(await readText(file), file === '-' ? 'stdin' : file);
    await writeReportFiles(report, options);
    if (!takesStdout(options)) await writeResult(toText(report));
  });
}
