import { msg } from '@lit/localize';
import { type AdapterState } from '../../../app/adapter-state.js';
import { type GpuHolder, othersTurn } from '../../../app/gpu-turns.js';
import { type SettingsProblems } from '../../../app/settings.js';
import { gpuHolderWords } from '../../../app/words.js';

/** Why no run can start with this adapter, its holder and these settings, in a sentence; empty where one can. */
export function obstacleWords(
  adapter: AdapterState,
  problems: SettingsProblems,
  holder: GpuHolder | undefined,
): string {
  if (adapter.kind === 'asking') return msg('Waiting for the adapter.', { desc: 'run bar: why no run can start' });
  if (adapter.kind === 'none') {
    return msg('There is no adapter to measure on.', { desc: 'run bar: why no run can start' });
  }
  if (adapter.kind === 'lost') {
    return msg('The device was lost. Recover it in Setup, then run again.', {
      desc: 'run bar: why no run can start',
    });
  }
  if (Object.keys(problems).length > 0) {
    return msg('A setting cannot be used; it says why.', { desc: 'run bar: why no run can start' });
  }
  const other = othersTurn(holder, 'measure');
  return other === undefined ? '' : gpuHolderWords(other);
}
