import { expect, it } from 'vitest';
import { GiB } from '../../../base/units.js';
import { findArchitecture } from '../../../model/plan/architecture/presets.js';
import { modelOfArchitecture, modelOfCount } from '../../../model/plan/model.js';
import { makePlan, type Plan } from '../../../model/plan/plan.js';
import { replayPlan } from '../../../model/plan/replay-plan.js';
import { planSettings } from '../../../model/plan/settings.js';
import { type PlanAnswer } from '../../../app/plan-work.js';
import { mount, textOf } from '../../testing/mount.js';
import { barParts, CardBar } from './card-bar.js';

const answerOf = (plan: Plan): PlanAnswer => ({
  plan,
  replay: replayPlan(plan, { name: 'caching', conf: undefined }, GiB(8)),
  points: [],
  largest: undefined,
  changes: undefined,
  isDone: true,
});
const gpt2 = makePlan(
  modelOfArchitecture(findArchitecture('gpt2')),
  planSettings({ batch: 2, sequence: 128, context: GiB(1) }),
);

it('the parts of a replayed plan add up to what is reserved at the peak, and the context', () => {
  const answer = answerOf(gpt2);
  if (typeof answer.replay === 'string') throw new Error(answer.replay);
  const sum = barParts(answer).reduce((total, { bytes }) => total + bytes, 0);
  expect(sum).toBe(answer.replay.needed.peakReserved + GiB(1));
});

it('without a replay the parts are the terms that are known', () => {
  const parts = barParts(answerOf(makePlan(modelOfCount(7e9), planSettings({}))));
  expect(parts.map(({ id, bytes }) => [id, bytes])).toEqual([
    ['parameters', 14e9],
    ['gradients', 14e9],
    ['optimizer', 56e9],
  ]);
});

it('draws a box a part, to one scale, and the capacity as a line', async () => {
  const parts = [
    { id: 'parameters', bytes: GiB(2) },
    { id: 'free', bytes: GiB(1) },
  ] as const;
  const bar = await mount(new CardBar(), { parts, capacity: GiB(4), scale: GiB(8), heading: 'gpt2' });
  await expect.poll(() => bar.renderRoot.querySelectorAll('rect.part').length).toBe(2);
  const widths = [...bar.renderRoot.querySelectorAll('rect.part')].map((rect) => Number(rect.getAttribute('width')));
  expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeCloseTo(2, 5);
  const limit = bar.renderRoot.querySelector('line.limit')?.getAttribute('x1');
  expect(Number(limit) / (widths[0] ?? 1)).toBeCloseTo(2, 5);
  const name = bar.renderRoot.querySelector('[role=img]')?.getAttribute('aria-label');
  expect(name).toBe('gpt2: Parameters 2 GiB, Reserved, free 1 GiB. The card has 4 GiB.');
  expect(textOf(bar)).toContain('Parameters 2 GiB');
});
