import { type ReactiveController, type ReactiveControllerHost } from 'lit';

/** A screen reader is told of progress at most this often; an end is told at once. */
const INTERVAL_MS = 5000;

/** Text for an `aria-live` region that does not chatter. */
export class PoliteController implements ReactiveController {
  #text = '';
  #toldAt = -Infinity;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** What the region shows. */
  get text(): string {
    return this.#text;
  }

  /** Progress: told when the last message is old enough. */
  progress(text: string): void {
    if (performance.now() - this.#toldAt >= INTERVAL_MS) this.tell(text);
  }

  /** Told at once. */
  tell(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#toldAt = performance.now();
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#text = '';
  }
}
