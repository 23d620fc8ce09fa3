import { describe, expect, it } from 'vitest';
import { findWorkload } from '../../workload/catalogue.js';
import { traceOf } from '../../workload/trace-program.js';
import { makeAllocator } from '../../allocator/registry.js';
import { replay } from '../../trace/replay.js';
import { defaultChanges, settingChange } from './changes.js';
import { runChange } from './run-change.js';

const MIB = 2 ** 20;
const trace = traceOf(findWorkload('kv-cache'));
const free = { capacity: undefined, search: false };

describe('a what-if', { timeout: 60_000 }, () => {
  it.each([...defaultChanges('none')])('says what a replay says: $allocator $setting', (change) => {
    const capacity = 40 * 2 ** 30;
    const row = runChange(trace, change, { capacity, search: false });
    const fraction = change.conf.includes('garbage') ? 1 : undefined;
    const { allocator, deviceCalls } = makeAllocator({
      name: change.allocator,
      conf: change.conf,
      capacity,
      trace,
      fraction,
    });
    const result = replay(trace, allocator);
    expect(row).toMatchObject({
      peak_reserved: result.peakReserved,
      peak_allocated: result.peakAllocated,
      fits: result.failures === 0,
      outcome: result.outcome.status,
      device_calls: deviceCalls(),
    });
  });

  it('says nothing of fitting where no capacity is known', () => {
    expect(runChange(trace, settingChange(''), free)).toMatchObject({ fits: null, outcome: 'completed' });
  });

  it('gives the peak that nothing presses on, whether the smallest device is searched for or not', () => {
    for (const change of [settingChange(''), settingChange('expandable_segments:True')]) {
      const searched = runChange(trace, change, { capacity: undefined, search: true });
      const { smallest_capacity: smallest = 0, ...row } = searched;
      expect(row).toEqual(runChange(trace, change, free));
      expect(row.retries).toBe(0);
      expect(smallest).toBeLessThanOrEqual(row.peak_reserved ?? 0);
    }
  });

  it('finds a capacity that is enough where 2 MiB less is not', () => {
    for (const change of [settingChange(''), settingChange('expandable_segments:True'), settingChange('', 'bfc')]) {
      const { smallest_capacity: smallest = 0 } = runChange(trace, change, { capacity: undefined, search: true });
      expect(smallest).toBeGreaterThan(0);
      expect(runChange(trace, change, { capacity: smallest, search: false }).fits).toBe(true);
      expect(runChange(trace, change, { capacity: smallest - 2 * MIB, search: false }).fits).toBe(false);
    }
  });

  it('tells where it stops on a device that is too small', () => {
    const row = runChange(trace, settingChange(''), { capacity: 64 * MIB, search: false });
    expect(row.outcome).toBe('out-of-memory');
    expect(row.failed_at?.size).toBeGreaterThan(0);
    expect(row.retries).toBeGreaterThan(0);
  });

  it('answers a setting that the allocator refuses', () => {
    const row = runChange(trace, settingChange('max_split_size_mb:1'), free);
    expect(row).toMatchObject({ outcome: 'refused', peak_reserved: null, fits: null });
    expect(row.reason).toContain('max_split_size_mb too small');
  });
});
