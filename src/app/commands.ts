/**
 * What can be done, in one registry: keys, keyboard help and the command palette all read it, so none of them can know a
 * command that another does not. The shell registers what holds everywhere, a page what holds while it is on screen.
 *
 *     const stop = commands.register('lab', {
 *       commands: [{ id: 'lab-play', keys: [{ key: ' ' }], title: () => msg('Play'), run: () => this.play() }],
 *     });
 */

/** One key: a character (`KeyboardEvent.key`), or a place on the keyboard (`KeyboardEvent.code`) for pairs such as W and S. */
export type KeyPattern = (
  { readonly key: string; readonly code?: undefined } | { readonly code: string; readonly key?: undefined }
) & {
  /** Ctrl, or Cmd on a Mac. Such keys work in fields too, and when single letters are switched off. */
  readonly modified?: boolean;
  /** Asked for with a place only: a character tells by itself. */
  readonly shift?: boolean;
  /** It goes on while the key is held down. */
  readonly repeats?: boolean;
};

export interface Command {
  /** Names it for good: `go-lab`, `run`. */
  readonly id: string;
  readonly title: () => string;
  readonly keys?: readonly KeyPattern[];
  /** False while it would do nothing: then the palette leaves it out and its keys do nothing. Always, unless given. */
  readonly isEnabled?: () => boolean;
  readonly run: () => void;
}

/** Keys that an element handles itself while it has the focus: for the help only. */
export interface KeyNote {
  /** Caps, one for each key: `['W', 'S']`. */
  readonly caps: readonly string[];
  readonly title: () => string;
}

export interface CommandGroup {
  readonly commands: readonly Command[];
  readonly notes?: readonly KeyNote[];
}

/** The parts of a key event that decide. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
  /** True when the key is being typed into a field, or a dialog is open. */
  readonly isTyping: boolean;
  /** True when the focus is on something that Space or Enter presses. */
  readonly isOnControl: boolean;
}

/** The scope of what holds on every page. */
export const EVERYWHERE = '';

export class CommandRegistry {
  readonly #groups = new Map<CommandGroup, string>();
  readonly #listeners = new Set<() => void>();

  /** Adds commands for a page, or everywhere. Returns how to take them away. */
  register(scope: string, group: CommandGroup): () => void {
    this.#groups.set(group, scope);
    this.#tell();
    return () => {
      this.#groups.delete(group);
      this.#tell();
    };
  }

  /** What holds on a page now: its own first. */
  commandsOn(page: string): readonly Command[] {
    return this.#on(page).flatMap(({ commands }) => commands);
  }

  notesOn(page: string): readonly KeyNote[] {
    return this.#on(page).flatMap(({ notes }) => notes ?? []);
  }

  /** Calls `listener` when commands come or go, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #on(page: string): readonly CommandGroup[] {
    const of = (wanted: string) => [...this.#groups].filter(([, scope]) => scope === wanted).map(([group]) => group);
    return page === EVERYWHERE ? of(EVERYWHERE) : [...of(page), ...of(EVERYWHERE)];
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

export const isEnabled = ({ isEnabled: enabled }: Command): boolean => enabled === undefined || enabled();

/** The command that a key press means, if any. `letters`: whether keys without Ctrl or Cmd are commands. */
export function commandFor(commands: readonly Command[], press: KeyPress, letters: boolean): Command | undefined {
  if (press.altKey) return undefined;
  return commands.find(
    (command) => command.keys?.some((pattern) => matches(pattern, press, letters)) === true && isEnabled(command),
  );
}

const PRESSES = new Set([' ', 'Enter']);

function matches(pattern: KeyPattern, press: KeyPress, letters: boolean): boolean {
  const isModified = press.ctrlKey || press.metaKey;
  if (isModified !== (pattern.modified ?? false)) return false;
  if (!isModified && (!letters || press.isTyping)) return false;
  if (press.repeat && pattern.repeats !== true) return false;
  if (press.isOnControl && PRESSES.has(press.key)) return false;
  if (pattern.key !== undefined) return pattern.key === press.key;
  return pattern.code === press.code && (pattern.shift ?? false) === press.shiftKey;
}

const CAPS: Readonly<Record<string, string>> = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→' };

/** A key as it is printed in the help: `Ctrl K`, `Shift P`, `Space`. */
export function capOf({ key, code, modified = false, shift = false }: KeyPattern): string {
  const isUpper = key !== undefined && key.length === 1 && key !== key.toLowerCase();
  const name = key === undefined ? code.replace(/^(Key|Digit)/, '') : (CAPS[key] ?? key.toUpperCase());
  const shown = key !== undefined && key.length === 1 && !isUpper && !modified ? (CAPS[key] ?? key) : name;
  return [...(modified ? ['Ctrl'] : []), ...(shift || isUpper ? ['Shift'] : []), shown].join(' ');
}
