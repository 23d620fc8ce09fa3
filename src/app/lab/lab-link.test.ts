import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALLOCATOR_NAMES } from '../../model/allocator/names.js';
import { WORKLOADS } from '../../model/workload/catalogue.js';
import { type LabView, readLabView, writeLabView } from './lab-link.js';
import { planLab } from './lab-plan.js';
import {
  canCompare,
  defaultSettings,
  flagshipSettings,
  type LabSettings,
  PAIRS,
  settingsFor,
  withPair,
} from './lab-settings.js';

const text = fc.string({ maxLength: 30, unit: 'grapheme' });
const side = fc.record({ allocator: fc.constantFrom(...ALLOCATOR_NAMES), conf: text, change: text });
const settings: fc.Arbitrary<LabSettings> = fc
  .record({
    workload: fc.constantFrom(...WORKLOADS.map(({ id }) => id)),
    pair: fc.constantFrom(...PAIRS),
    budget: text,
    a: side,
    b: side,
    steps: fc.option(fc.integer({ min: 1, max: 9 })),
  })
  .map(({ workload, pair, steps, ...rest }) => {
    const start = settingsFor(workload, 'setting');
    const hasSteps = 'steps' in (WORKLOADS.find(({ id }) => id === workload)?.parameters ?? {});
    const parameters = hasSteps && steps !== null ? { steps: String(steps) } : start.parameters;
    const base = { ...start, parameters };
    return { ...base, ...rest, pair: canCompare(base, pair) ? pair : 'setting' };
  });
const view: fc.Arbitrary<LabView> = fc.record({
  settings,
  position: fc.option(fc.integer({ min: -1, max: 999_999_999 }), { nil: undefined }),
  rows: fc.constantFrom('packed', 'single'),
  file: fc.option(fc.string({ minLength: 1, maxLength: 30 }), { nil: undefined }),
});

describe('a link to the Lab', () => {
  it('gives back what it was made from', () => {
    fc.assert(
      fc.property(view, (made) => {
        expect(readLabView(writeLabView(made))).toEqual({ view: made, problems: [] });
      }),
    );
  });

  it('never throws and always leaves settings that plan or say why not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (hash) => {
        const read = readLabView(hash).view.settings;
        expect(['usable', 'refused']).toContain(planLab(read, undefined).status);
      }),
    );
  });

  it('of the first screen is empty', () => {
    const { view: start } = readLabView('');
    expect(start.settings).toEqual(defaultSettings());
    expect(writeLabView(start)).toBe('');
  });

  it('refuses its damaged parts by name and keeps the others', () => {
    const read = readLabView(
      'pair=sideways&w=layer-bank&p.layers=zero&p.nobody=1&p.steps=3&a=slab&t=soon&rows=round&x=1',
    );
    expect(read.problems.map((problem) => (problem.kind === 'unreadable' ? problem.key : problem.kind))).toEqual([
      'pair',
      'p.layers',
      'p.nobody',
      'a',
      't',
      'rows',
      'x',
    ]);
    expect(read.view.settings).toMatchObject({ workload: 'layer-bank', parameters: { steps: '3' } });
  });

  it('refuses a comparison that the program does not have', () => {
    expect(readLabView('w=churn&pair=code').problems).toEqual([{ kind: 'unreadable', key: 'pair', value: 'code' }]);
  });

  it('refuses a text of over 500 characters', () => {
    expect(readLabView(`budget=${'1'.repeat(500)}`).problems).toEqual([]);
    expect(readLabView(`budget=${'1'.repeat(501)}`).problems).toHaveLength(1);
  });
});

describe('a comparison', () => {
  it.each(WORKLOADS.map(({ id }) => id))('of %s plans on both sides, whichever it is', (id) => {
    for (const pair of PAIRS) {
      const start = settingsFor(id, pair);
      expect(start.pair === pair || !canCompare(start, pair)).toBe(true);
      expect(planLab(start, undefined).status, pair).toBe('usable');
    }
  });

  it('of the flagship is concats at batch 4 against one buffer at batch 8, on 39,310 MiB', () => {
    const plan = planLab(flagshipSettings(), undefined);
    expect(plan).toMatchObject({
      status: 'usable',
      capacity: 39_310 * 2 ** 20,
      sides: [
        { program: { parameters: { variant: 'concat', b: 4, seed: 2, steps: 3 } } },
        { program: { parameters: { variant: 'prealloc', b: 8, seed: 2, steps: 3 } } },
      ],
    });
  });

  it('by code changes one word of the program and nothing of the allocator', () => {
    const { a, b } = withPair(defaultSettings(), 'code');
    expect([a, b]).toEqual([
      { allocator: 'caching', conf: '', change: '' },
      { allocator: 'caching', conf: '', change: 'bank=prealloc' },
    ]);
  });
});

describe('a plan', () => {
  const start = defaultSettings();

  it('names every field that cannot be used', () => {
    const plan = planLab(
      { ...start, budget: 'lots', parameters: { steps: '0', layers: '8' }, b: { ...start.b, change: 'bank=heap' } },
      undefined,
    );
    expect(plan.status === 'refused' && Object.keys(plan.problems)).toEqual(['budget', 'parameter-steps']);
    const other = planLab({ ...start, b: { ...start.b, change: 'bank=heap' } }, undefined);
    expect(other.status === 'refused' && other.problems['change-b']).toContain('concat or prealloc');
    const word = planLab({ ...start, a: { ...start.a, change: 'faster' } }, undefined);
    expect(word.status === 'refused' && word.problems['change-a']).toContain('no parameter "faster"');
  });

  it('takes the budget given, else the one of the workload', () => {
    const given = planLab({ ...start, budget: '1 GiB' }, undefined);
    expect(given.status === 'usable' && given.capacity).toBe(2 ** 30);
    const own = planLab(start, undefined);
    expect(own.status === 'usable' && own.capacity).toBe(992 * 2 ** 20);
  });
});
