import { describe, expect, it } from 'vitest';
import { capOf, type Command, commandFor, CommandRegistry, EVERYWHERE, type KeyPress } from './commands.js';

const command = (id: string, rest: Partial<Command> = {}): Command => ({
  id,
  title: () => id,
  run: () => undefined,
  ...rest,
});
const press: KeyPress = {
  key: 'r',
  code: 'KeyR',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  isTyping: false,
  isOnControl: false,
};

describe('a key', () => {
  const run = command('run', { keys: [{ key: 'r' }] });

  it('finds its command', () => expect(commandFor([run], press, true)).toBe(run));

  it.each<Partial<KeyPress>>([
    { key: 'x' },
    { ctrlKey: true },
    { metaKey: true },
    { altKey: true },
    { repeat: true },
    { isTyping: true },
  ])('does not mean it with %j', (change) => expect(commandFor([run], { ...press, ...change }, true)).toBeUndefined());

  it('means nothing while letters are switched off', () => expect(commandFor([run], press, false)).toBeUndefined());

  it('with Ctrl or Cmd works in fields and with letters switched off', () => {
    const palette = command('palette', { keys: [{ key: 'k', modified: true }] });
    for (const change of [{ ctrlKey: true }, { metaKey: true }]) {
      const pressed = { ...press, key: 'k', isTyping: true, ...change };
      expect(commandFor([palette], pressed, false)).toBe(palette);
    }
    expect(commandFor([palette], { ...press, key: 'k' }, true)).toBeUndefined();
  });

  it('goes by its place where that is asked, with or without Shift', () => {
    const step = command('step', { keys: [{ code: 'Period' }] });
    const leap = command('leap', { keys: [{ code: 'Period', shift: true }] });
    const pressed = { ...press, key: ':', code: 'Period' };
    expect(commandFor([step, leap], pressed, true)).toBe(step);
    expect(commandFor([step, leap], { ...pressed, shiftKey: true }, true)).toBe(leap);
  });

  it('repeats only where that is meant', () => {
    const step = command('step', { keys: [{ key: '.', repeats: true }] });
    expect(commandFor([step], { ...press, key: '.', repeat: true }, true)).toBe(step);
  });

  it('leaves Space to a button that has the focus', () => {
    const play = command('play', { keys: [{ key: ' ' }] });
    expect(commandFor([play], { ...press, key: ' ' }, true)).toBe(play);
    expect(commandFor([play], { ...press, key: ' ', isOnControl: true }, true)).toBeUndefined();
  });

  it('passes over a command that can do nothing now', () => {
    const off = command('off', { keys: [{ key: 'r' }], isEnabled: () => false });
    expect(commandFor([off, run], press, true)).toBe(run);
  });
});

it.each([
  [{ key: 'r' }, 'r'],
  [{ key: 'P' }, 'Shift P'],
  [{ key: '?' }, '?'],
  [{ key: ' ' }, 'Space'],
  [{ key: 'k', modified: true }, 'Ctrl K'],
  [{ code: 'KeyW' }, 'W'],
  [{ key: 'ArrowLeft' }, '←'],
])('prints %j as %s', (pattern, cap) => expect(capOf(pattern)).toBe(cap));

describe('the registry', () => {
  it('gives a page its own commands first, then those of everywhere, and tells of changes', () => {
    const registry = new CommandRegistry();
    let told = 0;
    const quiet = registry.subscribe(() => told++);
    registry.register(EVERYWHERE, { commands: [command('help')] });
    const stop = registry.register('lab', {
      commands: [command('play')],
      notes: [{ caps: ['W'], title: () => 'zoom' }],
    });
    expect(registry.commandsOn('lab').map(({ id }) => id)).toEqual(['play', 'help']);
    expect(registry.commandsOn('measure').map(({ id }) => id)).toEqual(['help']);
    expect(registry.notesOn('lab')).toHaveLength(1);
    stop();
    expect(registry.commandsOn('lab').map(({ id }) => id)).toEqual(['help']);
    expect(told).toBe(3);
    quiet();
    registry.register('lab', { commands: [] });
    expect(told).toBe(3);
  });
});
