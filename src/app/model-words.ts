/**
 * Sentences that the models carry as data (`say`, `src/base/said.ts`), in the language of the lab. Their texts stand in
 * `locales/zh-hans/said`; a report or diagnosis from a file is read the same way, since it holds the English sentence.
 */
import { msg, str } from '@lit/localize';
import { assertNever } from '../base/errors.js';
import { formatNumber } from '../base/format.js';
import { sizeLabel } from '../base/sizes.js';
import { type Parameter } from '../model/workload/parameter.js';
import { languageTag, readSaid } from './locale.js';

/** A sentence as the model has it; English where no text is known for it. */
export const modelWords = (english: string): string => readSaid(english)?.text ?? english;

/** Sentences or options one after the other, as a list. */
export const listWords = (english: readonly string[]): string =>
  english.map(modelWords).join(msg(', ', { desc: 'between two things of a list' }));

/** Whole sentences, one after the other. */
export const sentencesWords = (english: readonly string[]): string =>
  english.map(modelWords).join(msg('; ', { desc: 'between two sentences' }));

/** What a parameter is about and what it takes. */
export function parameterWords(parameter: Parameter): string {
  const about = modelWords(parameter.about);
  const range = rangeWords(parameter);
  return msg(str`${about} (${range})`, { desc: 'tip of a parameter: meaning and range' });
}

/** `1–1,024 sequences`, `concat, prealloc, or none`. */
function rangeWords(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'integer':
      return `${formatNumber(parameter.min)}\u2013${formatNumber(parameter.max)} ${modelWords(parameter.unit)}`.trim();
    case 'size':
      return `${sizeLabel(parameter.min)}\u2013${sizeLabel(parameter.max)}`;
    case 'choice':
      return oneOf(parameter.choices);
    case 'flag':
      return oneOf(['true', 'false']);
    case 'text':
      return modelWords(parameter.takes);
    default:
      return assertNever(parameter);
  }
}

const oneOf = (names: readonly string[]): string =>
  new Intl.ListFormat(languageTag(), { type: 'disjunction' }).format(names);
