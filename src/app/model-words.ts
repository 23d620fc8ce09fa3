/**
 * Words that the models carry as data (what a workload and its parameters are about), in the language of the lab. They stand
 * in `locales/zh-hans/workloads.json`; `scripts/messages.test.ts` compares that with the catalogue of workloads.
 */
import { msg, msg as lookUp, str } from '@lit/localize';
import { describeRange, type Parameter } from '../model/workload/parameter.js';

/** A sentence as the model has it; English where it is not translated. */
export const modelWords = (english: string): string => lookUp(english);

/** What a parameter is about and what it takes. */
export function parameterWords(parameter: Parameter): string {
  const about = modelWords(parameter.about);
  const range = describeRange(parameter);
  return msg(str`${about} (${range})`, { desc: 'tip of a parameter: meaning and range' });
}
