/** `vramlab bench --ab`: what it writes and says. */
import process from 'node:process';
import { badInput } from '../../base/errors.js';
import { comparisonToMarkdown } from '../../model/report/comparison-to-markdown.js';
import { comparisonToText } from '../../model/report/comparison-to-text.js';
import type { BenchOptions } from '../bench/bench-options.js';
import { runAb } from '../bench/run-ab.js';
import type { BenchContext } from '../bench/run-bench.js';
import { writeAtomically } from '../files.js';
import { say, writeResult } from '../output.js';

/** Forms of one report have no place for two. Throws `AppError` (`bad-input`), before anything runs. */
export function checkAbOutputs(options: BenchOptions): void {
  for (const key of ['csv', 'junit', 'html'] as const) {
    if (options[key] === undefined) continue;
    throw badInput(`--${key}`, `--${key}: --ab writes two reports in one file (--out) and a comparison (--md) only`);
  }
}

/** Runs both sides and writes the file and the comparison; sets the exit code. */
export async function benchAb(context: BenchContext, sides: NonNullable<BenchOptions['ab']>): Promise<void> {
  const { options } = context;
  const { report, exitCode, problem } = await runAb(context, sides);
  process.exitCode = exitCode;
  if (problem !== undefined) say(problem);
  if (report === undefined) return;
  const json = JSON.stringify(report, undefined, 2);
  if (options.out === '-') await writeResult(json);
  else if (options.out !== undefined) await writeAtomically(options.out, `${json}\n`);
  if (options.md === '-') await writeResult(comparisonToMarkdown(report.comparison));
  else if (options.md !== undefined) await writeAtomically(options.md, comparisonToMarkdown(report.comparison));
  if (options.out !== '-' && options.md !== '-') await writeResult(comparisonToText(report.comparison));
}
