/** Why a step does not fit, and what would make it fit, the cheapest change first. */
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { modelWords, sentencesWords } from '../../../app/model-words.js';
import type { PlanAnswer } from '../../../app/plan-work.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import type { ChangeRow } from '../../../model/plan/advice.js';
import type { PlanReplay } from '../../../model/plan/replay-plan.js';
import { isTooLarge } from '../../../model/plan/room.js';
import { icons } from '../../styles/icons.js';

/** `onApply` takes a change over into the plan. */
export function planAdvice(answer: PlanAnswer, capacity: number, onApply: (row: ChangeRow) => void): TemplateResult {
  const { replay } = answer;
  if (typeof replay === 'string') {
    return html`<p class="hint">${modelWords(replay)}</p>
      ${isTooLarge(answer.plan) ? changes(answer, capacity, onApply) : nothing}`;
  }
  const { card, reconciliation, step } = replay;
  const operations = formatNumber(step.trace.length);
  const phase = modelWords(reconciliation.phase);
  return html`
    <p class="hint">
      ${msg(str`${operations} operations were replayed. Most is allocated in the phase "${phase}".`, {
        desc: 'plan: what the figures come from',
      })}
    </p>
    ${figures(replay)} ${card === undefined || card.result.outcome.status === 'completed' ? nothing : why(answer)}
    ${changes(answer, capacity, onApply)}
  `;
}

/** How the sum of the formulas becomes the peaks of the replay. */
function figures({ reconciliation, needed }: PlanReplay) {
  const sum = reconciliation.terms.reduce((total, { formula }) => total + formula, 0);
  const rows = [
    [msg('Formulas, each at its most', { desc: 'plan: line of the sum' }), sum, ''],
    [msg('Not alive at the peak', { desc: 'plan: line of the sum' }), reconciliation.notAtPeak, '\u2212'],
    [msg('Rounding of blocks', { desc: 'plan: line of the sum' }), reconciliation.rounding, '+'],
    [msg('Peak allocated', { desc: 'plan: line of the sum' }), needed.peakAllocated, '='],
    [msg('Peak reserved', { desc: 'plan: line of the sum' }), needed.peakReserved, ''],
  ] as const;
  return html`
    <table class="sum">
      <caption class="unseen">
        ${msg('Formula against replay', { desc: 'plan: name of the sum' })}
      </caption>
      ${rows.map(
        ([words, bytes, sign]) => html`
          <tr>
            <th scope="row">${words}</th>
            <td>${sign}</td>
            <td class="number">${formatBytes(bytes)}</td>
            <td class="number quiet">${formatNumber(bytes)} B</td>
          </tr>
        `,
      )}
    </table>
  `;
}

function why({ replay }: PlanAnswer) {
  if (typeof replay === 'string') return nothing;
  const outcome = replay.card?.result.outcome;
  const story = replay.card?.story;
  if (outcome?.status !== 'out-of-memory' || story === undefined) return nothing;
  const { label } = story.refused;
  const [needed, free, hole, left] = [story.needed, story.free, story.largestHole, story.notReserved].map((each) =>
    formatBytes(each),
  );
  const at = formatNumber(outcome.operation);
  return html`
    <h2>${msg('Why', { desc: 'plan: heading, at an out of memory' })}</h2>
    <p>
      ${msg(str`At operation ${at} ${label} asked for ${needed ?? ''} in one piece.`, { desc: 'plan: why, the request' })}
      ${msg(
        str`${free ?? ''} are free in the cache, the largest hole has ${hole ?? ''}; ${left ?? ''} are not reserved yet.`,
        {
          desc: 'plan: why, what there was',
        },
      )}
    </p>
  `;
}

function changes({ changes: rows, isDone, replay }: PlanAnswer, capacity: number, onApply: (row: ChangeRow) => void) {
  if (typeof replay !== 'string' && replay.card?.result.outcome.status === 'completed') return nothing;
  const card = formatBytes(capacity);
  const heading = msg(str`What fits in ${card}`, { desc: 'plan: heading over the changes' });
  if (rows === undefined) {
    return isDone
      ? nothing
      : html`<p class="quiet" role="status">${msg('Trying changes', { desc: 'plan: while changes are tried' })}</p>`;
  }
  const isNone = rows.every(({ fits }) => fits !== true);
  return html`
    <h2>${heading}</h2>
    ${isNone ? html`<p>${msg('None of the changes tried fits.', { desc: 'plan: no change helps' })}</p>` : nothing}
    <ul class="changes">
      ${rows.map((row) => changeRow(row, onApply))}
    </ul>
  `;
}

function changeRow(row: ChangeRow, onApply: (row: ChangeRow) => void) {
  const { change, costs, fits, peakReserved } = row;
  const cost = sentencesWords(costs);
  const peak = peakReserved === undefined ? '' : formatBytes(peakReserved);
  return html`
    <li class=${fits === true ? 'fits' : ''}>
      <span class="status ${fits === true ? 'ok' : 'skip'}">
        ${fits === true ? icons.ok : icons.bad}
        ${fits === true ? msg('fits', { desc: 'plan: a change' }) : msg('does not fit', { desc: 'plan: a change' })}
      </span>
      <code>${change}</code>
      <button class="text" @click=${() => onApply(row)}>
        ${msg('Apply', { desc: 'plan: button, takes a change over' })}<code class="unseen"> ${change}</code>
      </button>
      <span class="quiet">
        ${
          peak === ''
            ? cost
            : msg(str`peak ${peak} reserved; costs ${cost}`, { desc: 'plan: a change: its peak and what it costs' })
        }
      </span>
    </li>
  `;
}
