/** `vramlab bench`: measures in a real browser and writes the report. */
import process from 'node:process';
import type { Command } from 'commander';
import { AppError, badInput } from '../../base/errors.js';
import { summarize } from '../../model/report/present.js';
import type { Report } from '../../model/report/schema.js';
import { toText } from '../../model/report/to-text.js';
import { findBrowser } from '../browser/find-browser.mjs';
import { type BenchOptions, addBenchOptions, wantedBrowser } from '../bench/bench-options.js';
import { deliver, exitCodeAfter, type Output, RESULT_BYTES } from '../bench/deliver.js';
import { createProgressView } from '../bench/progress-view.js';
import { type BenchOutcome, runBench } from '../bench/run-bench.js';
import { benchAb, checkAbOutputs } from './bench-ab.js';
import { checkDistinct, checkWritable } from '../files.js';
import { say } from '../output.js';
import { readTraceText } from '../trace-file.js';
import { checkReportFiles, namedFiles, reportFiles, takesStdout } from '../report-files.js';
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
      const json = JSON.stringify(outcome.report, undefined, 2);
      const isDelivered = await deliver(outputsOf(outcome.report, json, options), { option: '--out', text: json });
      sayOutcome(outcome, options, isDelivered);
      process.exitCode = exitCodeAfter(outcome.exitCode, isDelivered);
    } finally {
      release();
    }
  });
}

function checkOutputs(options: BenchOptions): void {
  if (options.out !== undefined) checkWritable(options.out, '--out', RESULT_BYTES);
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

/** The report and every form of it that was asked for, or a table on stdout. */
function outputsOf(report: Report, json: string, options: BenchOptions): readonly Output[] {
  const forms = reportFiles(report, options);
  const outputs =
    options.out === undefined ? forms : [{ option: '--out', path: options.out, text: () => json }, ...forms];
  const isShown = options.out === undefined && !takesStdout(options);
  return isShown ? [...outputs, { path: '-', text: () => toText(report) }] : outputs;
}

function sayOutcome(
  { report, problem, firstResultMs }: BenchOutcome,
  options: BenchOptions,
  isDelivered: boolean,
): void {
  if (problem !== undefined) say(problem);
  if (options.quiet) return;
  const where = !isDelivered || options.out === undefined || options.out === '-' ? '' : `; report in ${options.out}`;
  say(`${summarize(report)}${where}`);
  if (firstResultMs !== undefined) {
    say(`first verified result ${(firstResultMs / 1000).toFixed(2)} s after the browser was launched`);
  }
}
