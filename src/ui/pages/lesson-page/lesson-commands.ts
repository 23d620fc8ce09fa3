/** Keys of the lessons: those of a clicker among them. */
import { msg } from '@lit/localize';
import { type Command, type KeyPattern } from '../../../app/commands.js';
import { type ChoiceId } from '../../../model/lesson/schema.js';

export interface LessonActions {
  readonly isOpen: () => boolean;
  readonly pick: (choice: ChoiceId) => void;
  readonly show: () => void;
  readonly reset: () => void;
  readonly move: (by: 1 | -1) => void;
  readonly runOnGpu: () => void;
  readonly saveHandOut: () => void;
}

/** A letter, small and large, and a digit. */
const keysOf = (letter: string, digit: string): readonly KeyPattern[] => [
  { key: letter },
  { key: letter.toUpperCase() },
  { key: digit },
];

export function lessonCommands(actions: LessonActions): readonly Command[] {
  const isEnabled = actions.isOpen;
  const command = (id: string, title: () => string, keys: readonly KeyPattern[], run: () => void): Command => ({
    id: `lesson-${id}`,
    title,
    keys,
    isEnabled,
    run,
  });
  return [
    command(
      'next',
      () => msg('Next step', { desc: 'command' }),
      [{ key: 'ArrowRight' }, { key: 'PageDown' }],
      () => actions.move(1),
    ),
    command(
      'previous',
      () => msg('Step before', { desc: 'command' }),
      [{ key: 'ArrowLeft' }, { key: 'PageUp' }],
      () => actions.move(-1),
    ),
    command(
      'a',
      () => msg('Answer A', { desc: 'command' }),
      keysOf('a', '1'),
      () => actions.pick('A'),
    ),
    command(
      'b',
      () => msg('Answer B', { desc: 'command' }),
      keysOf('b', '2'),
      () => actions.pick('B'),
    ),
    command(
      'c',
      () => msg('Answer C', { desc: 'command' }),
      keysOf('c', '3'),
      () => actions.pick('C'),
    ),
    command('show', () => msg('Show what happens, or hide it', { desc: 'command' }), [{ key: 'Enter' }], actions.show),
    command('reset', () => msg('Reset the step', { desc: 'command' }), [{ key: 'r' }, { key: 'R' }], actions.reset),
    command(
      'gpu',
      () => msg("Run the step on this machine's GPU", { desc: 'command' }),
      [{ key: 'g' }, { key: 'G' }],
      actions.runOnGpu,
    ),
    command('hand-out', () => msg('Save the hand-out', { desc: 'command' }), [], actions.saveHandOut),
  ];
}
