/** How a run of a lesson is made again with the program, so that a reader can check each number alone. */
import { LESSON_ENTRIES } from './contents.js';
import { setupOfRun } from './run-setup.js';
import { type Run, type Step } from './schema.js';

/** Where the lesson comes from: one of the lab's own, or a file. */
export interface LessonSource {
  /** The name of a lesson of the lab's own, or the file's. */
  readonly name: string;
}

/** Quotes what a shell would read otherwise. */
export const shellWord = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Derives every number of the step and lays it beside the expected one. */
export const checkCommand = (source: LessonSource, step: Step): string =>
  `vramlab lesson ${shellWord(source.name)} --step ${shellWord(stepName(step))}`;

/** Two commands for a run: its trace as a file, and the replay of it. */
export function replayCommands(source: LessonSource, step: Step, run: Run): readonly string[] {
  const file = `${step.id.replace('/', '-')}-${run.id}.trace.json`;
  const trace =
    run.generator === undefined
      ? `${checkCommand(source, step)} --run ${shellWord(run.id)} --out ${shellWord(file)}`
      : `vramlab trace ${shellWord(run.generator.id)}${settings(run.generator.set)} --out ${shellWord(file)}`;
  const { name, conf = '', fraction } = setupOfRun(run);
  const options = [
    ...(name === 'caching' ? [] : [`--allocator ${name}`]),
    ...(conf === '' ? [] : [`--conf ${shellWord(conf)}`]),
    `--capacity ${shellWord(run.budget)}`,
    ...(fraction === undefined ? [] : [`--fraction ${fraction}`]),
  ];
  return [trace, `vramlab replay ${shellWord(file)} ${options.join(' ')}`];
}

const settings = (set: Readonly<Record<string, unknown>>): string =>
  Object.entries(set)
    .map(([key, value]) => ` --set ${shellWord(`${key}=${String(value)}`)}`)
    .join('');

/** A step's name without its lesson's. */
export const stepName = ({ id }: Step): string => id.slice(id.indexOf('/') + 1);

/** Whether a name is that of a lesson of the lab's own. */
export const isBuiltIn = (name: string): boolean => LESSON_ENTRIES.some(({ id }) => id === name);
