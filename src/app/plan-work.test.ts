import { expect, it } from 'vitest';
import { GiB } from '../base/units.js';
import { readPlan } from './plan-reading.js';
import { PLAN_FIELDS, type PlanFields } from './plan-view.js';
import { batchesFor, type PlanAnswer, workOnPlan } from './plan-work.js';

const CARD = { capacity: GiB(6), context: undefined, allocator: { name: 'caching', conf: undefined } };

async function answersFor(given: Partial<PlanFields>, signal = new AbortController().signal): Promise<PlanAnswer[]> {
  const read = readPlan({ ...PLAN_FIELDS, arch: 'gpt2', seq: '256', zero: '0', dp: '1', ...given }, undefined);
  if (read.status === 'refused') throw new Error(read.problem.message);
  const answers: PlanAnswer[] = [];
  await workOnPlan(read.plan, CARD, (answer) => answers.push(answer), signal);
  return answers;
}

it('looks at both sides of the limit, at the planned batch, and from 1 on', () => {
  for (const [planned, largest] of [
    [1, 0],
    [4, 100],
    [300, 10],
    [7, 7],
    [2, 1],
  ] as const) {
    const batches = batchesFor(planned, largest);
    expect(batches[0]).toBe(1);
    expect(batches).toEqual([...new Set(batches)].sort((a, b) => a - b));
    for (const wanted of [planned, largest + 1, Math.max(1, largest)]) expect(batches).toContain(wanted);
  }
});

it('tells the replay first, then the largest batch, then the points, each fitting up to it', async () => {
  const answers = await answersFor({ batch: '2' });
  const last = answers.at(-1);
  expect(answers[0]?.points).toEqual([]);
  expect(last?.isDone).toBe(true);
  expect(last?.largest).toBeGreaterThan(2);
  for (const { batch, fits } of last?.points ?? []) expect(fits, `${batch}`).toBe(batch <= (last?.largest ?? 0));
  expect(last?.changes).toBeUndefined();
});

it('tries changes where the plan does not fit', async () => {
  const last = (await answersFor({ batch: '64' })).at(-1);
  expect(last?.changes?.some(({ fits }) => fits === true)).toBe(true);
});

it('tries changes where the plan is too large for a replay', async () => {
  const last = (await answersFor({ batch: '8192' })).at(-1);
  expect(last?.replay).toMatch(/replays go up to 900 GiB/);
  expect(last?.isDone).toBe(true);
  expect(last?.largest).toBeGreaterThan(0);
  expect(last?.changes?.some(({ fits }) => fits === true)).toBe(true);
});

it('ends between two replays when it is no longer wanted', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort());
  const answers = await answersFor({ batch: '64' }, stop.signal);
  expect(answers.at(-1)?.isDone).toBe(false);
});

it('says why there is no replay', async () => {
  const answers = await answersFor({ arch: '' });
  expect(answers.at(-1)).toMatchObject({
    isDone: true,
    replay: expect.stringContaining('the step is not known') as unknown,
  });
});

it('stops without a word when it is no longer wanted', async () => {
  const stop = new AbortController();
  stop.abort();
  expect(await answersFor({}, stop.signal)).toHaveLength(1);
});
