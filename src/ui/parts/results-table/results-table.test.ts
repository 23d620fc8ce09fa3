import { expect, it } from 'vitest';
import { SAMPLE_ROWS } from '../../../app/testing/sample-run.js';
import { measured } from '../../../model/report/testing/report-sample.js';
import { button, find, mount, textOf } from '../../testing/mount.js';
import { ResultsTable } from './results-table.js';

const linesOf = (host: ResultsTable) => [...host.renderRoot.querySelectorAll('tbody tr')].map((row) => textOf(row));

it('says that rows will come', async () => {
  const host = await mount(new ResultsTable());
  expect(textOf(host)).toContain('Rows appear here as they are measured.');
  expect(host.renderRoot.querySelector('table')).toBeNull();
});

it('shows a figure with unit, interval, count and flags, or the reason why there is none', async () => {
  const host = await mount(new ResultsTable(), { rows: SAMPLE_ROWS, planned: 20, badge: 'software' });
  expect(linesOf(host)).toEqual([
    'tiers/global/triad/vec4/64MiB 457 GB/s ±1.0 % 12 verified',
    'tiers/global/read/vec4/64MiB 463 GB/s ±1.0 % 12 verified unstable',
    'tiers/global/copy/vec4/4GiB skipped needs 8 GiB',
    'tiers/global/add/vec4/64MiB no number 1 of 16 words wrong',
  ]);
  expect(textOf(find(host, '.head', HTMLElement))).toContain('4 of 20');
  expect(textOf(find(host, '.head', HTMLElement))).toContain('Software');
});

it('shows no mark for hardware figures', async () => {
  const host = await mount(new ResultsTable(), { rows: SAMPLE_ROWS, badge: 'hardware' });
  expect(host.renderRoot.querySelector('.badge')).toBeNull();
});

it('filters', async () => {
  const host = await mount(new ResultsTable(), { rows: SAMPLE_ROWS });
  button(host, 'Flagged').click();
  await host.updateComplete;
  expect(linesOf(host)).toHaveLength(1);
  button(host, 'Failed').click();
  await host.updateComplete;
  expect(linesOf(host)[0]).toContain('1 of 16 words wrong');
  expect(button(host, 'Failed').getAttribute('aria-pressed')).toBe('true');
  host.rows = [measured('a', 1)];
  await host.updateComplete;
  expect(textOf(host)).toContain('No row failed.');
});

it('draws a spread even when all samples are equal', async () => {
  const stats = { n: 3, median: 5, mean: 5, min: 5, max: 5, p99: 5, cv: 0, ci95: [5, 5] as [number, number] };
  const host = await mount(new ResultsTable(), { rows: [measured('a', 5, { stats })] });
  const box = find(host, '.interval', SVGRectElement);
  expect(Number(box.getAttribute('x'))).toBeGreaterThanOrEqual(0);
  expect(Number(box.getAttribute('width'))).toBeGreaterThan(0);
});

it('explains a flag on focus and on hover, until Escape or the focus leaves', async () => {
  const host = await mount(new ResultsTable(), { rows: SAMPLE_ROWS });
  const tip = find(host, '.tip', HTMLElement);
  const flag = button(host, 'unstable');
  flag.focus();
  expect(tip.matches(':popover-open')).toBe(true);
  expect(textOf(tip)).toContain('The samples differ by more than 10 %');
  flag.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
  expect(tip.matches(':popover-open')).toBe(false);
  flag.blur();
  button(host, 'Unit').dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }));
  expect(textOf(tip)).toContain('GB/s is decimal');
  host.dispatchEvent(new PointerEvent('pointerleave'));
  expect(tip.matches(':popover-open')).toBe(false);
});

it('points every explained word at a text that is there', async () => {
  const host = await mount(new ResultsTable(), { rows: SAMPLE_ROWS });
  const explained = [...host.renderRoot.querySelectorAll('.explained')];
  expect(explained.length).toBeGreaterThan(6);
  for (const word of explained) {
    const text = host.renderRoot.querySelector(`#${word.getAttribute('aria-describedby') ?? 'none'}`);
    expect(textOf(text).length).toBeGreaterThan(10);
  }
});
