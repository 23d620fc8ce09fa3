/** `vramlab compare`: two reports of `bench` against each other. */
import process from 'node:process';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { badInput } from '../../base/errors.js';
import { compareReports, DEFAULT_THRESHOLD } from '../../model/report/compare.js';
import type { Comparison } from '../../model/report/comparison.js';
import { comparisonToMarkdown } from '../../model/report/comparison-to-markdown.js';
import { comparisonToText, summarizeComparison } from '../../model/report/comparison-to-text.js';
import { readReport } from '../../model/report/read.js';
import type { Report } from '../../model/report/schema.js';
import { comparisonExitCode } from '../comparison-exit.js';
import { EXIT } from '../exit-codes.js';
import { checkDistinct, checkWritable, readText, writeAtomically } from '../files.js';
import { say, writeResult } from '../output.js';
import { parseSeed } from '../seed.js';

interface CompareOptions {
  readonly threshold: number;
  readonly seed: number;
  readonly json?: true;
  readonly md?: string;
}

/** Adds `compare` to the program. */
export function registerCompare(program: Command): void {
  program
    .command('compare')
    .description('compare two reports of `bench` row by row: exit 1 when B is slower than A past the threshold')
    .argument('<A.json>', 'the baseline')
    .argument('<B.json>', 'what is judged against it; - for stdin')
    .addOption(
      new Option('--threshold <percent>', 'how much more time is a regression')
        .argParser(parseThreshold)
        .default(DEFAULT_THRESHOLD, `${100 * DEFAULT_THRESHOLD}%`),
    )
    .option('--seed <n>', 'seed of the resampling behind the intervals', parseSeed, 1)
    .option('--json', 'the comparison as JSON on stdout')
    .option('--md <file>', 'Markdown, for the summary of a CI job; - for stdout')
    .action(async (fileA: string, fileB: string, options: CompareOptions) => {
      if (options.md !== undefined) checkWritable(options.md, '--md');
      for (const file of [fileA, fileB])
        checkDistinct([
          ['the report', file],
          ['--md', options.md],
        ]);
      if (options.md === '-' && options.json === true) {
        throw badInput('-', 'only one of --json and --md - can go to stdout');
      }
      if (fileA === '-' && fileB === '-') throw badInput('-', 'only one of the two reports can come from stdin');
      const [a, b] = [await readReportFile(fileA), await readReportFile(fileB)];
      const { threshold, seed } = options;
      const comparison = compareReports(a, b, { threshold, seed, names: [fileA, fileB] });
      await writeComparison(comparison, options);
      process.exitCode = comparisonExitCode(comparison);
      if (comparison.obstacles.length > 0) say(`not comparable: ${comparison.obstacles.join('; ')}`);
      else if (process.exitCode !== EXIT.ok) say(summarizeComparison(comparison));
    });
}

async function readReportFile(file: string): Promise<Report> {
  return readReport(await readText(file), file === '-' ? 'stdin' : file);
}

async function writeComparison(comparison: Comparison, { json, md }: CompareOptions): Promise<void> {
  if (json === true) await writeResult(JSON.stringify(comparison, undefined, 2));
  if (md === '-') await writeResult(comparisonToMarkdown(comparison));
  else if (md !== undefined) await writeAtomically(md, comparisonToMarkdown(comparison));
  if (json !== true && md !== '-') await writeResult(comparisonToText(comparison));
}

/** `5%`, `5 %`, `5` (per cent) or `0.05%`. Over 0 and at most 1,000 %. */
function parseThreshold(text: string): number {
  const percent = Number(/^\s*(\d*\.?\d+)\s*%?\s*$/.exec(text)?.[1] ?? Number.NaN);
  if (!(percent > 0 && percent <= 1000)) {
    throw new InvalidArgumentError('A threshold is a percentage over 0, such as 5%.');
  }
  return percent / 100;
}
