import { expect, it } from 'vitest';
import { type MemoryRun, NEVER } from './memory-run.js';
import { MomentReader } from './moment.js';
import { memoryRunOf } from './run-of-trace.js';
import { TraceBuilder } from '../trace/trace-builder.js';
import { mulberry32, unitInterval } from '../../base/random.js';

/** Many checkpoints long, with tensors that outlive several of them. */
function longRun(operations: number): MemoryRun {
  const source = mulberry32(7);
  const random = (): number => unitInterval(source);
  const builder = new TraceBuilder('long');
  const live: number[] = [];
  for (let i = 0; i < operations; i++) {
    if (live.length < 40 || random() < 0.5) {
      builder.allocate(i, 1 + Math.floor(random() * 3 * 2 ** 20));
      live.push(i);
    } else builder.free(live.splice(Math.floor(random() * live.length), 1)[0] ?? 0);
  }
  return memoryRunOf(builder.finish(), { name: 'caching', conf: '', capacity: 80 * 2 ** 30 });
}

/** Rows alive after an operation, by address: what a reader has to find, looked at one by one. */
function livingRows({ blocks }: MemoryRun, operation: number): number[] {
  return Array.from({ length: blocks.count }, (_, row) => row)
    .filter((row) => (blocks.bornAt[row] ?? 0) <= operation && (blocks.diedAt[row] ?? NEVER) > operation)
    .sort((a, b) => (blocks.address[a] ?? 0) - (blocks.address[b] ?? 0));
}

it('reads a moment of a long program alike from any checkpoint, on both sides of each, forwards and back', () => {
  const run = longRun(6000);
  const { interval, starts } = run.checkpoints;
  expect(starts.length).toBeGreaterThan(8);
  const edges = Array.from({ length: starts.length }, (_, i) => i * interval);
  const moments = [...edges.flatMap((at) => [at - 2, at - 1, at, at + 1]), run.end - 1, run.end + 5, -1, -9];
  const reader = new MomentReader(run);
  for (const at of [...moments, ...moments.toReversed()]) {
    const shown = Math.min(Math.max(-1, at), run.end - 1);
    const { rows, areas, operation } = reader.at(at);
    expect(operation).toBe(shown);
    expect([...rows], `after ${at}`).toEqual(livingRows(run, shown));
    const live = areas.reduce((sum, area) => sum + area.live, 0);
    expect(live).toBe(shown < 0 ? 0 : run.tracks.allocated[shown]);
  }
});
