import { msg, str } from '@lit/localize';
import { type RunSettings } from '../../../app/settings.js';
import { presetWords } from '../../../app/words.js';

/** The settings in one line, for when their fields are folded away. */
export function settingsLine({ suites, preset, filter, budget, seed }: RunSettings): string {
  const names = suites.join(', ');
  const head = msg(str`${names}, ${presetWords(preset)}, budget ${budget}, seed ${seed}`, {
    desc: 'settings in one line: suites, preset, budget, seed',
  });
  if (filter === '') return head;
  return msg(str`${names}, ${presetWords(preset)}, filter ${filter}, budget ${budget}, seed ${seed}`, {
    desc: 'settings in one line: suites, preset, filter, budget, seed',
  });
}
