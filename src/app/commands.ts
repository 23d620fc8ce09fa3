/**
 * What can be done from the keyboard, in one table: the handler and the help list both read it. Keys work outside fields
 * only.
 */
export interface Command {
  /** `KeyboardEvent.key`. */
  readonly key: string;
  readonly title: () => string;
  readonly run: () => void;
}

/** The parts of a key event that decide. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
  /** True when the key is being typed into a field, or a dialog is open. */
  readonly isTyping: boolean;
}

/** The command that a key press means, if any. */
export function commandFor(commands: readonly Command[], press: KeyPress): Command | undefined {
  if (press.isTyping || press.repeat || press.ctrlKey || press.metaKey || press.altKey) return undefined;
  return commands.find((command) => command.key === press.key);
}
