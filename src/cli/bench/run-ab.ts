/**
 * Two browser configurations in one run: rounds of one launch each, in seeded and balanced order, so that what happens to
 * the machine meanwhile happens to both. Pairing by round then takes it out of the comparison.
 */
import { AppError } from '../../base/errors.js';
import { mulberry32 } from '../../base/random.js';
import * as v from 'valibot';
import { compareSubAllocation } from '../../model/execution/dawn-comparison.js';
import { AB_SCHEMA, AB_VERSION, type AbReport, abSchema, type AbSide } from '../../model/report/ab.js';
import { compareReports } from '../../model/report/compare.js';
import { mergeReports } from '../../model/report/merge.js';
import type { Preset, Report } from '../../model/report/schema.js';
import { comparisonExitCode } from '../comparison-exit.js';
import { EXIT } from '../exit-codes.js';
import { abOrder } from './ab-order.js';
import { type BenchContext, type BenchOutcome, runBench } from './run-bench.js';

/** How often each side is launched: even, so that each goes first as often. */
const ROUNDS: Readonly<Record<Preset, number>> = { quick: 4, standard: 4, full: 6 };

export interface AbOutcome {
  /** Already checked against the schema. Absent where a side has no report at all. */
  readonly report: AbReport | undefined;
  /** Where the other side has none. */
  readonly onlySide?: Report | undefined;
  readonly exitCode: number;
  readonly problem: string | undefined;
}

/** `sides` are the flags that each configuration has beyond the common ones. Throws as `runBench` does. */
export async function runAb(
  context: BenchContext,
  sides: readonly [a: readonly string[], b: readonly string[]],
): Promise<AbOutcome> {
  const { options } = context;
  const flags = { a: sides[0], b: sides[1] };
  const reports: Record<AbSide, Report[]> = { a: [], b: [] };
  const order: [AbSide, AbSide][] = [];
  let exitCode: number = EXIT.ok;
  let problem: string | undefined;
  const rounds = ROUNDS[options.preset];
  for (const [round, [first, second]] of abOrder(rounds, mulberry32(options.seed)).entries()) {
    if (problem !== undefined) break;
    order.push([first, second]);
    for (const side of [first, second]) {
      if (problem !== undefined) break;
      if (!options.quiet)
        context.say(`round ${round + 1} of ${rounds}, ${side.toUpperCase()}: ${flags[side].join(' ')}`);
      const outcome = await roundOf({ ...context, extraFlags: flags[side] }, reports);
      if (outcome instanceof AppError) {
        problem = `round ${round + 1}, ${side.toUpperCase()}: ${outcome.message}`;
        exitCode = EXIT.checkFailed;
        break;
      }
      reports[side].push(outcome.report);
      if (outcome.exitCode !== EXIT.ok) exitCode = outcome.exitCode;
      if (outcome.problem !== undefined) problem = `round ${round + 1}, ${side.toUpperCase()}: ${outcome.problem}`;
    }
  }
  const [a, b] = [mergeSide(reports.a), mergeSide(reports.b)];
  if (a === undefined || b === undefined) return { report: undefined, onlySide: a ?? b, exitCode, problem };
  const names = [nameOf(flags.a), nameOf(flags.b)] as const;
  const comparison = compareReports(a, b, { seed: options.seed, names, isPaired: true });
  const report = v.parse(abSchema, {
    schema: AB_SCHEMA,
    version: AB_VERSION,
    seed: options.seed,
    flags,
    order,
    a,
    b,
    comparison,
  });
  // The suite `driver` has no rows: its two sides are compared by their heaps.
  const heaps = compareSubAllocation([...a.experiments, ...b.experiments]);
  if (heaps !== undefined) context.say(String(heaps['says']));
  const hasRows = a.results.length + b.results.length > 0;
  const judged = hasRows || heaps === undefined ? comparisonExitCode(comparison) : EXIT.ok;
  return { report, exitCode: problem !== undefined || judged === EXIT.ok ? exitCode : judged, problem };
}

/** One launch. What refuses the very first ends the comparison; later ones must not cost what was measured before them. */
async function roundOf(
  context: BenchContext,
  before: Record<AbSide, readonly Report[]>,
): Promise<BenchOutcome | AppError> {
  try {
    return await runBench(context);
  } catch (error) {
    if (error instanceof AppError && before.a.length + before.b.length > 0) return error;
    throw error;
  }
}

const nameOf = (flags: readonly string[]): string => (flags.length === 0 ? 'no further flags' : flags.join(' '));

function mergeSide([first, ...more]: readonly Report[]): Report | undefined {
  return first === undefined ? undefined : mergeReports([first, ...more]);
}
