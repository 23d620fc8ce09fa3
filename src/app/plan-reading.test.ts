import { expect, it, test } from 'vitest';
import { GiB } from '../base/units.js';
import { type Architecture } from '../model/plan/architecture/architecture.js';
import { findArchitecture } from '../model/plan/architecture/presets.js';
import { storeArchitecture } from '../model/plan/architecture/stored.js';
import { tryChanges } from '../model/plan/advice.js';
import { architectureOf, fieldsOf, readCard, readPlan } from './plan-reading.js';
import { planProblemWords } from './plan-words.js';
import { CARD_FIELDS, PLAN_FIELDS, type PlanFields } from './plan-view.js';

/** GPT-2 with other sizes, as a link carries it. */
const withSizes = (changed: Partial<Architecture>) => storeArchitecture({ ...findArchitecture('gpt2'), ...changed });
const read = (given: Partial<PlanFields>) => readPlan({ ...PLAN_FIELDS, ...given }, undefined);

it('reads the defaults, a count, and an architecture from a file', () => {
  expect(read({})).toMatchObject({ status: 'usable', plan: { model: { parameters: 6_738_415_616 } } });
  expect(read({ arch: '', params: '7B', master: '', zero: '0', dp: '1' })).toMatchObject({
    status: 'usable',
    plan: { total: 84e9 },
  });
  const config = storeArchitecture(findArchitecture('gpt2'));
  expect(read({ arch: 'config', config, seq: '128' })).toMatchObject({ plan: { model: { parameters: 124_439_808 } } });
  expect(architectureOf({ ...PLAN_FIELDS, arch: 'config', config })).toEqual(findArchitecture('gpt2'));
});

test.each([
  [{ batch: '-1' }, 'batch', /^"-1" is not usable/],
  [{ batch: '0' }, 'batch', /^0 is not usable/],
  [{ seq: 'long' }, 'seq', /^"long" is not usable/],
  [{ tp: '5' }, 'tp', /^5 does not divide 32 heads/],
  [{ zero: '4' }, 'zero', /^"4" is not known; one of 0, 1, 2, 3/],
  [{ mode: 'sleep' }, 'mode', /one of train, lora, inference/],
  [{ arch: 'llama-9' }, 'arch', /is not known/],
  [{ arch: 'config', config: '{}' }, 'config', /"kind" is not usable|"name" is not usable/],
  [{ arch: 'config', config: withSizes({ layers: 1e9 }) }, 'config', /"layers" is not usable/],
  [{ arch: '', params: 'many' }, 'params', /is not usable/],
  [{ offload: 'optimizer', zero: '0' }, 'offload', /ZeRO offloads/],
] as const)('%j is refused at its field', (given, field, message) => {
  const result = read(given);
  expect(result).toMatchObject({ status: 'refused', problem: { field } });
  if (result.status === 'refused') expect(planProblemWords(result.problem)).toMatch(message);
});

it('reads a card, and refuses what is none at its field', () => {
  expect(readCard({ ...CARD_FIELDS, capacity: '24 GiB' })).toMatchObject({
    capacity: GiB(24),
    allocator: { name: 'caching' },
  });
  expect(readCard({ ...CARD_FIELDS, capacity: '80' })).toMatchObject({ field: 'capacity' });
  expect(readCard({ ...CARD_FIELDS, capacity: '1023KiB' })).toMatchObject({ field: 'capacity' });
  expect(readCard({ ...CARD_FIELDS, capacity: '1MiB' })).toMatchObject({ capacity: 1024 ** 2 });
  expect(readCard({ ...CARD_FIELDS, capacity: 'big' })).toMatchObject({ field: 'capacity' });
  expect(readCard({ ...CARD_FIELDS, context: '-1' })).toMatchObject({ field: 'context' });
  expect(readCard({ ...CARD_FIELDS, allocator: 'jemalloc' })).toMatchObject({ field: 'allocator' });
});

it('a change taken over gives the plan that was tried', async () => {
  const base = { ...PLAN_FIELDS, arch: 'gpt2', seq: '256', batch: '32' };
  const first = readPlan(base, undefined);
  if (first.status === 'refused') throw new Error(first.problem.message);
  for (const { settings } of await tryChanges(first.plan, { name: 'caching', conf: undefined }, GiB(4))) {
    const changed = readPlan({ ...base, ...fieldsOf(settings) }, undefined);
    if (changed.status === 'refused') throw new Error(changed.problem.message);
    // A job of adapters alone keeps the switch for fp32 copies as it was.
    expect(changed.plan.settings).toEqual({ ...first.plan.settings, ...settings });
  }
});
