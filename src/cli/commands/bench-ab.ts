/** `vramlab bench --ab`: what it writes and says. */
import process from 'node:process';
import { badInput } from '../../base/errors.js';
import { comparisonToMarkdown } from '../../model/report/comparison-to-markdown.js';
import { comparisonToText } from '../../model/report/comparison-to-text.js';
import type { BenchOptions } from '../bench/bench-options.js';
import { deliver, exitCodeAfter, type Output, rescue } from '../bench/deliver.js';
import { runAb } from '../bench/run-ab.js';
import type { BenchContext } from '../bench/run-bench.js';
import { say } from '../output.js';

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
  const { report, onlySide, exitCode, problem } = await runAb(context, sides);
  process.exitCode = exitCode;
  if (problem !== undefined) say(problem);
  if (report === undefined) {
    const why = 'only one of the two configurations was measured: there is nothing to compare';
    if (onlySide !== undefined) await rescue(why, JSON.stringify(onlySide, undefined, 2));
    return;
  }
  const json = JSON.stringify(report, undefined, 2);
  const { comparison } = report;
  const outputs: Output[] = [];
  if (options.out !== undefined) outputs.push({ option: '--out', path: options.out, text: () => json });
  if (options.md !== undefined) {
    outputs.push({ option: '--md', path: options.md, text: () => comparisonToMarkdown(comparison) });
  }
  if (outputs.every(({ path }) => path !== '-')) {
    outputs.push({ path: '-', text: () => comparisonToText(comparison) });
  }
  const isDelivered = await deliver(outputs, { option: '--out', text: json });
  process.exitCode = exitCodeAfter(exitCode, isDelivered);
}
