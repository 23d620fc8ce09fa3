/** Segments and blocks at a moment as a table, a page at a time: what a screen reader gets instead of the map. */
import { msg, str } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { type Area, freeBytesOf, holesOf, isPinned, type Moment } from '../../../model/memory-map/moment.js';
import { blockName, categoryWord, lifeWords } from './view-words.js';

/** Segments on one page. */
export const TABLE_PAGE = 20;

/** The table of one page of segments; `onPage` is told which page is wanted. */
export function memoryTable(
  run: MemoryRun,
  moment: Moment,
  letter: string,
  page: number,
  onPage: (page: number) => void,
): TemplateResult {
  const { areas } = moment;
  const pages = Math.max(1, Math.ceil(areas.length / TABLE_PAGE));
  const shown = Math.min(page, pages - 1);
  const [from, to] = [shown * TABLE_PAGE, Math.min(areas.length, (shown + 1) * TABLE_PAGE)];
  const [first, last, all] = [formatNumber(from + 1), formatNumber(to), formatNumber(areas.length)];
  return html`
    <div
      class="scroll"
      tabindex="0"
      role="region"
      aria-label=${msg(str`Segments and blocks ${letter}`, { desc: 'region: table behind the memory map' })}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">${msg('Segment, block', { desc: 'column' })}</th>
            <th scope="col">${msg('Category', { desc: 'column' })}</th>
            <th scope="col" class="number">${msg('Size', { desc: 'column' })}</th>
            <th scope="col" class="number">${msg('Address', { desc: 'column' })}</th>
            <th scope="col">${msg('Life', { desc: 'column: from which operation to which a block lived' })}</th>
          </tr>
        </thead>
        <tbody>
          ${areas.slice(from, to).map((area, index) => areaRows(run, moment, area, from + index))}
        </tbody>
      </table>
      <p class="pages">
        <button class="text" ?disabled=${shown === 0} @click=${() => onPage(shown - 1)}>
          ${msg('Earlier segments', { desc: 'button: page of the table' })}
        </button>
        <span>${msg(str`Segments ${first} to ${last} of ${all}`, { desc: 'page of the table' })}</span>
        <button class="text" ?disabled=${shown === pages - 1} @click=${() => onPage(shown + 1)}>
          ${msg('Later segments', { desc: 'button: page of the table' })}
        </button>
      </p>
    </div>
  `;
}

function areaRows(run: MemoryRun, moment: Moment, area: Area, index: number): TemplateResult {
  const { blocks } = run;
  const holes = holesOf(run, moment, index).map(({ address, size }) => ({ address, size, block: -1 }));
  const pieces = [...moment.rows.subarray(area.first, area.end)]
    .map((block) => ({ block, address: blocks.address[block] ?? 0, size: blocks.size[block] ?? 0 }))
    .concat(holes)
    .sort((a, b) => a.address - b.address);
  const free = formatBytes(freeBytesOf(area));
  const number = formatNumber(index + 1);
  return html`
    <tr class="segment">
      <th scope="rowgroup">${msg(str`Segment ${number}`, { desc: 'table behind the memory map' })}</th>
      <td>
        ${
          isPinned(area)
            ? msg(str`${free} free, held by what is live`, {
                desc: 'table: a mostly empty segment that cannot go back',
              })
            : msg(str`${free} free`, { desc: 'table: a segment' })
        }
      </td>
      <td class="number">${formatBytes(area.size)}</td>
      <td class="number address">${hex(area.address)}</td>
      <td></td>
    </tr>
    ${pieces.map(
      ({ block, address, size }) => html`
        <tr>
          <th scope="row">
            ${block === -1 ? msg('free', { desc: 'table behind the memory map: a hole' }) : blockName(run, block)}
          </th>
          <td>${block === -1 ? '' : categoryWord(blocks.category[block] ?? 0)}</td>
          <td class="number">${formatBytes(size)}</td>
          <td class="number address">${hex(address)}</td>
          <td>${block === -1 ? '' : lifeWords(run, block)}</td>
        </tr>
      `,
    )}
  `;
}

const hex = (address: number): string => `0x${address.toString(16)}`;
