/** What a lesson file must keep beyond its shape: names that meet, one right answer, numbers that the texts ask for. */
import { AppError, badInput, messageOf } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { evaluate } from './expression.js';
import { namesIn } from './fill-text.js';
import { LANGUAGES } from './local-text.js';
import { readCheck } from './measure-check.js';
import { allocatorOfRun } from './run-allocator.js';
import { budgetOf } from './run-setup.js';
import { traceOfRun } from './run-trace.js';
import { isMetric } from './run-step.js';
import { markersOf } from '../trace/trace.js';
import { type Course, type Lesson, type Run, type Step } from './schema.js';

/** Budgets that the caching model takes. */
const LARGEST_BUDGET = 900 * 2 ** 30;

/** Checks everything that can be known before a run. Throws `AppError` (`bad-input`): one line with the place. */
export function checkCourse({ lessons }: Course, name: string): void {
  unique(
    lessons.map(({ id }) => id),
    say`${name}: lesson`,
  );
  for (const lesson of lessons) checkLesson(lesson, say`${name}: lesson "${lesson.id}"`);
}

function checkLesson({ id, steps }: Lesson, where: string): void {
  unique(
    steps.map((step) => step.id),
    say`${where}: step`,
  );
  for (const step of steps) {
    if (!step.id.startsWith(`${id}/`)) throw refused(where, say`step "${step.id}" must be named ${id}/...`);
    checkStep(step, say`${where}, step "${step.id}"`);
  }
}

function checkStep(step: Step, where: string): void {
  checkChoices(step, where);
  unique(
    step.runs.map(({ id }) => id),
    say`${where}: run`,
  );
  if (step.kind === 'replay' && step.runs.length === 0) throw refused(where, say`a replay step needs at least one run`);
  if (step.kind === 'measure' && step.measure === undefined) throw refused(where, say`a measure step needs "measure"`);
  if (step.measure !== undefined) inPlace(where, 'measure', () => readCheck(step.measure?.check ?? ''));
  for (const run of step.runs) checkRun(run, where);
  checkStart(step, where);
  checkNumbers(step, where);
}

function checkChoices({ choices }: Step, where: string): void {
  if (choices.map(({ id }) => id).join('') !== 'ABC') throw refused(where, say`the answers are A, B, C, in this order`);
  if (choices.filter(({ right }) => right).length !== 1) throw refused(where, say`exactly one answer is right`);
  for (const { id, right, misconception } of choices) {
    if (!right && misconception === undefined) {
      throw refused(where, say`answer ${id} is wrong and needs "misconception": what one who takes it believes`);
    }
  }
}

function checkRun(run: Run, where: string): void {
  const place = say`${where}, run "${run.id}"`;
  if ((run.ops === undefined) === (run.generator === undefined))
    throw refused(place, say`give either "ops" or "generator"`);
  inPlace(where, 'run', () => {
    if (budgetOf(run) > LARGEST_BUDGET) throw badInput(run.id, say`run ${run.id}: budget: at most 900GiB`);
    allocatorOfRun(run);
    traceOfRun(run);
  });
}

/** A scene that stood somewhere else than its author says would mislead a room. */
function checkStart({ start, runs }: Step, where: string): void {
  if (typeof start !== 'string') return;
  if (runs.some((run) => markersOf(traceOfRun(run)).some(({ label }) => label === start))) return;
  throw refused(where, say`start: no run has the marker "${start}"; write "m ${start}" into its operations`);
}

function checkNumbers({ expect, runs, reveal, takeaway, question, setup, bars, frees }: Step, where: string): void {
  const known = new Set(runs.map(({ id }) => id));
  for (const [name, expectation] of Object.entries(expect)) {
    const place = say`${where}, expect "${name}"`;
    if (isMetric(expectation) && !known.has(expectation.run))
      throw refused(place, say`there is no run "${expectation.run}"`);
    if ('calc' in expectation) inPlace(place, 'calc', () => evaluate(expectation.calc));
  }
  for (const text of [reveal, takeaway, question, setup]) {
    for (const language of LANGUAGES) {
      const missing = namesIn(text[language] ?? '').find((name) => !Object.hasOwn(expect, name));
      if (missing !== undefined)
        throw refused(where, say`a text asks for {${missing}}, but "expect" has no such number`);
    }
  }
  for (const { value } of bars) {
    if (!Object.hasOwn(expect, value))
      throw refused(where, say`a bar shows "${value}", but "expect" has no such number`);
  }
  if (frees !== undefined && !known.has(frees.run)) throw refused(where, say`"frees" names the run "${frees.run}"`);
}

function unique(names: readonly string[], what: string): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw refused(what, say`"${twice}" is there twice; give each a name of its own`);
}

/** Puts the place in front of what a reader further down refuses. */
function inPlace(where: string, what: string, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) throw refused(where, say`${what}: ${messageOf(error)}`);
    throw error;
  }
}

const refused = (where: string, why: string) => badInput(where, say`${where}: ${why}`);
