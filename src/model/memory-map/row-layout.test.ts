import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TraceBuilder } from '../trace/trace-builder.js';
import { findWorkload } from '../workload/catalogue.js';
import { traceOf } from '../workload/trace-program.js';
import { type MemoryRun } from './memory-run.js';
import { layOutRows, type LayoutMode, rowBytesOf } from './row-layout.js';
import { memoryRunOf } from './run-of-trace.js';
import { randomPrograms } from './testing/random-program.js';

const MIB = 2 ** 20;

/** Ranges as [row, first byte, end] pieces with their lives, rows counted through. */
function placed(run: MemoryRun, mode: LayoutMode, rowBytes = rowBytesOf([run])) {
  const layout = layOutRows(run, mode, rowBytes);
  const { ranges } = run;
  return [...layout.row]
    .map((row, range) => ({
      range,
      size: ranges.size[range] ?? 0,
      from: row * rowBytes + (layout.offset[range] ?? 0),
      to: row * rowBytes + (layout.offset[range] ?? 0) + (ranges.size[range] ?? 0),
      born: ranges.createdAt[range] ?? 0,
      died: ranges.releasedAt[range] ?? 0,
    }))
    .filter(({ size, born, died }) => size > 0 && born < died);
}

describe('rows of the map', () => {
  it.each(['packed', 'single'] as const)('never put two living ranges in one place (%s)', (mode) => {
    fc.assert(
      fc.property(
        randomPrograms(120, false),
        fc.constantFrom('', 'expandable_segments:True'),
        fc.integer({ min: 60, max: 900 }),
        (trace, conf, budget) => {
          const run = memoryRunOf(trace, { name: 'caching', conf, capacity: budget * MIB });
          const rowBytes = rowBytesOf([run]);
          const all = placed(run, mode);
          for (const a of all) {
            if (run.ranges.expandable[a.range] === 0) {
              expect(Math.floor(a.from / rowBytes)).toBe(Math.floor((a.to - 1) / rowBytes));
            }
            for (const b of all) {
              if (a.range >= b.range || a.died <= b.born || b.died <= a.born) continue;
              const apart = a.to <= b.from || b.to <= a.from;
              expect(apart).toBe(true);
              if (mode === 'single') {
                expect(Math.floor(a.from / rowBytes)).not.toBe(Math.floor(b.from / rowBytes));
              }
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are 128 MiB for the loop of the Lab, in both runs', () => {
    const runs = ['concat', 'prealloc'].map((bank) =>
      memoryRunOf(traceOf(findWorkload('lesson-loop'), { bank }), { name: 'caching', conf: '', capacity: 992 * MIB }),
    );
    expect(rowBytesOf(runs)).toBe(128 * MIB);
    const expandable = memoryRunOf(traceOf(findWorkload('lesson-loop')), {
      name: 'caching',
      conf: 'expandable_segments:True',
      capacity: 992 * MIB,
    });
    expect(rowBytesOf([expandable])).toBe(128 * MIB);
    expect(layOutRows(expandable, 'packed', 128 * MIB).rows).toBeLessThanOrEqual(10);
  });

  it.each([
    [210, 256],
    [1024, 1024],
    // 64 rows of its own are enough.
    [1026, 128],
  ])('are long enough for a segment of one tensor of %d MiB, most of the memory as it is: %d MiB', (mib, row) => {
    const trace = new TraceBuilder('one');
    trace.allocate(1, mib * MIB);
    const run = memoryRunOf(trace.finish(), { name: 'caching', conf: '', capacity: 4096 * MIB });
    expect(rowBytesOf([run])).toBe(row * MIB);
    expect(layOutRows(run, 'packed', row * MIB).rows).toBe(Math.ceil(mib / row));
  });

  it('wrap a pool that is most of the memory', () => {
    const run = memoryRunOf(traceOf(findWorkload('lesson-loop')), { name: 'bfc', conf: '', capacity: 992 * MIB });
    const layout = layOutRows(run, 'packed', rowBytesOf([run]));
    expect(layout.rowBytes).toBe(128 * MIB);
    expect(layout.rows).toBe(8);
  });

  it('take ten thousand segments that come and go', () => {
    const trace = traceOf(findWorkload('churn'), { ops: 20_000, max_live: 3000, largest: 4 * MIB });
    const run = memoryRunOf(trace, { name: 'direct', conf: '', capacity: 64 * 1024 * MIB });
    const rows = placed(run, 'packed');
    expect(rows.length).toBeGreaterThan(9000);
    const bytes = Math.max(...rows.map(({ to }) => to));
    // First fit holds at most about twice what lives at the peak, and the space between segments.
    const peak = run.tracks.reserved.reduce((most, each) => Math.max(most, each), 0);
    expect(bytes).toBeLessThan(3 * peak);
  });
});
