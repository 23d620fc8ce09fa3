import { type ReactiveController, type ReactiveControllerHost } from 'lit';

export interface DropOptions {
  /** Whether drops and pastes are for this page now. */
  readonly isActive: () => boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onText: (text: string) => void;
}

/** Takes what is dropped or pasted anywhere in the window: files, or text that goes into no field. */
export class DropController implements ReactiveController {
  #depth = 0;
  readonly #options: DropOptions;

  constructor(
    private readonly host: ReactiveControllerHost,
    options: DropOptions,
  ) {
    this.#options = options;
    host.addController(this);
  }

  /** Something that could be dropped hangs over the window. */
  get isOver(): boolean {
    return this.#depth > 0;
  }

  hostConnected(): void {
    for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'] as const) addEventListener(name, this.#onDrag);
    addEventListener('paste', this.#onPaste);
  }

  hostDisconnected(): void {
    for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'] as const) removeEventListener(name, this.#onDrag);
    removeEventListener('paste', this.#onPaste);
  }

  readonly #onDrag = (event: DragEvent): void => {
    const data = event.dataTransfer;
    if (
      !this.#options.isActive() ||
      data === null ||
      !(data.types.includes('Files') || data.types.includes('text/plain'))
    )
      return;
    // Text goes into a field; a file that is let go there would take the page away.
    if (isField(event) && !data.types.includes('Files')) return;
    event.preventDefault();
    if (event.type === 'dragenter') this.#setDepth(this.#depth + 1);
    else if (event.type === 'dragleave') this.#setDepth(Math.max(0, this.#depth - 1));
    else if (event.type === 'dragover') data.dropEffect = 'copy';
    else {
      this.#setDepth(0);
      this.#take([...data.files], data.getData('text/plain'));
    }
  };

  readonly #onPaste = (event: ClipboardEvent): void => {
    if (!this.#options.isActive() || isField(event)) return;
    const data = event.clipboardData;
    if (data === null) return;
    event.preventDefault();
    this.#take([...data.files], data.getData('text/plain'));
  };

  #take(files: readonly File[], text: string): void {
    if (files.length > 0) this.#options.onFiles(files);
    else if (text.trim() !== '') this.#options.onText(text);
  }

  #setDepth(depth: number): void {
    const wasOver = this.isOver;
    this.#depth = depth;
    if (wasOver !== this.isOver) this.host.requestUpdate();
  }
}

/** Inputs that hold no text: a slider that has the focus takes no paste away from the page. */
const NO_TEXT = ['button', 'checkbox', 'color', 'file', 'radio', 'range', 'reset', 'submit'];

/** A field keeps the text that is dropped on or pasted into it. */
function isField(event: Event): boolean {
  const [target] = event.composedPath();
  if (target instanceof HTMLInputElement) return !NO_TEXT.includes(target.type);
  return target instanceof HTMLTextAreaElement;
}
