import { expect, it } from 'vitest';
import { mount, textOf } from '../../testing/mount.js';
import { type PlanBar, PlanBars } from './plan-bars.js';

const BARS: readonly PlanBar[] = [
  {
    label: 'all states',
    parts: [
      { label: 'weights', value: 14, shown: '14 GB', category: 'P' },
      { label: 'moments', value: 56, shown: '56 GB', category: 'O' },
    ],
  },
  { label: '', parts: [{ label: 'one buffer', value: 35, shown: '35 GB', category: '' }] },
];

it('draws parts side by side on one scale, with a limit', async () => {
  const host = await mount(new PlanBars(), { bars: BARS, limit: { value: 140, label: '140 GB' } });
  const widths = [...host.renderRoot.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('width')));
  expect(widths).toEqual([10, 40, 25]);
  expect(textOf(host)).toContain('weights 14 GB');
  expect(textOf(host)).toContain('one buffer 35 GB');
  expect(textOf(host)).toContain('The dashed line is 140 GB.');
  expect(host.renderRoot.querySelectorAll('.limit')).toHaveLength(2);
});

it('hides every number while the question is open', async () => {
  const host = await mount(new PlanBars(), { bars: BARS, hides: true });
  expect(textOf(host)).not.toMatch(/\d/);
  expect(host.renderRoot.querySelectorAll('rect.P')).toHaveLength(0);
});
