import { expect, it } from 'vitest';
import { type Experiment } from '../report/schema.js';
import { compareSubAllocation } from './dawn-comparison.js';

const side = (id: string, observed: number, expected = observed): Experiment => ({
  id,
  suite: 'driver',
  status: 'measured',
  about: 'a case',
  expectedBytes: [expected],
  observedBytes: [observed],
  liveBytes: [1],
  createNs: [{ p50: 10.4, p99: 20 }],
});

it('puts the two sides of a case beside each other', () => {
  const compared = compareSubAllocation([
    side('driver/a', 2 ** 22, 2 ** 23),
    side('driver/a/own-allocations', 2 ** 21),
  ]);
  expect(compared).toMatchObject({
    id: 'driver/sub-allocation',
    cases: [
      {
        id: 'driver/a',
        subAllocated: { expectedBytes: [2 ** 23], observedBytes: [2 ** 22], createP50Ns: [10] },
        ownAllocations: { expectedBytes: [2 ** 21], observedBytes: [2 ** 21] },
      },
    ],
    says: 'driver/a: 4 MiB (expected 8 MiB) with heaps, 2 MiB (expected 2 MiB) without',
  });
});

it('says nothing where a side is missing or was not measured', () => {
  const skipped: Experiment = { id: 'driver/a/own-allocations', suite: 'driver', status: 'skipped', reason: 'x' };
  expect(compareSubAllocation([side('driver/a', 1), skipped])).toBeUndefined();
  expect(compareSubAllocation([side('driver/a/own-allocations', 1)])).toBeUndefined();
  expect(
    compareSubAllocation([{ ...side('driver/a', 1), suite: 'oom' }, side('driver/a/own-allocations', 1)]),
  ).toBeUndefined();
});
