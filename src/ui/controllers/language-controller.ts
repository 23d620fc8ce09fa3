import { type LitElement, type ReactiveController } from 'lit';
import { showLanguage } from '../../app/locale.js';
import { type Language } from '../../model/lesson/local-text.js';

/** Puts the chosen language on the whole page. `onMissing`: the texts did not arrive, and the page stays as it was. */
export class LanguageController implements ReactiveController {
  #asked: Language = 'en';

  constructor(
    host: LitElement,
    private readonly language: () => Language,
    private readonly onMissing: () => void,
  ) {
    host.addController(this);
  }

  hostUpdate(): void {
    const language = this.language();
    if (language === this.#asked) return;
    this.#asked = language;
    void showLanguage(language).catch(this.onMissing);
  }
}
