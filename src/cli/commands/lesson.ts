/** `vramlab lesson`: checks a lesson (one of the lab's own, or a file) by running it, and prints every number. */
import { createHash } from 'node:crypto';
import process from 'node:process';
import type { Command } from 'commander';
import { badInput } from '../../base/errors.js';
import { loadLesson } from '../../model/lesson/built-in.js';
import { LESSON_ENTRIES } from '../../model/lesson/contents.js';
import { readCourse } from '../../model/lesson/read-course.js';
import { isBuiltIn, stepName } from '../../model/lesson/run-again.js';
import { traceOfRun } from '../../model/lesson/run-trace.js';
import { runStep, type StepResult } from '../../model/lesson/run-step.js';
import { type Lesson, type Step } from '../../model/lesson/schema.js';
import { lessonLine, stepLines } from '../../model/lesson/step-text.js';
import { traceLines } from '../../model/lesson/trace-lines.js';
import { type Trace } from '../../model/trace/trace.js';
import { writeTrace } from '../../model/trace/trace-writer.js';
import { EXIT } from '../exit-codes.js';
import { checkWritable, readUnpacked, writeAtomically } from '../files.js';
import { say, writeResult } from '../output.js';

interface LessonOptions {
  readonly list?: boolean;
  readonly step?: string;
  readonly run?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Adds `lesson` to the program. */
export function registerLesson(program: Command): void {
  program
    .command('lesson')
    .description('check a lesson by running it: every number of its reveals, derived from its runs')
    .argument('[lesson]', "a lesson of the lab's own (--list), a lesson file, or - for stdin")
    .option('--list', "the lab's own lessons")
    .option('--step <name>', 'one step')
    .option('--run <id>', 'one run of that step, to be written with --out')
    .option('--out <file>', 'the trace of that run, for `vramlab replay`; - for stdout')
    .option('--json', 'the numbers as JSON')
    .action(lesson);
}

async function lesson(given: string | undefined, options: LessonOptions): Promise<void> {
  if (options.list === true) {
    await writeResult(LESSON_ENTRIES.map(lessonLine).join('\n'));
    return;
  }
  if (given === undefined) {
    throw badInput('lesson', "lesson: name one of the lab's own (`vramlab lesson --list`) or a lesson file");
  }
  const lessons = await lessonsOf(given);
  const steps = chosen(
    lessons.flatMap((each) => each.steps),
    options.step,
    given,
  );
  if (options.run !== undefined || options.out !== undefined) {
    await writeRun(steps, options);
    return;
  }
  const results = steps.map((step) => ({ step, result: runStep(step), strangers: strangeTraces(step) }));
  await writeResult(
    options.json === true
      ? JSON.stringify(results.map(stepJson), undefined, 2)
      : results
          .map(({ step, result, strangers }) => [...stepLines(step, result), ...strangers].join('\n'))
          .join('\n\n'),
  );
  const wrong = results.filter(({ result, strangers }) => !result.agrees || strangers.length > 0);
  if (wrong.length === 0) return;
  say(
    `${wrong.length} of ${results.length} steps differ from what the lesson says: ${wrong.map(({ step }) => step.id).join(', ')}`,
  );
  process.exitCode = EXIT.checkFailed;
}

async function lessonsOf(given: string): Promise<readonly Lesson[]> {
  if (isBuiltIn(given)) return [await loadLesson(given)];
  const name = given === '-' ? 'stdin' : given;
  return readCourse(new TextDecoder().decode(await readUnpacked(given)), name).lessons;
}

function chosen(steps: readonly Step[], wanted: string | undefined, lesson: string): readonly Step[] {
  if (wanted === undefined) return steps;
  const found = steps.filter((step) => step.id === wanted || stepName(step) === wanted);
  if (found.length > 0) return found;
  throw badInput('--step', `--step: ${lesson} has no step "${wanted}"; it has ${steps.map(stepName).join(', ')}`);
}

async function writeRun([step, ...more]: readonly Step[], { run: id, out }: LessonOptions): Promise<void> {
  if (step === undefined || more.length > 0) throw badInput('--run', '--run: name the step too (--step NAME)');
  if (out === undefined) throw badInput('--run', '--run: name the file for its trace (--out FILE)');
  checkWritable(out, '--out');
  const ids = step.runs.map((each) => each.id);
  const run = id === undefined && step.runs.length === 1 ? step.runs[0] : step.runs.find((each) => each.id === id);
  if (run === undefined) throw badInput('--run', `--run: the step ${step.id} has the runs ${ids.join(', ')}`);
  const text = [...writeTrace(traceOfRun(run))].join('');
  if (out === '-') await writeResult(text);
  else await writeAtomically(out, text);
}

/** Runs whose trace is not the one that the lesson was checked with. */
const strangeTraces = ({ id, runs }: Step): readonly string[] =>
  runs
    .filter((run) => run.traceSha256 !== undefined && run.traceSha256 !== traceHash(traceOfRun(run)))
    .map((run) => `  DIFFERS ${id}, run ${run.id}: its trace is not the one of traceSha256`);

function traceHash(trace: Trace): string {
  const hash = createHash('sha256');
  for (const line of traceLines(trace)) hash.update(line);
  return hash.digest('hex');
}

function stepJson({ step, result }: { readonly step: Step; readonly result: StepResult }) {
  const { numbers, frees, agrees } = result;
  return {
    step: step.id,
    agrees,
    numbers: Object.fromEntries(
      [...numbers.values()].map(({ name, value, expected, agrees: own, shown, origin, problem }) => [
        name,
        {
          value: value ?? null,
          expected: expected ?? null,
          agrees: own,
          shown,
          origin,
          ...(problem === undefined ? {} : { problem }),
        },
      ]),
    ),
    ...(frees === undefined ? {} : { frees }),
  };
}
