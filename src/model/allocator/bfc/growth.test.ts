import { describe, expect, it } from 'vitest';
import { replay } from '../../trace/replay.js';
import { findWorkload } from '../../workload/catalogue.js';
import { traceOf } from '../../workload/trace-program.js';
import { makeAllocator } from '../registry.js';
import { BfcAllocator } from './bfc-allocator.js';
import { BumpMemory } from './bump-memory.js';

const MiB = 2 ** 20;

const run = (workload: string, conf: string, capacity: number) =>
  replay(traceOf(findWorkload(workload)), makeAllocator({ name: 'bfc', conf, capacity }).allocator);

describe('growth against one pool', () => {
  it('growth runs out where the pool fits: regions strand what one piece would serve', () => {
    const pool = run('creeping-sizes', '', 400 * MiB);
    const growth = run('creeping-sizes', 'allow_growth=true', 400 * MiB);
    expect(pool.outcome.status).toBe('completed');
    expect(growth.outcome.status).toBe('out-of-memory');
    if (growth.outcome.status !== 'out-of-memory') return;
    const { failure } = growth.outcome;
    expect(failure.totalFree).toBeGreaterThan(2 * failure.requested);
    expect(failure.largestFree).toBeLessThan(failure.requested);
  });

  it('growth takes less of the device where the program is small', () => {
    const pool = run('batch-order', '', 1024 * MiB);
    const growth = run('batch-order', 'allow_growth=true', 1024 * MiB);
    expect(pool.peakReserved).toBe(1024 * MiB);
    expect(growth.peakReserved).toBeLessThan(512 * MiB);
    expect([pool.failures, growth.failures]).toEqual([0, 0]);
  });

  it("the pool's size is what fails when a second program wants the same device", () => {
    for (const allowGrowth of [false, true]) {
      const memory = new BumpMemory(1024 * MiB);
      const [first, second] = [1, 2].map(() => new BfcAllocator({ memoryLimit: 1024 * MiB, allowGrowth, memory }));
      expect(first?.malloc(100 * MiB)).toBeGreaterThanOrEqual(0);
      expect((second?.malloc(100 * MiB) ?? -1) >= 0).toBe(allowGrowth);
    }
  });
});
