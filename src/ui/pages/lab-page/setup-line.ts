import { msg, str } from '@lit/localize';
import { type LabSettings } from '../../../app/lab/lab-settings.js';
import { pairWords } from '../../../app/lab/lab-words.js';

/** The settings in one line, for the closed Setup of a narrow screen. */
export function setupLine({ pair, workload, budget }: LabSettings, brought: string | undefined): string {
  const parts = [pairWords(pair).title, brought ?? workload, budget];
  const words = parts.filter((part) => part !== '').join(', ');
  return msg(str`Compare ${words}`, { desc: 'settings of the Lab in one line' });
}
