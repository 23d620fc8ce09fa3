import { type LitElement } from 'lit';
import { type Theme } from '../../app/url-state.js';
import { MediaController } from './media-controller.js';

/**
 * Puts the chosen theme on the document, so that tokens swap everywhere at once. `system` follows the system while it
 * changes.
 */
export class ThemeController {
  readonly #prefersDark: MediaController;

  constructor(
    host: LitElement,
    private readonly theme: () => Theme,
  ) {
    this.#prefersDark = new MediaController(host, '(prefers-color-scheme: dark)');
    host.addController(this);
  }

  hostUpdate(): void {
    const theme = this.theme();
    const shown = theme === 'system' ? (this.#prefersDark.matches ? 'dark' : 'light') : theme;
    if (document.documentElement.dataset['theme'] === shown) return;
    document.documentElement.dataset['theme'] = shown;
  }
}
