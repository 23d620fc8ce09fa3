/** `vramlab plan`: where training memory goes, by formula and by a replay of the step. */
import { gzipSync } from 'node:zlib';
import { type Command } from 'commander';
import { badInput } from '../../base/errors.js';
import { formatNumber } from '../../base/format.js';
import { SettingsError } from '../../model/allocator/caching/settings-values.js';
import { largestBatch, tryChanges } from '../../model/plan/advice.js';
import { ARCHITECTURES } from '../../model/plan/architecture/presets.js';
import { parameterCount } from '../../model/plan/architecture/weights.js';
import { makePlan, type Plan } from '../../model/plan/plan.js';
import { fitsIn, planJson, type PlanFindings } from '../../model/plan/plan-json.js';
import { planCsv, planText } from '../../model/plan/plan-text.js';
import { estimate } from '../../model/plan/published/estimators.js';
import { type PlanReplay, replayPlan } from '../../model/plan/replay-plan.js';
import { isTooLarge } from '../../model/plan/room.js';
import { writeTrace } from '../../model/trace/trace-writer.js';
import { checkDistinct, checkWritable, writeAtomically } from '../files.js';
import { say, writeResult } from '../output.js';
import { addPlanOptions, modelOf, type PlanOptions, settingsOf } from '../plan/plan-options.js';

/** Adds `plan` to the program. */
export function registerPlan(program: Command): void {
  addPlanOptions(
    program.command('plan').description('where training memory goes, by formula and by a replay of the step'),
  ).action(run);
}

/** Steps that a replay may repeat. */
const MOST_STEPS = 100;

async function run(options: PlanOptions): Promise<void> {
  if (options.listArchitectures === true) return writeResult(architecturesText());
  checkOutputs(options);
  const model = await modelOf(options);
  const settings = settingsOf(options);
  if (options.estimator !== undefined) {
    const { largestLayer, gpusPerNode = 1, nodes = 1 } = options;
    const found = estimate(options.estimator, { model, settings, largestLayer, gpusPerNode, nodes });
    const text =
      options.json === true ? JSON.stringify(found, undefined, 2) : [found.source, ...found.lines].join('\n');
    return writeResult(text);
  }
  const plan = makePlan(model, settings);
  const findings = await findingsOf(plan, options);
  await writeFiles(plan, findings, options);
  if (options.csv === '-') return;
  await writeResult(
    options.json === true ? JSON.stringify(planJson(plan, findings), undefined, 2) : planText(plan, findings),
  );
}

function checkOutputs({ csv, trace, json, steps }: PlanOptions): void {
  if (csv === '-' && json === true) throw badInput('--csv', '--csv -: --json goes to stdout too; give --csv a file');
  if (trace === '-') throw badInput('--trace', '--trace: a trace does not go to stdout here; name a file');
  if (csv !== undefined) checkWritable(csv, '--csv');
  if (trace !== undefined) checkWritable(trace, '--trace');
  checkDistinct([
    ['--csv', csv],
    ['--trace', trace],
  ]);
  if (steps < 1 || steps > MOST_STEPS) {
    throw badInput('--steps', `--steps: ${steps} is not usable; give a whole number, 1 to ${MOST_STEPS}`);
  }
}

async function findingsOf(plan: Plan, { allocator: name, conf, capacity, steps }: PlanOptions): Promise<PlanFindings> {
  const allocator = { name, conf };
  const replay = named(conf, () => replayPlan(plan, allocator, capacity, steps));
  const findings = { replay, capacity };
  if (capacity === undefined) return findings;
  const isShort = fitsIn(plan, findings) === false && (typeof replay !== 'string' || isTooLarge(plan));
  const changes = isShort ? await tryChanges(plan, allocator, capacity) : undefined;
  return { ...findings, largestBatch: await largestBatch(plan, allocator, capacity), changes };
}

/** Says where a refused setting of the allocator came from. */
function named<T>(conf: string | undefined, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw badInput('--conf', `--conf "${conf ?? ''}": ${error.message}`);
  }
}

async function writeFiles(plan: Plan, findings: PlanFindings, { csv, trace }: PlanOptions): Promise<void> {
  if (csv === '-') await writeResult(planCsv(plan, findings));
  else if (csv !== undefined) await writeAtomically(csv, planCsv(plan, findings));
  if (trace === undefined) return;
  const text = [...writeTrace(stepOf(findings.replay).step.trace)].join('');
  await writeAtomically(trace, trace.endsWith('.gz') ? gzipSync(text) : text);
  say(`wrote ${trace}`);
}

function stepOf(replay: PlanReplay | string): PlanReplay {
  if (typeof replay === 'string') throw badInput('--trace', `--trace: ${replay}`);
  return replay;
}

function architecturesText(): string {
  const width = Math.max(...ARCHITECTURES.map(({ name }) => name.length));
  return ARCHITECTURES.map(
    (each) => `${each.name.padEnd(width)}  ${formatNumber(parameterCount(each)).padStart(15)} parameters`,
  ).join('\n');
}
