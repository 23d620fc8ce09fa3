import { type ReactiveController, type ReactiveControllerHost } from 'lit';
import { type Command, commandFor } from '../../app/commands.js';

/** Runs commands by key, from anywhere on the page but a field or an open dialog (keys with Ctrl or Cmd from there too). */
export class KeysController implements ReactiveController {
  constructor(
    host: ReactiveControllerHost,
    private readonly commands: () => readonly Command[],
    /** Whether keys without Ctrl or Cmd are commands. */
    private readonly letters: () => boolean,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    document.addEventListener('keydown', this.#onKey);
  }

  hostDisconnected(): void {
    document.removeEventListener('keydown', this.#onKey);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    const path = event.composedPath();
    const { key, code, shiftKey, ctrlKey, metaKey, altKey, repeat } = event;
    const press = { key, code, shiftKey, ctrlKey, metaKey, altKey, repeat };
    const where = { isTyping: path.some(takesText), isOnControl: path.some(isPressed) };
    const command = commandFor(this.commands(), { ...press, ...where }, this.letters());
    if (command === undefined) return;
    event.preventDefault();
    command.run();
  };
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'search', 'number', 'email', 'url', 'password']);

const takesText = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  target instanceof HTMLDialogElement ||
  (target instanceof HTMLInputElement && TEXT_TYPES.has(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable);

/** What Space or Enter presses: those keys stay its own. */
const isPressed = (target: EventTarget): boolean =>
  target instanceof HTMLButtonElement ||
  target instanceof HTMLAnchorElement ||
  target instanceof HTMLInputElement ||
  (target instanceof HTMLElement && target.localName === 'summary');
