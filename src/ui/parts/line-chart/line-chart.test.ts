import { expect, it } from 'vitest';
import { bandwidthFigure, ENGLISH_FIGURE_WORDS } from '../../../model/report/charts/figures.js';
import { type Row } from '../../../model/report/schema.js';
import { measured } from '../../../model/report/testing/report-sample.js';
import { button, collect, find, mount, textOf } from '../../testing/mount.js';
import { LineChart } from './line-chart.js';

const MIB = 2 ** 20;
const rows = (stem: string, values: readonly number[]) =>
  values.map((value, i) => measured(`${stem}/${2 ** i}MiB`, value, { workingSet: 2 ** i * MIB }));
const figure = (of: readonly Row[], earlier: readonly Row[] = []) =>
  bandwidthFigure({ rows: of, experiments: [] }, ENGLISH_FIGURE_WORDS, { rows: earlier, experiments: [] });
const ROWS = [...rows('tiers/sweep', [400, 200, 100]), ...rows('tiers/copy-buffer', [300, 150])];
const FLAT = figure([...rows('tiers/sweep', [1.4, 1.3, 1.35]), ...rows('tiers/copy-buffer', [80, 60, 20])]);
const LINES = figure(ROWS);

async function show(properties: Partial<LineChart>): Promise<LineChart> {
  const chart = new LineChart();
  chart.style.blockSize = '400px';
  await mount(chart, { heading: 'Bandwidth by working set', chartId: 'bandwidth', ...properties });
  await expect.poll(() => chart.renderRoot.querySelector('.plot svg')).not.toBeNull();
  return chart;
}
const press = async (chart: LineChart, key: string) => {
  find(chart, '.plot', HTMLElement).dispatchEvent(new KeyboardEvent('keydown', { key }));
  await chart.updateComplete;
  return textOf(find(chart, '[role=status]', HTMLElement));
};
const drawn = (chart: LineChart, selector: string) => chart.renderRoot.querySelectorAll(`.plot ${selector}`).length;

it('is axes and one sentence before there are figures', async () => {
  const chart = await show({ figure: figure([]) });
  expect(textOf(chart.renderRoot.querySelector('.plot svg'))).toContain('Run tiers to draw this.');
  expect(drawn(chart, 'path')).toBe(0);
  expect(drawn(chart, '.axis')).toBeGreaterThan(5);
  expect(button(chart, 'PNG').disabled).toBe(true);
});

it('draws both lines with a mark a point, names their ends and carries the mark', async () => {
  const chart = await show({ figure: LINES, badge: 'software' });
  expect(drawn(chart, 'circle.series-1')).toBe(3);
  expect(drawn(chart, 'rect.series-2')).toBe(2);
  expect(drawn(chart, 'path')).toBe(2);
  const name = find(chart, '.plot', HTMLElement).getAttribute('aria-label');
  expect(name).toContain('kernel 400 GB/s at the smallest, 100 at the largest. copyBufferToBuffer 300');
  expect(textOf(find(chart, 'figcaption', HTMLElement))).toContain('Software');
});

it('says that a flat kernel line names no tier', async () => {
  const chart = await show({ figure: FLAT });
  expect(textOf(chart.renderRoot.querySelector('.plot svg'))).toContain('The kernel line is flat while the copy line');
  expect(find(chart, '.plot', HTMLElement).getAttribute('aria-label')).toContain('The kernel line is flat');
});

it('shows the lines of an earlier run pale until there are new ones', async () => {
  const chart = await show({ figure: figure([], ROWS) });
  expect(drawn(chart, 'path.earlier')).toBe(2);
  chart.figure = figure(rows('tiers/sweep', [40, 20]), ROWS);
  await chart.updateComplete;
  expect([drawn(chart, 'path.series-1.earlier'), drawn(chart, 'path.series-2.earlier')]).toEqual([0, 1]);
});

it('says what went wrong above what it has', async () => {
  const chart = await show({ figure: LINES, trouble: 'The device was lost. Run again.' });
  expect(textOf(find(chart, '[role=alert]', HTMLElement))).toBe('The device was lost. Run again.');
});

it('is read point by point with the arrow keys', async () => {
  const chart = await show({ figure: LINES });
  expect(await press(chart, 'ArrowRight')).toBe('kernel, 1 MiB: 400 GB/s, 396 to 404, 12 samples');
  expect(await press(chart, 'ArrowRight')).toContain('2 MiB: 200');
  expect(await press(chart, 'End')).toContain('4 MiB: 100');
  expect(await press(chart, 'ArrowDown')).toContain('copyBufferToBuffer, 2 MiB: 150');
  expect(await press(chart, 'Home')).toContain('copyBufferToBuffer, 1 MiB: 300');
  expect(await press(chart, 'ArrowLeft')).toContain('copyBufferToBuffer, 1 MiB: 300');
});

it('follows the pointer to the nearest point', async () => {
  const chart = await show({ figure: LINES });
  const plot = find(chart, '.plot', HTMLElement);
  const { right, top } = plot.getBoundingClientRect();
  plot.dispatchEvent(new PointerEvent('pointermove', { clientX: right - 20, clientY: top + 50 }));
  await chart.updateComplete;
  expect(textOf(find(chart, '[role=status]', HTMLElement))).toContain('4 MiB: 100');
  plot.dispatchEvent(new PointerEvent('pointerleave'));
  await chart.updateComplete;
  expect(drawn(chart, '.cursor')).toBe(0);
});

it('has the same numbers as a table, and asks for a picture', async () => {
  const chart = await show({ figure: LINES });
  const asked = collect(chart, 'app-picture-requested');
  button(chart, 'Table').click();
  await chart.updateComplete;
  const lines = [...chart.renderRoot.querySelectorAll('tbody tr')].map((row) => textOf(row));
  expect(lines[0]).toBe('kernel 1 MiB 400 396 404 95 % interval 12');
  expect(lines).toHaveLength(5);
  button(chart, 'PNG').click();
  expect(asked.map(({ charts }) => charts)).toEqual([['bandwidth']]);
  button(chart, 'Table').click();
  await chart.updateComplete;
  await expect.poll(() => drawn(chart, 'svg')).toBe(1);
});
