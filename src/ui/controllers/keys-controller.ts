import { type ReactiveController, type ReactiveControllerHost } from 'lit';
import { type Command, commandFor } from '../../app/commands.js';

/** Runs commands by key, from anywhere on the page but a field or an open dialog. */
export class KeysController implements ReactiveController {
  constructor(
    host: ReactiveControllerHost,
    private readonly commands: () => readonly Command[],
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
    const { key, ctrlKey, metaKey, altKey, repeat } = event;
    const isTyping = event.composedPath().some(takesText);
    const command = commandFor(this.commands(), { key, ctrlKey, metaKey, altKey, repeat, isTyping });
    if (command === undefined || event.defaultPrevented) return;
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
