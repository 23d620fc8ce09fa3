import { expect, it } from 'vitest';
import { environmentOf, HARDWARE_ADAPTER, MASKED_ADAPTER, SOFTWARE_ADAPTER } from '../../../app/testing/sample-run.js';
import { button, collect, find, mount, textOf } from '../../testing/mount.js';
import { AdapterCard } from './adapter-card.js';

const badgeIn = (card: AdapterCard) => textOf(find(card, '.badge', HTMLElement));
const ready = (adapter: typeof SOFTWARE_ADAPTER, gridNs?: number) =>
  ({ kind: 'ready', environment: environmentOf(adapter, gridNs) }) as const;

it('marks a software adapter and says what its figures cannot say', async () => {
  const card = await mount(new AdapterCard(), { state: ready(SOFTWARE_ADAPTER, 1) });
  expect(badgeIn(card)).toBe('Software');
  expect(textOf(card)).toContain('none says what a GPU does');
  expect(textOf(card)).toContain('Fallback adapter yes');
});

it('names a GPU, its clock and how long a pass has to last on a coarse grid', async () => {
  const card = await mount(new AdapterCard(), { state: ready(HARDWARE_ADAPTER) });
  expect(badgeIn(card)).toBe('Hardware');
  expect(textOf(card)).toContain('NVIDIA GeForce RTX 4070');
  expect(textOf(card)).toContain('Clock grid 65,536 ns');
  expect(textOf(card)).toContain('must last 6.55 ms');
});

it('says nothing about the grid when it is fine', async () => {
  const card = await mount(new AdapterCard(), { state: ready(HARDWARE_ADAPTER, 1) });
  expect(textOf(card)).not.toContain('must last');
});

it('calls a masked adapter empty', async () => {
  const card = await mount(new AdapterCard(), { state: ready(MASKED_ADAPTER) });
  expect(textOf(find(card, '.masked', HTMLElement))).toBe('empty');
});

it('offers to recover after a loss', async () => {
  const lost = { kind: 'lost', environment: environmentOf(HARDWARE_ADAPTER), reason: 'unknown' } as const;
  const card = await mount(new AdapterCard(), { state: lost });
  const asked = collect(card, 'app-adapter-requested');
  expect(badgeIn(card)).toBe('Lost');
  button(card, 'Recover').click();
  expect(asked).toHaveLength(1);
});

it('shows that it is asking, and that there is none', async () => {
  const card = await mount(new AdapterCard(), { state: { kind: 'asking' } });
  expect(badgeIn(card)).toBe('Asking');
  card.state = { kind: 'none', missing: 'no-adapter', detail: '' };
  await card.updateComplete;
  expect(badgeIn(card)).toBe('No adapter');
});
