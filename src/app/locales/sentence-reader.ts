/**
 * Reads sentences that a model made (`say`, `src/base/said.ts`) back into the templates they were made from, and writes them
 * in another language. What was put in may be such a sentence itself. Of several readings the one counts that leaves the
 * fewest letters of English, then the one with the most words of its own; a text that has none is not touched.
 *
 *     const read = sentenceReader({ '{0} were needed': '需要 {0}' });
 *     read('3 GiB were needed'); // { text: '需要 3 GiB', template: '{0} were needed', values: ['3 GiB'] }
 *     read('something else'); // undefined
 */

/** A sentence in the other language. */
export interface ReadSentence {
  readonly text: string;
  /** The English it was made from, `{0}` for what is put in. */
  readonly template: string;
  /** What is put in, in the order of the English, as it stood there. */
  readonly values: readonly string[];
}

interface Template {
  readonly english: string;
  /** Words between the places; one more than places. */
  readonly words: readonly string[];
  /** Characters of the words. */
  readonly own: number;
  /** Not marks alone. */
  readonly hasWords: boolean;
  readonly translated: readonly string[];
}

interface Reading extends ReadSentence {
  /** Letters of English that no template has. */
  readonly left: number;
  readonly own: number;
  /** Places whose value begins in one sentence and ends in the next. */
  readonly crossed: number;
  readonly startsWithWords: boolean;
}

/** Ways to cut one sentence by one template that are looked at. */
const MOST_CUTS = 64;
/** No sentence of a model is longer, nor put together from more parts. */
const LONGEST = 5000;
const MOST_PARTS = 2000;
/** Sentences in one another. */
const DEEPEST = 8;
const MOST_REMEMBERED = 5000;
/** So many plain words in a row are a sentence that nobody translated: half a translation is worse than none. */
const UNREAD_SENTENCE = /(?:^|\s)[a-z]{2,}(?:,? [a-z]{2,}){5,}(?:\W|$)/;
const SENTENCE_END = /\. \p{Lu}/u;
/** Names with commas between them are no sentence, however many. */
const LIST_OF_NAMES = /^[\w.-]+(?:, [\w.-]+)+$/;

/** `texts`: English to the other language, with `{0}`, `{1}` ... for what is put in. */
export function sentenceReader(
  texts: Readonly<Record<string, string>>,
): (sentence: string) => ReadSentence | undefined {
  const templates = Object.entries(texts).map(([english, translated]): Template => {
    const words = english.split(/\{\d+\}/);
    return {
      english,
      words,
      own: words.join('').length,
      hasWords: /[\p{L}\d]/u.test(words.join('')),
      translated: translated.split(/\{(\d+)\}/),
    };
  });
  const whole = new Map(templates.flatMap((each) => (each.words.length === 1 ? [[each.english, each]] : [])));
  const parted = templates.filter(({ words }) => words.length > 1);
  const remembered = new Map<string, Reading | undefined>();

  let looked = 0;
  let depth = 0;

  function read(sentence: string): Reading | undefined {
    if (remembered.has(sentence)) return remembered.get(sentence);
    if (depth > DEEPEST || ++looked > MOST_PARTS) return undefined;
    const exact = whole.get(sentence);
    depth++;
    const found = exact === undefined ? bestOf(sentence) : written(exact, []);
    depth--;
    if (looked <= MOST_PARTS) remembered.set(sentence, found);
    return found;
  }

  function bestOf(sentence: string): Reading | undefined {
    let best: Reading | undefined;
    for (const template of parted) {
      for (const values of cuts(sentence, template.words)) {
        const reading = written(template, values);
        if (reading !== undefined && (best === undefined || isBetter(reading, best))) best = reading;
      }
    }
    return best;
  }

  function written(template: Template, values: readonly string[]): Reading | undefined {
    const parts = values.map(part);
    if (parts.some(({ isUnread }) => isUnread)) return undefined;
    // Marks alone (a name, a colon, a sentence) are in many texts that no model made.
    if (!template.hasWords && parts.length > 0 && !parts.some(({ isKnown }) => isKnown)) return undefined;
    const text = template.translated.map((words, index) =>
      index % 2 === 0 ? words : (parts[Number(words)]?.text ?? ''),
    );
    return {
      text: text.join(''),
      template: template.english,
      values,
      left: parts.reduce((sum, { left }) => sum + left, 0),
      own: template.own,
      crossed: values.filter((value) => SENTENCE_END.test(value)).length,
      startsWithWords: template.words[0] !== '',
    };
  }

  /** What was put in: a sentence, several with semicolons between them, a list, or a name or figure that stays as it is. */
  function part(value: string): Part {
    const reading = read(value);
    if (reading !== undefined) return { ...reading, isUnread: false, isKnown: true };
    const sentences = value.split('; ');
    if (sentences.length > 1) return joined(sentences.map(part), '；');
    const names = value.split(', ');
    if (names.length > 1 && names.some((name) => whole.has(name))) return joined(names.map(nameOf), '、');
    return nameOf(value);
  }

  function nameOf(name: string): Part {
    // A figure may stand before the name of what is counted.
    const [, figure = '', counted = name] = /^([\d.,]+ )(.+)$/.exec(name) ?? [];
    const known = whole.get(counted)?.translated[0];
    return known === undefined
      ? {
          text: name,
          left: lettersOf(name),
          isUnread: UNREAD_SENTENCE.test(name) && !LIST_OF_NAMES.test(name),
          isKnown: false,
        }
      : { text: figure + known, left: 0, isUnread: false, isKnown: true };
  }

  return (sentence) => {
    if (sentence.length > LONGEST) return undefined;
    if (remembered.size > MOST_REMEMBERED) remembered.clear();
    looked = 0;
    const found = read(sentence);
    return looked > MOST_PARTS ? undefined : found;
  };
}

interface Part {
  readonly text: string;
  readonly left: number;
  /** It holds a sentence that no template is of. */
  readonly isUnread: boolean;
  /** A template is of it, or of a part of it. */
  readonly isKnown: boolean;
}

const joined = (parts: readonly Part[], between: string): Part => ({
  text: parts.map(({ text }) => text).join(between),
  left: parts.reduce((sum, { left }) => sum + left, 0),
  isUnread: parts.some(({ isUnread }) => isUnread),
  isKnown: parts.some(({ isKnown }) => isKnown),
});

const lettersOf = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

/** What begins a sentence with words of its own encloses the rest more often than what ends it so. */
const isBetter = (one: Reading, other: Reading): boolean =>
  one.left !== other.left
    ? one.left < other.left
    : one.crossed !== other.crossed
      ? one.crossed < other.crossed
      : one.startsWithWords !== other.startsWithWords
        ? one.startsWithWords
        : one.own > other.own;

/** Every way (of the first few) in which `words` stand in a sentence with something between each two of them. */
function cuts(sentence: string, words: readonly string[]): string[][] {
  const [first = '', ...rest] = words;
  const last = rest.at(-1) ?? '';
  if (!sentence.startsWith(first) || !sentence.endsWith(last)) return [];
  const found: string[][] = [];
  const follow = (from: number, index: number, values: readonly string[]): void => {
    const next = rest[index] ?? '';
    if (index === rest.length - 1) {
      const end = sentence.length - next.length;
      if (end > from) found.push([...values, sentence.slice(from, end)]);
      return;
    }
    for (let at = sentence.indexOf(next, from + 1); at !== -1; at = sentence.indexOf(next, at + 1)) {
      follow(at + next.length, index + 1, [...values, sentence.slice(from, at)]);
      if (found.length >= MOST_CUTS) return;
    }
  };
  follow(first.length, 0, []);
  return found;
}
