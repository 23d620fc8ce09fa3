import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GiB, MiB } from '../../base/units.js';
import { makeAllocator } from '../allocator/registry.js';
import { Replay } from '../trace/replay.js';
import { type Trace } from '../trace/trace.js';
import { findWorkload } from './catalogue.js';
import { traceOf } from './trace-program.js';

const POOL = 'allow_growth=false,garbage_collection=false';
const GROWTH = 'allow_growth=true,garbage_collection=false';
const COLLECTED = 'allow_growth=true,garbage_collection=true';
/** Columns are aligned with spaces in the file. */
const docs = readFileSync(new URL('../../../docs/WORKLOADS.md', import.meta.url), 'utf8').replace(/ +/g, ' ');

function onBfc(trace: Trace, capacity: number, conf: string) {
  const { allocator } = makeAllocator({ name: 'bfc', capacity, conf, trace });
  const replay = new Replay(allocator);
  replay.run(trace);
  return replay.result();
}

/** Workload, parameters, smallest pool and smallest limit with growth that complete, in MiB. */
const CASES = [
  ['layer-bank', {}, 394, 466],
  ['pinning', {}, 462, 672],
  ['stranded-hole', {}, 1880, 2578],
  ['creeping-sizes', { steps: 40 }, 240, 395],
  ['train', {}, 384, 420],
] as const;

test.each(CASES)('%s %j: growth needs more than one pool, as docs/WORKLOADS.md says', (id, given, pool, growth) => {
  const trace = traceOf(findWorkload(id), given);
  const outcome = (mib: number, conf: string) => onBfc(trace, MiB(mib), conf).outcome.status;
  expect([outcome(pool - 1, POOL), outcome(pool, POOL)]).toEqual(['out-of-memory', 'completed']);
  expect([outcome(growth - 1, GROWTH), outcome(growth, GROWTH)]).toEqual(['out-of-memory', 'completed']);
  expect(outcome(growth - 1, COLLECTED)).toBe('out-of-memory');
  const roomy = onBfc(trace, GiB(16), GROWTH);
  const live = Math.ceil(roomy.peakRequested / MiB(1));
  expect(docs).toContain(`| ${id} | ${live} | ${pool} | ${growth} | ${roomy.peakReserved / MiB(1)} |`);
});

test('layer-bank in 448 MiB: one pool completes, growth runs out in step 2, region collection or not', () => {
  const trace = traceOf(findWorkload('layer-bank'));
  expect(onBfc(trace, MiB(448), POOL).outcome.status).toBe('completed');
  for (const conf of [GROWTH, COLLECTED]) {
    const { outcome } = onBfc(trace, MiB(448), conf);
    expect(outcome).toMatchObject({ status: 'out-of-memory', operation: 64 });
  }
});

test('train in a pool of 383 MiB: the size of the pool is what fails, nothing in it is cut up', () => {
  const { outcome } = onBfc(traceOf(findWorkload('train')), MiB(383), POOL);
  expect(outcome.status).toBe('out-of-memory');
  if (outcome.status === 'completed') return;
  const { requested, totalFree } = outcome.failure;
  expect(totalFree).toBeLessThan(requested);
});
