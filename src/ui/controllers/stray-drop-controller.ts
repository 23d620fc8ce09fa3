import { type ReactiveController, type ReactiveControllerHost } from 'lit';

/** A file let go where no page takes one must not take the app away, and a run with it: the window refuses it. */
export class StrayDropController implements ReactiveController {
  constructor(host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    for (const name of ['dragover', 'drop'] as const) addEventListener(name, this.#onDrag);
  }

  hostDisconnected(): void {
    for (const name of ['dragover', 'drop'] as const) removeEventListener(name, this.#onDrag);
  }

  readonly #onDrag = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    const [target] = event.composedPath();
    if (target instanceof HTMLInputElement && target.type === 'file') return;
    event.preventDefault();
    // A page that takes files says otherwise after this.
    event.dataTransfer.dropEffect = 'none';
  };
}
