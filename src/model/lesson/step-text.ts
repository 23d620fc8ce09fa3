/** What a step's numbers are, in lines for a terminal: each with where it comes from and what the lesson says. */
import { assertNever } from '../../base/errors.js';
import { fillText } from './fill-text.js';
import { textIn } from './local-text.js';
import { type Origin, type StepNumber, type StepResult } from './run-step.js';
import { type Lesson, type Step } from './schema.js';

/** Lines of one step. English, or the language that the lesson has. */
export function stepLines(step: Step, result: StepResult): readonly string[] {
  const numbers = [...result.numbers.values()];
  return [
    `${step.id}: ${textIn(step.question, 'en').text}`,
    `  ${fillText(textIn(step.reveal, 'en').text, result)}`,
    ...numbers.map(numberLine),
    ...freesLines(step, result),
    ...(step.measure === undefined
      ? []
      : [`  measured on a GPU: vramlab bench --suite ${step.measure.suite} --filter '${filterOf(step)}'`]),
  ];
}

/** The rows of a measured step as a filter of `vramlab bench`. */
export const filterOf = ({ measure }: Step): string => `^(${(measure?.ids ?? []).join('|')})/`;

function numberLine({ name, shown, value, expected, agrees, origin, problem }: StepNumber): string {
  const mark = expected === undefined ? '-' : agrees ? 'ok' : 'DIFFERS';
  const exact = typeof value === 'number' && shown !== String(value) ? ` (${value})` : '';
  const instead = agrees ? '' : `, the lesson says ${String(expected)}`;
  const found = problem ?? `${shown}${exact}${instead}`;
  return `  ${mark.padEnd(7)} ${name} = ${found}  [${originText(origin)}]`;
}

function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'run':
      return `run ${origin.run}: ${origin.metric} at ${origin.at}`;
    case 'arithmetic':
      return origin.expression;
    case 'reference':
      return 'measured on a software adapter, for orientation';
    default:
      return assertNever(origin);
  }
}

function freesLines({ frees }: Step, { frees: found }: StepResult): readonly string[] {
  if (frees === undefined || found === undefined) return [];
  return [
    `  frees that would have been enough: ${found.map(({ tensors, bytes }) => `{${tensors.join(', ')}} ${bytes} B`).join(' or ')}`,
  ];
}

/** One line for a lesson in a list. */
export const lessonLine = ({
  id,
  title,
  minutes,
  steps,
}: Pick<Lesson, 'id' | 'title' | 'minutes'> & { readonly steps: readonly unknown[] }): string =>
  `${id.padEnd(14)} ${String(minutes).padStart(3)} min  ${String(steps.length).padStart(2)} steps  ${textIn(title, 'en').text}`;
