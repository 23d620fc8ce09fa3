/**
 * Turns a table of texts, English to another language, into what `@lit/localize` looks up. `{0}`, `{1}` ... are what the
 * code puts in, in the order of the English; a translation may move them.
 */
import { type LocaleModule, str } from '@lit/localize';
import { generateMsgId } from '@lit/localize/internal/id-generation.js';
import { html } from 'lit';

/** Template strings as a tag gets them. */
function templateOf(text: string): { readonly strings: TemplateStringsArray; readonly places: readonly number[] } {
  const parts = text.split(/\{(\d+)\}/);
  const strings = parts.filter((_, index) => index % 2 === 0);
  const places = parts.filter((_, index) => index % 2 === 1).map(Number);
  return { strings: Object.assign(strings, { raw: [...strings] }), places };
}

/** The id that `msg()` computes from the English words: FNV-1a over them, `s` for text and `h` for HTML. */
export function localeOf(texts: Readonly<Record<string, string>>): LocaleModule {
  const templates: LocaleModule['templates'] = {};
  for (const [english, translated] of Object.entries(texts)) {
    const source = templateOf(english).strings;
    const { strings, places } = templateOf(translated);
    templates[generateMsgId(source, false)] = places.length === 0 ? translated : str(strings, ...places);
    templates[generateMsgId(source, true)] = html(strings, ...places);
  }
  return { templates };
}
