/**
 * Sentences that the models carry as data (`say`, `src/base/said.ts`), in the language of the lab. Their texts stand in
 * `locales/zh-hans/said`; a report or diagnosis from a file is read the same way, since it holds the English sentence.
 */
import { msg, str } from '@lit/localize';
import { describeRange, type Parameter } from '../model/workload/parameter.js';
import { readSaid } from './locale.js';

/** A sentence as the model has it; English where no text is known for it. */
export const modelWords = (english: string): string => readSaid(english)?.text ?? english;

/** What a parameter is about and what it takes. */
export function parameterWords(parameter: Parameter): string {
  const about = modelWords(parameter.about);
  const range = describeRange(parameter);
  return msg(str`${about} (${range})`, { desc: 'tip of a parameter: meaning and range' });
}
