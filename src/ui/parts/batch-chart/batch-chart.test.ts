import { expect, it } from 'vitest';
import { GiB } from '../../../base/units.js';
import { button, find, mount, textOf } from '../../testing/mount.js';
import { BatchChart } from './batch-chart.js';

const points = [1, 2, 3].map((batch) => ({ batch, allocated: GiB(batch), reserved: GiB(2 * batch), fits: batch < 3 }));
const given = { points, capacity: GiB(5), planned: 2, largest: 2 };

it('reads the points with the arrow keys, from the first to the last', async () => {
  const chart = await mount(new BatchChart(), given);
  const plot = find(chart, '.plot', HTMLElement);
  const press = async (key: string) => {
    plot.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
    await chart.updateComplete;
    return textOf(chart.renderRoot.querySelector('[role=status]'));
  };
  expect(await press('ArrowRight')).toBe('Batch 1: 1 GiB allocated, 2 GiB reserved, completes');
  expect(await press('End')).toBe('Batch 3: 3 GiB allocated, 6 GiB reserved, out of memory');
  expect(await press('ArrowRight')).toContain('Batch 3');
  expect(await press('Home')).toContain('Batch 1');
});

it('has the same numbers as a table, and says the largest batch', async () => {
  const chart = await mount(new BatchChart(), given);
  expect(textOf(chart)).toContain('2 is the largest that completes');
  button(chart, 'Table').click();
  await chart.updateComplete;
  const rows = [...chart.renderRoot.querySelectorAll('tbody tr')].map(textOf);
  expect(rows).toEqual(['1 1 GiB 2 GiB completes', '2 2 GiB 4 GiB completes', '3 3 GiB 6 GiB out of memory']);
});

it('flags the first batch that runs out', async () => {
  const chart = await mount(new BatchChart(), given);
  await expect.poll(() => chart.renderRoot.querySelector('.flag')).not.toBeNull();
  const flag = chart.renderRoot.querySelector('line.failure')?.getAttribute('x1');
  const last = [...chart.renderRoot.querySelectorAll('circle')].at(-1)?.getAttribute('cx');
  expect(flag).toBe(last);
});
