/**
 * The language of the lab. Texts are written in English in the code, `msg(...)`; the other language is fetched when it is
 * first chosen (`locales/`), and every element that shows a message draws itself again, with its state as it was.
 */
import { configureLocalization, LOCALE_STATUS_EVENT, type LocaleModule } from '@lit/localize';
import { LANGUAGE_TAGS, type Language } from '../model/lesson/local-text.js';

/** How each language calls itself: what the switch shows. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'EN', zh: '中文' };

const { setLocale } = configureLocalization({
  sourceLocale: LANGUAGE_TAGS.en,
  targetLocales: [LANGUAGE_TAGS.zh],
  loadLocale: async (): Promise<LocaleModule> => (await import('./locales/zh-hans.js')).locale,
});

/** Keeps `lang` of the document in step with the texts, before any element draws itself again. */
export function keepDocumentLanguage(): void {
  addEventListener(LOCALE_STATUS_EVENT, ({ detail }) => {
    if (detail.status === 'ready') document.documentElement.lang = detail.readyLocale;
  });
}

/** Switches every text. Rejects when the texts cannot be fetched; then the language stays as it was. */
export const showLanguage = (language: Language): Promise<void> => setLocale(LANGUAGE_TAGS[language]);

/** The language a browser prefers, of those there are. `preferred`: `navigator.languages`. */
export const languageOf = (preferred: readonly string[]): Language =>
  preferred[0]?.toLowerCase().startsWith('zh') === true ? 'zh' : 'en';
