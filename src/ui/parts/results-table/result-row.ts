import { msg, str } from '@lit/localize';
import { html, svg, type TemplateResult } from 'lit';
import { modelWords } from '../../../app/model-words.js';
import { isDoubt } from '../../../app/rows.js';
import { flagExplanation, unitExplanation } from '../../../app/explain-words.js';
import { flagWords } from '../../../app/words.js';
import { formatNumber, formatSignificant } from '../../../base/format.js';
import { type MeasuredRow, type Row, type Stats } from '../../../model/report/schema.js';
import { icons } from '../../styles/icons.js';

const SPREAD_WIDTH = 88;
const SPREAD_HEIGHT = 12;
const LEAST_WIDTH = 3;

/** One line of the table: a figure with its spread and flags, or why there is none. */
export function resultRow(row: Row): TemplateResult {
  const name = html`<th scope="row">${row.id}</th>`;
  if (row.status === 'measured')
    return html`<tr>
      ${name}${measuredCells(row)}
    </tr>`;
  const isSkipped = row.status === 'skipped';
  const word = isSkipped
    ? msg('skipped', { desc: 'results: in place of a number' })
    : msg('no number', { desc: 'results: in place of the number of a failed row' });
  return html`
    <tr>
      ${name}
      <td class="none" colspan="2">${word}</td>
      <td></td>
      <td></td>
      <td></td>
      <td>
        <span class="status wrap ${isSkipped ? 'skip' : 'bad'}">
          ${isSkipped ? icons.skip : icons.bad}<span>${modelWords(row.reason)}</span>
        </span>
      </td>
    </tr>
  `;
}

function measuredCells(row: MeasuredRow): TemplateResult {
  const { stats } = row;
  return html`
    <td class="number value">${formatSignificant(row.value)}</td>
    <td class="unit">
      ${
        unitExplanation(row.unit) === undefined
          ? row.unit
          : html`<span class="explained" aria-describedby="unit-${unitId(row.unit)}">${row.unit}</span>`
      }
    </td>
    <td>${spread(row.value, stats)}</td>
    <td class="number">${halfWidth(row.value, stats)}</td>
    <td class="number">${formatNumber(stats.n)}</td>
    <td>
      <span class="status ok">${icons.ok}${msg('verified', { desc: 'results: every element was right' })}</span>
      ${row.flags.map((flag) => renderFlag(flag))}
    </td>
  `;
}

/** A flag says what it means on hover and on focus, so it is a button where there is something to say. */
function renderFlag(flag: string): TemplateResult {
  const look = isDoubt(flag) ? 'warn' : 'skip';
  const icon = isDoubt(flag) ? icons.warn : icons.skip;
  if (flagExplanation(flag) === undefined) return html`<span class="status ${look}">${icon}${flagWords(flag)}</span>`;
  return html`<button type="button" class="explained status ${look}" aria-describedby="flag-${flag}">
    ${icon}${flagWords(flag)}
  </button>`;
}

/** Half the 95 % interval over the figure. */
function halfWidth(value: number, { ci95, n }: Stats): string {
  if (n < 2) return '';
  const percent = (Math.abs(ci95[1] - ci95[0]) / 2 / value) * 100;
  return msg(str`±${formatNumber(percent, percent < 10 ? 1 : 0)} %`, { desc: 'results: half of the 95 % interval' });
}

/** From the smallest sample to the largest: the 95 % interval as a box, the figure as a mark. */
function spread(value: number, { min, max, ci95 }: Stats): TemplateResult {
  const range = max - min;
  const at = (x: number) =>
    range === 0 ? SPREAD_WIDTH / 2 : Math.min(Math.max((x - min) / range, 0), 1) * SPREAD_WIDTH;
  const left = Math.min(at(ci95[0]), SPREAD_WIDTH - LEAST_WIDTH);
  const width = Math.max(LEAST_WIDTH, at(ci95[1]) - left);
  const mark = Math.min(Math.max(at(value) - 1, 0), SPREAD_WIDTH - 2);
  return html`<svg class="spread" viewBox="0 0 ${SPREAD_WIDTH} ${SPREAD_HEIGHT}" aria-hidden="true">
    ${svg`
      <line class="range" x1="0" x2=${SPREAD_WIDTH} y1="6" y2="6"/>
      <rect class="interval" x=${left} y="3" width=${width} height="6"/>
      <rect class="median" x=${mark} y="0" width="2" height="12"/>
    `}
  </svg>`;
}

/** A unit as part of an id. */
export const unitId = (unit: string): string => unit.replace(/[^A-Za-z]/g, '');
