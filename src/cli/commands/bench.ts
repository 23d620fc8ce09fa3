/** `vramlab bench`: measures in a real browser and writes the report. */
import process from 'node:process';
import type { Command } from 'commander';
import { AppError, badInput } from '../../base/errors.js';
import { summarize } from '../../model/report/present.js';
import type { Report } from '../../model/report/schema.js';
import { toText } from '../../model/report/to-text.js';
import { findBrowser } from '../browser/find-browser.mjs';
import { type BenchOptions, addBenchOptions, wantedBrowser } from '../bench/bench-options.js';
import { createProgressView } from '../bench/progress-view.js';
import { type BenchOutcome, runBench } from '../bench/run-bench.js';
import { benchAb, checkAbOutputs } from './bench-ab.js';
import { checkDistinct, checkWritable, writeAtomically } from '../files.js';
import { say, writeResult } from '../output.js';
import { readTraceText } from '../trace-file.js';
import { checkReportFiles, namedFiles, takesStdout, writeReportFiles } from '../report-files.js';
import { watchStopSignals } from '../stop-signals.js';

/** Adds `bench` to the program. */
export function registerBench(program: Command): void {
  const command = program.command('bench').description('measure the GPU memory of this machine in a browser');
  addBenchOptions(command).action(async (options: BenchOptions) => {
    // Everything that can be refused is refused before the first second is spent.
    checkOutputs(options);
    if (options.ab !== undefined) checkAbOutputs(options);
    const traceText = options.trace === undefined ? undefined : await readTraceText(options.trace);
    const browser = chooseBrowser(options);
    const { stopped, release } = watchStopSignals();
    const view = createProgressView(process.stderr, options.quiet);
    try {
      const context = { browser, options, stopped, view, say, ...(traceText === undefined ? {} : { traceText }) };
      if (options.ab !== undefined) {
        await benchAb(context, options.ab);
        return;
      }
      const outcome = await runBench(context);
      await writeOutputs(outcome.report, options);
      sayOutcome(outcome, options);
      process.exitCode = outcome.exitCode;
    } finally {
      release();
    }
  });
}

function checkOutputs(options: BenchOptions): void {
  if (options.out !== undefined) checkWritable(options.out, '--out');
  checkReportFiles(options);
  const paths = [options.out, ...namedFiles(options).map(([, path]) => path)];
  const toStdout = paths.filter((path) => path === '-');
  checkDistinct([['--out', options.out], ...namedFiles(options)]);
  if (toStdout.length > 1)
    throw badInput('-', 'only one of --out, --md, --csv, --junit and --html can go to stdout (-)');
}

function chooseBrowser(options: BenchOptions): string {
  const wanted = wantedBrowser(options);
  const found = findBrowser(wanted);
  if (found !== undefined) return found.path;
  const what = wanted === undefined ? 'no browser was found' : `there is no browser "${wanted}"`;
  throw new AppError(
    { kind: 'unsupported', missing: 'browser' },
    `${what}; install Google Chrome, Microsoft Edge or Chromium, run \`npx playwright install chromium\`, or give a path with --browser or VRAMLAB_BROWSER`,
  );
}

async function writeOutputs(report: Report, options: BenchOptions): Promise<void> {
  if (options.out === '-') await writeResult(JSON.stringify(report, undefined, 2));
  else if (options.out !== undefined) await writeAtomically(options.out, `${JSON.stringify(report, undefined, 2)}\n`);
  await writeReportFiles(report, options);
  if (options.out === undefined && !takesStdout(options)) await writeResult(toText(report));
}

function sayOutcome({ report, problem, firstResultMs }: BenchOutcome, options: BenchOptions): void {
  if (problem !== undefined) say(problem);
  if (options.quiet) return;
  const where = options.out === undefined || options.out === '-' ? '' : `; report in ${options.out}`;
  say(`${summarize(report)}${where}`);
  if (firstResultMs !== undefined) {
    say(`first verified result ${(firstResultMs / 1000).toFixed(2)} s after the browser was launched`);
  }
}
