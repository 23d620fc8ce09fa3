/** Words of the comparison of model and real buffers: rows, values, states and notes. */
import { msg, str } from '@lit/localize';
import { formatBytes, formatDuration, formatNumber } from '../../base/format.js';
import { modelWords } from '../model-words.js';
import { type RealFacts, type RealRow, type RealSide } from './real-state.js';

const BILLION = 1e9;

/** How far a side is. */
export function realState(side: RealSide): string {
  switch (side.kind) {
    case 'not-run':
      return msg('not run', { desc: 'real buffers' });
    case 'done':
      return msg('done', { desc: 'real buffers' });
    case 'none':
      return modelWords(side.words);
    case 'running': {
      const { plan, reached } = side;
      if (plan === undefined) return msg('planning', { desc: 'real buffers' });
      const made = formatNumber(reached?.segments ?? 0);
      return msg(str`${made} of ${formatNumber(plan.segments)} segments`, { desc: 'real buffers: while it runs' });
    }
  }
}

/** A value of a row. */
export function realValue(key: RealRow['key'], value: number | string | undefined): string {
  if (value === undefined) return msg('none', { desc: 'real buffers: no value' });
  if (value === 'completed') return msg('completes', { desc: 'real buffers: outcome' });
  if (value === 'out-of-memory') return msg('out of memory', { desc: 'real buffers: outcome' });
  if (typeof value === 'string') return value;
  if (key === 'checked' && value >= BILLION) {
    return msg(str`${formatNumber(value / BILLION, 2)} billion`, { desc: 'real buffers: words checked' });
  }
  return key === 'create-mean' || key === 'step' ? formatDuration(value) : formatNumber(value);
}

/** The name of a row. */
export function realLabel(key: RealRow['key']): string {
  const labels: Readonly<Record<RealRow['key'], () => string>> = {
    'segments-predicted': () => msg('Segments predicted', { desc: 'real buffers: row' }),
    'segments-created': () => msg('Segments created', { desc: 'real buffers: row' }),
    'outcome-predicted': () => msg('Outcome predicted', { desc: 'real buffers: row' }),
    'outcome-met': () => msg('Outcome met', { desc: 'real buffers: row' }),
    'refusals-met': () => msg('Requests refused', { desc: 'real buffers: row' }),
    corrupt: () => msg('Corrupt words', { desc: 'real buffers: row' }),
    checked: () => msg('Words checked', { desc: 'real buffers: row' }),
    creates: () => msg('Buffers made', { desc: 'real buffers: row' }),
    'create-mean': () => msg('Time to make one', { desc: 'real buffers: row' }),
    step: () => msg('Time of a step', { desc: 'real buffers: row' }),
  };
  return labels[key]();
}

/** What a reader has to know: the scale, and where the device gave less than was asked. */
export function realNotes(
  { scale, scaling, budgetBytes, why, replans = [] }: RealFacts,
  side: string,
): readonly string[] {
  const lowered =
    replans.length === 0
      ? ''
      : msg(str`The device refused earlier: the budget was lowered to ${formatBytes(budgetBytes)}.`, {
          desc: 'real buffers: note',
        });
  const scaled =
    scale === 1 ? '' : msg(str`Side ${side} ran scaled: ${modelWords(scaling)}.`, { desc: 'real buffers: note' });
  return [lowered, modelWords(why ?? ''), scaled].filter((line) => line !== '');
}
