import { type LitElement } from 'lit';
import { type Theme } from '../../app/url-state.js';
import { MediaController } from './media-controller.js';

/**
 * Puts the chosen theme and presenter mode on the document, so that tokens swap everywhere at once. `system` follows the
 * system while it changes.
 */
export class ThemeController {
  readonly #prefersDark: MediaController;

  constructor(
    host: LitElement,
    private readonly theme: () => Theme,
    private readonly presenting: () => boolean,
  ) {
    this.#prefersDark = new MediaController(host, '(prefers-color-scheme: dark)');
    host.addController(this);
  }

  hostUpdate(): void {
    const theme = this.theme();
    const shown = theme === 'system' ? (this.#prefersDark.matches ? 'dark' : 'light') : theme;
    const { dataset } = document.documentElement;
    if (dataset['theme'] !== shown) dataset['theme'] = shown;
    document.documentElement.toggleAttribute('data-present', this.presenting());
  }
}
