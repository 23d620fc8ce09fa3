import { type ReactiveController, type ReactiveControllerHost } from 'lit';
import { type PageElement, type PageEntry } from '../pages/page.js';

/** Loads pages at their first visit and keeps them, so that a run goes on while another page is on screen. */
export class PagesController implements ReactiveController {
  readonly #made = new Map<string, PageElement>();
  readonly #asked = new Set<string>();
  #failed: string | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly pages: readonly PageEntry[],
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#failed = undefined;
  }

  /** Every page visited, in the order of the first visits. */
  get elements(): readonly PageElement[] {
    return [...this.#made.values()];
  }

  /** How the page stands. `failed`: its code did not arrive. */
  stateOf(name: string): 'there' | 'loading' | 'failed' {
    if (this.#made.has(name)) return 'there';
    return this.#failed === name ? 'failed' : 'loading';
  }

  /** Puts a page on screen and tells every page whether it is the one. */
  show(name: string, presenting: boolean): void {
    for (const [each, element] of this.#made) {
      element.hidden = each !== name;
      element.shown = each === name;
      element.presenting = presenting;
    }
    if (!this.#asked.has(name)) void this.#load(name);
  }

  /** Asks once more for a page whose code did not arrive. */
  retry(name: string): void {
    this.#failed = undefined;
    void this.#load(name);
  }

  async #load(name: string): Promise<void> {
    const entry = this.pages.find((page) => page.name === name);
    if (entry === undefined) throw new Error(`no page ${name}`);
    this.#asked.add(name);
    try {
      this.#made.set(name, await entry.load());
    } catch (error) {
      this.#failed = name;
      reportError(error);
    }
    this.host.requestUpdate();
  }
}
