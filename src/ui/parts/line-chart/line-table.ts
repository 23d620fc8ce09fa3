import { msg } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatBytes, formatNumber, formatSignificant } from '../../../base/format.js';
import { type LineFigure } from '../../../model/report/charts/line-chart.js';
import { type SizedPoint } from '../../../model/report/charts/sized-point.js';

/** The numbers of the chart, one line a working set and series. */
export function lineTable({ lines, unit, note }: LineFigure): TemplateResult {
  const rows = lines.flatMap(({ label, points }) => points.map((point) => ({ label, point })));
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${msg('Numbers of the chart', { desc: 'region' })}>
      <table>
        <thead>
          <tr>
            <th scope="col">${msg('Line', { desc: 'column: which line of the chart' })}</th>
            <th scope="col" class="number">${msg('Working set', { desc: 'column' })}</th>
            <th scope="col" class="number">${unit}</th>
            <th scope="col" class="number">${msg('From', { desc: 'column: low end of the whisker' })}</th>
            <th scope="col" class="number">${msg('To', { desc: 'column: high end of the whisker' })}</th>
            <th scope="col">${msg('Whisker', { desc: 'column: what the whisker means' })}</th>
            <th scope="col" class="number">n</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(({ label, point }) => tableRow(label, point))}
        </tbody>
      </table>
      ${rows.length === 0 ? html`<p class="hint">${note}</p>` : nothing}
    </div>
  `;
}

const tableRow = (label: string, point: SizedPoint): TemplateResult => html`
  <tr>
    <th scope="row">${label}</th>
    <td class="number">${formatBytes(point.workingSet)}</td>
    <td class="number">${formatSignificant(point.value)}</td>
    <td class="number">${formatSignificant(point.low)}</td>
    <td class="number">${formatSignificant(point.high)}</td>
    <td>${whiskerWords(point.basis)}</td>
    <td class="number">${formatNumber(point.samples)}</td>
  </tr>
`;

const whiskerWords = (basis: SizedPoint['basis']): string =>
  basis === 'range'
    ? msg('range of samples', { desc: 'table of the chart: what the whisker is' })
    : msg('95 % interval', { desc: 'table of the chart: what the whisker is' });
