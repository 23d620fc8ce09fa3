/** The result of a plan in words, and its fields in one line. */
import { msg, str } from '@lit/localize';
import { type CardFields, type PlanFields } from '../../../app/plan-view.js';
import type { PlanAnswer } from '../../../app/plan-work.js';
import { formatBytes } from '../../../base/format.js';

export interface Verdict {
  readonly state: 'fits' | 'short' | 'unknown';
  readonly words: string;
}

/** Whether the card is enough, with the numbers that say so. */
export function verdictOf({ plan, replay }: PlanAnswer, capacity: number): Verdict {
  const [card, total] = [formatBytes(capacity), formatBytes(plan.total)];
  if (typeof replay === 'string') {
    if (plan.total > capacity) {
      return {
        state: 'short',
        words: msg(str`${total} are known to be needed, the card has ${card}`, { desc: 'plan: result' }),
      };
    }
    return { state: 'unknown', words: msg(str`${total} are known to be needed of ${card}`, { desc: 'plan: result' }) };
  }
  const reserved = formatBytes(replay.needed.peakReserved);
  const available = replay.card?.available ?? capacity;
  if (replay.card?.result.outcome.status === 'completed') {
    const spare = formatBytes(available - replay.card.result.peakReserved);
    return {
      state: 'fits',
      words: msg(str`Completes, peak ${reserved} reserved, ${spare} to spare`, { desc: 'plan: result' }),
    };
  }
  const allocated = formatBytes(replay.needed.peakAllocated);
  return {
    state: 'short',
    words: msg(str`Out of memory: the step needs ${allocated} allocated, ${reserved} reserved`, {
      desc: 'plan: result',
    }),
  };
}

/** The plan in one line, for a closed setup. */
export function planLine(fields: PlanFields, card: CardFields): string {
  const model = fields.arch === '' ? fields.params : fields.arch;
  const { batch, seq } = fields;
  const { capacity } = card;
  return msg(str`${model}, batch ${batch}, ${seq} tokens, ${capacity}`, { desc: 'plan: setup in one line' });
}
