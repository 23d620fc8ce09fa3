import { expect, it, vi } from 'vitest';
import { bandwidthLines } from '../../../app/bandwidth-lines.js';
import { measured } from '../../../app/testing/sample-run.js';
import { button, find, mount, textOf } from '../../testing/mount.js';
import { BandwidthChart } from './bandwidth-chart.js';

const MIB = 2 ** 20;
const rows = (stem: string, values: readonly number[]) =>
  values.map((value, i) => measured(`${stem}/${2 ** i}MiB`, value, { workingSet: 2 ** i * MIB }));
const FLAT = bandwidthLines([...rows('tiers/sweep', [1.4, 1.3, 1.35]), ...rows('tiers/copy-buffer', [80, 60, 20])]);
const LINES = bandwidthLines([...rows('tiers/sweep', [400, 200, 100]), ...rows('tiers/copy-buffer', [300, 150])]);

async function show(properties: Partial<BandwidthChart>): Promise<BandwidthChart> {
  const chart = new BandwidthChart();
  chart.style.blockSize = '400px';
  await mount(chart, properties);
  await vi.waitUntil(() => chart.renderRoot.querySelector('canvas') !== null);
  return chart;
}
const press = async (chart: BandwidthChart, key: string) => {
  find(chart, '.plot', HTMLElement).dispatchEvent(new KeyboardEvent('keydown', { key }));
  await chart.updateComplete;
  return textOf(find(chart, '[role=status]', HTMLElement));
};
/** Whether anything of a token's colour is on the canvas, at an opacity. */
function paints(chart: BandwidthChart, token: string, opacity = 1): boolean {
  const canvas = find(chart, 'canvas', HTMLCanvasElement);
  const hex = getComputedStyle(chart).getPropertyValue(token).trim();
  const wanted = [...[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)), opacity * 255];
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
  for (let i = 0; i < data.length; i += 4) {
    if (wanted.every((channel, c) => Math.abs((data[i + c] ?? 0) - channel) <= 2)) return true;
  }
  return false;
}

it('is axes and one sentence before there are figures', async () => {
  const chart = await show({});
  expect(textOf(find(chart, '.empty', HTMLElement))).toBe('Run tiers to draw this.');
  expect(paints(chart, '--series-1')).toBe(false);
});

it('draws both lines and names their ends', async () => {
  const chart = await show({ lines: LINES, badge: 'software' });
  await vi.waitUntil(() => paints(chart, '--series-1') && paints(chart, '--series-2'));
  const name = find(chart, '.plot', HTMLElement).getAttribute('aria-label');
  expect(name).toContain('Kernel 400 GB/s at the smallest, 100 at the largest; copy 300 and 150');
  expect(textOf(find(chart, 'figcaption', HTMLElement))).toContain('Software');
});

it('says that a flat kernel line names no tier', async () => {
  const chart = await show({ lines: FLAT });
  expect(textOf(find(chart, '.note', HTMLElement))).toContain('The kernel line is flat while the copy line has steps');
  expect(textOf(find(chart, 'figcaption', HTMLElement))).toContain('no tier can be named');
});

it('shows the lines of an earlier run pale, and says so', async () => {
  const chart = await show({ earlier: LINES, running: true });
  expect(textOf(find(chart, 'figcaption', HTMLElement))).toContain('from an earlier run');
  expect(chart.renderRoot.querySelector('.note')).toBeNull();
  await vi.waitUntil(() => paints(chart, '--series-1', 0.4));
});

it('says what went wrong above what it has', async () => {
  const chart = await show({ lines: LINES, trouble: 'The device was lost. Run again.' });
  expect(textOf(find(chart, '[role=alert]', HTMLElement))).toBe('The device was lost. Run again.');
});

it('is read point by point with the arrow keys', async () => {
  const chart = await show({ lines: LINES });
  expect(await press(chart, 'ArrowRight')).toBe('kernel, 1 MiB: 400 GB/s, 396 to 404, 12 samples');
  expect(await press(chart, 'ArrowRight')).toContain('2 MiB: 200');
  expect(await press(chart, 'End')).toContain('4 MiB: 100');
  expect(await press(chart, 'ArrowDown')).toContain('copyBufferToBuffer, 2 MiB: 150');
  expect(await press(chart, 'Home')).toContain('copyBufferToBuffer, 1 MiB: 300');
  expect(await press(chart, 'ArrowLeft')).toContain('copyBufferToBuffer, 1 MiB: 300');
});

it('has the same numbers as a table', async () => {
  const chart = await show({ lines: LINES });
  button(chart, 'Table').click();
  await chart.updateComplete;
  const lines = [...chart.renderRoot.querySelectorAll('tbody tr')].map((row) => textOf(row));
  expect(lines[0]).toBe('kernel 1 MiB 400 396 404 95 % interval 12');
  expect(lines).toHaveLength(5);
  button(chart, 'Table').click();
  await chart.updateComplete;
  await vi.waitUntil(() => chart.renderRoot.querySelector('canvas') !== null);
});

it('takes over the colours of another theme', async () => {
  const chart = await show({ lines: LINES, theme: 'light' });
  await vi.waitUntil(() => paints(chart, '--series-1'));
  document.documentElement.dataset['theme'] = 'dark';
  chart.theme = 'dark';
  await chart.updateComplete;
  await vi.waitUntil(() => paints(chart, '--series-1'));
  delete document.documentElement.dataset['theme'];
});
