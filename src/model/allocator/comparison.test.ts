import { describe, expect, it } from 'vitest';
import { findWorkload } from '../workload/catalogue.js';
import { traceOf } from '../workload/trace-program.js';
import { TraceBuilder } from '../trace/trace-builder.js';
import { compareAllocators, comparisonJson, type MeasuredRow } from './comparison.js';
import { comparisonText } from './comparison-text.js';

const MiB = 2 ** 20;
const measured = (rows: readonly { readonly outcome: string }[]): MeasuredRow[] =>
  rows.filter((row): row is MeasuredRow => row.outcome !== 'refused');

describe('all allocators on one trace', () => {
  const comparison = compareAllocators(traceOf(findWorkload('layer-bank')), 448 * MiB);
  const rows = measured(comparison.rows);

  it('no row that fits is under the lower bound, and the arena is at it', () => {
    expect(rows).toHaveLength(comparison.rows.length);
    const fitting = rows.filter(({ fits }) => fits);
    expect(fitting.length).toBeGreaterThan(5);
    for (const row of fitting) expect(row.peakReserved).toBeGreaterThanOrEqual(comparison.lowerBound);
    const arena = rows.find(({ allocator }) => allocator === 'arena');
    expect(arena?.fits).toBe(true);
    expect(arena?.peakReserved).toBeLessThanOrEqual(comparison.lowerBound * 1.05);
    expect(arena?.deviceCalls).toBe(1);
  });

  it('every row holds what is in use, within the device', () => {
    for (const row of rows) {
      expect(row.peakReserved).toBeGreaterThanOrEqual(row.peakAllocated);
      expect(row.peakReserved).toBeLessThanOrEqual(448 * MiB);
      expect(row.waste).toBeGreaterThanOrEqual(0);
      expect(row.fits).toBe(row.outcome === 'completed');
    }
  });

  it('is a table with a line a row, and JSON with the same rows', () => {
    const lines = comparisonText(comparison).trimEnd().split('\n');
    expect(lines).toHaveLength(2 + rows.length);
    expect(lines[1]).toMatch(/^allocator +peak reserved +peak allocated +fits +device calls +waste +over bound$/);
    expect(comparisonJson(comparison)).toMatchObject({ schema: 'vramlab-comparison', version: 1, capacity: 448 * MiB });
  });

  it('names the allocators that lack what a trace asks for, and goes on', () => {
    const builder = new TraceBuilder('placed');
    builder.allocatePlaced(1, MiB, { alignment: 4096 });
    const placed = compareAllocators(builder.finish(), 64 * MiB);
    const fitting = measured(placed.rows).map(({ allocator }) => allocator);
    expect(new Set(fitting)).toEqual(new Set(['bfc']));
    expect(comparisonText(placed)).toMatch(/direct refused: .*mallocWith/);
  });
});
