import { expect, it } from 'vitest';
import { type TierBar } from '../../../model/report/charts/bar-chart.js';
import { button, collect, find, mount, textOf } from '../../testing/mount.js';
import { TierBars } from './tier-bars.js';

const BARS: readonly TierBar[] = [
  {
    name: 'Register',
    detail: 'fma',
    kind: 'measured',
    id: 'tiers/register/fma',
    value: 9000,
    low: 8900,
    high: 9100,
    basis: 'interval',
    derived: true,
    source: 'kernel',
  },
  { name: 'Caches', detail: '', kind: 'not-resolved', reason: 'instruction bound' },
  {
    name: 'Global',
    detail: 'copy, 1 GiB',
    kind: 'measured',
    id: 'tiers/copy-buffer/1GiB',
    value: 40,
    low: 39,
    high: 41,
    basis: 'interval',
    derived: false,
    source: 'copy',
  },
];

async function show(bars: readonly TierBar[]): Promise<TierBars> {
  const host = new TierBars();
  host.style.blockSize = '300px';
  return mount(host, { bars, badge: 'software' });
}

it('says what to run before there is a figure', async () => {
  const host = await show([]);
  expect(textOf(host)).toContain('Run tiers to draw this.');
  expect(button(host, 'PNG').disabled).toBe(true);
});

it('draws one bar a measured tier, a derived one as an outline, and the reason of the other', async () => {
  const host = await show(BARS);
  await expect.poll(() => host.renderRoot.querySelectorAll('rect').length).toBe(2);
  expect(host.renderRoot.querySelectorAll('rect.derived')).toHaveLength(1);
  expect(textOf(host.renderRoot.querySelector('svg.chart'))).toContain('instruction bound');
  const name = find(host, '.plot', HTMLElement).getAttribute('aria-label');
  expect(name).toContain('Register, fma: 9,000. Caches: instruction bound. Global, copy, 1 GiB: 40.0.');
  expect(textOf(find(host, 'figcaption', HTMLElement))).toContain('Software');
});

it('has the same numbers as a table, and asks for a picture', async () => {
  const host = await show(BARS);
  const asked = collect(host, 'app-picture-requested');
  button(host, 'Table').click();
  await host.updateComplete;
  expect([...host.renderRoot.querySelectorAll('tbody tr')].map((row) => textOf(row))).toEqual([
    'Register 9,000 8,900 9,100 tiers/register/fma, derived',
    'Caches no figure instruction bound',
    'Global 40.0 39.0 41.0 tiers/copy-buffer/1GiB',
  ]);
  button(host, 'PNG').click();
  expect(asked.map(({ charts }) => charts)).toEqual([['tiers']]);
});
