/** The line of figures over a map and the bar of its budget. */
import { msg, str } from '@lit/localize';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { categoriesAt } from '../../../model/memory-map/track-columns.js';
import { CATEGORY, CATEGORY_NAMES } from '../../../model/trace/trace.js';

const MIB = 2 ** 20;
const ORDER = [
  CATEGORY.parameter,
  CATEGORY.gradient,
  CATEGORY.optimizer,
  CATEGORY.activation,
  CATEGORY.temporary,
  CATEGORY.communication,
  CATEGORY.unknown,
];

/** Allocated, free in holes, not reserved; and the same to scale, by category. */
export function sideFigures(run: MemoryRun, operation: number): TemplateResult {
  const free = operation < 0 ? 0 : (run.tracks.free[operation] ?? 0);
  return html`
    ${keyFigures(run, operation)}
    ${run.capacity === undefined ? nothing : budgetBar(run, operation, run.capacity, free)}
  `;
}

/** Allocated, free in holes, not reserved. */
export function keyFigures(run: MemoryRun, operation: number): TemplateResult {
  const at = (column: ArrayLike<number>): number => (operation < 0 ? 0 : (column[operation] ?? 0));
  const { tracks, capacity } = run;
  const [reserved, free, holes] = [at(tracks.reserved), at(tracks.free), at(tracks.holes)];
  const left = capacity === undefined ? undefined : Math.max(0, capacity - reserved);
  const mib = (bytes: number): string => formatNumber(bytes / MIB, 1);
  const allocated = mib(at(tracks.allocated));
  const freeText = mib(free);
  return html`
    <p class="key">
      <span>
        <b>${allocated}</b> ${msg('allocated', { desc: 'figures over a memory map, after the number of MiB' })}
      </span>
      <span><b>${freeText}</b> ${holeWords(holes)}</span>
      ${
        left === undefined
          ? html`<span><b>${mib(reserved)}</b> ${msg('reserved', { desc: 'figures over a memory map' })}</span>`
          : html`<span><b>${mib(left)}</b> ${msg('not reserved', { desc: 'figures over a memory map' })}</span>`
      }
    </p>
  `;
}

function holeWords(holes: number): string {
  const number = formatNumber(holes);
  return holes === 1
    ? msg('free in 1 hole', { desc: 'figures over a memory map' })
    : msg(str`free in ${number} holes`, { desc: 'figures over a memory map' });
}

function budgetBar(run: MemoryRun, operation: number, capacity: number, free: number): TemplateResult {
  const sums = categoriesAt(run, operation);
  let x = 0;
  const bars = ORDER.map((category) => {
    const width = (100 * (sums[category] ?? 0)) / capacity;
    const bar = svg`<rect class=${`fill-${CATEGORY_NAMES[category] ?? ''}`} x=${x} width=${width} height="10" />`;
    x += width;
    return bar;
  });
  return html`
    <p class="budget">
      <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        ${bars}${svg`<rect class="free" x=${x} width=${(100 * free) / capacity} height="10" />`}
      </svg>
      <span>${formatBytes(capacity)}</span>
    </p>
  `;
}
