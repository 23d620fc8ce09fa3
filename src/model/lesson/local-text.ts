/** A text in the languages that its author wrote. */

/** Languages of the lab, by their short names in files and links. */
export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** At least one of the two is there. */
export interface LocalText {
  readonly en?: string | undefined;
  readonly zh?: string | undefined;
}

/** A text to show, and the language it is in: the one wanted, or the one there is. */
export interface ShownText {
  readonly text: string;
  readonly language: Language;
}

/** What `lang` attributes say. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-Hans' };

/** Picks a text in the language wanted, or in the other one where there is no more. */
export function textIn(text: LocalText, wanted: Language): ShownText {
  const other = wanted === 'en' ? 'zh' : 'en';
  const found = text[wanted];
  if (found !== undefined) return { text: found, language: wanted };
  return { text: text[other] ?? '', language: other };
}
