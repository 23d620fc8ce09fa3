import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { modelWords } from '../../../app/model-words.js';
import { assertNever } from '../../../base/errors.js';
import { formatNumber } from '../../../base/format.js';
import { type Comparison, type RowComparison, type Verdict, VERDICTS } from '../../../model/report/comparison.js';
import { formatValue } from '../../../model/report/present.js';
import { icons } from '../../styles/icons.js';

/** Two runs row by row: both figures, the ratio of their time with its interval, the verdict and why. */
export function comparisonView(comparison: Comparison | undefined): TemplateResult {
  if (comparison === undefined) {
    return html`<p class="empty hint">
      ${msg('Choose two runs, A as the baseline and B to be judged against it, then compare them.', {
        desc: 'comparison: before there is one',
      })}
    </p>`;
  }
  const { a, b, counts, obstacles, warnings, rows, threshold } = comparison;
  const percent = formatNumber(threshold * 100, 0);
  return html`
    <div class="top">
      <h3>${msg(str`A ${a.name}, B ${b.name}`, { desc: 'comparison: heading' })}</h3>
      ${VERDICTS.map((verdict) => {
        const count = counts[verdict] ?? 0;
        return count === 0 ? nothing : html`<span>${verdictMark(verdict)} ${formatNumber(count)}</span>`;
      })}
      <span class="quiet">${msg(str`threshold ${percent} % of time`, { desc: 'comparison' })}</span>
    </div>
    ${obstacles.map((text) => html`<p class="note">${msg(str`Not comparable: ${modelWords(text)}.`, { desc: 'comparison' })}</p>`)}
    ${warnings.map((text) => html`<p class="note">${modelWords(text)}</p>`)}
    <table>
      <thead>
        <tr>
          <th scope="col">${msg('Measurement', { desc: 'column' })}</th>
          <th scope="col" class="number">A</th>
          <th scope="col" class="number">B</th>
          <th scope="col" class="number">${msg('Time, B over A', { desc: 'column: ratio of time cost' })}</th>
          <th scope="col" class="number">${msg('95 % interval', { desc: 'column' })}</th>
          <th scope="col">${msg('Verdict', { desc: 'column' })}</th>
          <th scope="col">${msg('Why', { desc: 'column: reason of the verdict' })}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => comparedRow(row))}
      </tbody>
    </table>
  `;
}

function comparedRow({ id, unit, a, b, ratio, interval, verdict, reason }: RowComparison): TemplateResult {
  const figure = (side: RowComparison['a']) => (side === undefined ? '' : formatValue(side.value, unit));
  return html`<tr>
    <th scope="row">${id}</th>
    <td class="number">${figure(a)}</td>
    <td class="number">${figure(b)}</td>
    <td class="number">${ratio === undefined ? '' : formatNumber(ratio, 3)}</td>
    <td class="number">
      ${interval === undefined ? '' : `${formatNumber(interval[0], 3)} \u2013 ${formatNumber(interval[1], 3)}`}
    </td>
    <td>${verdictMark(verdict)}</td>
    <td>${modelWords(reason)}</td>
  </tr>`;
}

function verdictMark(verdict: Verdict): TemplateResult {
  const icon = verdict === 'faster' || verdict === 'same' ? icons.ok : verdict === 'slower' ? icons.bad : icons.warn;
  return html`<span class="status ${verdict}">${icon}${verdictWords(verdict)}</span>`;
}

function verdictWords(verdict: Verdict): string {
  switch (verdict) {
    case 'faster':
      return msg('faster', { desc: 'verdict of a comparison' });
    case 'slower':
      return msg('slower', { desc: 'verdict of a comparison' });
    case 'same':
      return msg('same', { desc: 'verdict of a comparison' });
    case 'ambiguous':
      return msg('ambiguous', { desc: 'verdict of a comparison' });
    case 'not-comparable':
      return msg('not comparable', { desc: 'verdict of a comparison' });
    default:
      return assertNever(verdict);
  }
}
