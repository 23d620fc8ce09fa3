import { type ReactiveController, type ReactiveControllerHost } from 'lit';

/** Whether a media query holds; its host is updated when that changes. */
export class MediaController implements ReactiveController {
  readonly #query: MediaQueryList;

  constructor(
    private readonly host: ReactiveControllerHost,
    query: string,
  ) {
    this.#query = matchMedia(query);
    host.addController(this);
  }

  get matches(): boolean {
    return this.#query.matches;
  }

  hostConnected(): void {
    this.#query.addEventListener('change', this.#onChange);
  }

  hostDisconnected(): void {
    this.#query.removeEventListener('change', this.#onChange);
  }

  readonly #onChange = (): void => this.host.requestUpdate();
}
