/**
 * The language of the lab. Texts are written in English in the code, `msg(...)`; the other language is fetched when it is
 * first chosen (`locales/`), and every element that shows a message draws itself again, with its state as it was.
 */
import { configureLocalization, LOCALE_STATUS_EVENT, type LocaleModule } from '@lit/localize';
import { LANGUAGE_TAGS, type Language } from '../model/lesson/local-text.js';
import { type ReadSentence } from './locales/sentence-reader.js';

/** How each language calls itself: what the switch shows. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'EN', zh: '中文' };

let readChinese: ((sentence: string) => ReadSentence | undefined) | undefined;

const { getLocale, setLocale } = configureLocalization({
  sourceLocale: LANGUAGE_TAGS.en,
  targetLocales: [LANGUAGE_TAGS.zh],
  loadLocale: async (): Promise<LocaleModule> => {
    const { locale, readSentence } = await import('./locales/zh-hans.js');
    readChinese = readSentence;
    return locale;
  },
});

/** The tag of the language that is shown. */
export const languageTag = (): string => getLocale();

/** A sentence of a model in the language of the lab; undefined in English, and where no text is known for it. */
export const readSaid = (sentence: string): ReadSentence | undefined =>
  getLocale() === LANGUAGE_TAGS.zh ? readChinese?.(sentence) : undefined;

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
