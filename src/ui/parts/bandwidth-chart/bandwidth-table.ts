import { msg } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { type BandwidthLines, type BandwidthPoint } from '../../../app/bandwidth-lines.js';
import { formatBytes, formatNumber, formatSignificant } from '../../../base/format.js';

/** The numbers of the chart, one line a working set and series. */
export function bandwidthTable({ kernel, copy }: BandwidthLines): TemplateResult {
  const rows = [
    ...kernel.map((point) => ({ point, name: msg('kernel', { desc: 'label on the line of the kernel' }) })),
    ...copy.map((point) => ({ point, name: 'copyBufferToBuffer' })),
  ];
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${msg('Numbers of the chart', { desc: 'region' })}>
      <table>
        <thead>
          <tr>
            <th scope="col">${msg('Line', { desc: 'column: which line of the chart' })}</th>
            <th scope="col" class="number">${msg('Working set', { desc: 'column' })}</th>
            <th scope="col" class="number">${msg('GB/s', { desc: 'column: decimal gigabytes a second' })}</th>
            <th scope="col" class="number">${msg('From', { desc: 'column: low end of the whisker' })}</th>
            <th scope="col" class="number">${msg('To', { desc: 'column: high end of the whisker' })}</th>
            <th scope="col">${msg('Whisker', { desc: 'column: what the whisker means' })}</th>
            <th scope="col" class="number">n</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(({ point, name }) => line(point, name))}
        </tbody>
      </table>
      ${
        rows.length === 0
          ? html`<p class="hint">${msg('Run tiers to fill this.', { desc: 'empty table of the chart' })}</p>`
          : ''
      }
    </div>
  `;
}

const line = (point: BandwidthPoint, name: string): TemplateResult => html`
  <tr>
    <th scope="row">${name}</th>
    <td class="number">${formatBytes(point.workingSet)}</td>
    <td class="number">${formatSignificant(point.value)}</td>
    <td class="number">${formatSignificant(point.low)}</td>
    <td class="number">${formatSignificant(point.high)}</td>
    <td>
      ${
        point.basis === 'range'
          ? msg('range of samples', { desc: 'what the whisker means' })
          : msg('95 % interval', { desc: 'what the whisker means' })
      }
    </td>
    <td class="number">${formatNumber(point.samples)}</td>
  </tr>
`;
