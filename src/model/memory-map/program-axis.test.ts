import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TraceBuilder } from '../trace/trace-builder.js';
import { findWorkload } from '../workload/catalogue.js';
import { traceOf } from '../workload/trace-program.js';
import { ProgramAxis } from './program-axis.js';
import { memoryRunOf } from './run-of-trace.js';
import { randomPrograms } from './testing/random-program.js';

const MIB = 2 ** 20;
const CACHING = { name: 'caching', conf: '', capacity: 4096 * MIB };

it('is the operations of one run', () => {
  fc.assert(
    fc.property(randomPrograms(60, false), (trace) => {
      const run = memoryRunOf(trace, CACHING);
      const axis = new ProgramAxis([run]);
      expect(axis.length).toBe(trace.length);
      for (let i = -1; i < trace.length; i++) {
        expect(axis.operationAt(0, i)).toBe(i);
        expect(axis.positionOf(0, i)).toBe(i);
      }
    }),
  );
});

it('passes every operation of both runs, in order, and finds each again', () => {
  fc.assert(
    fc.property(randomPrograms(60, false), randomPrograms(60, false), (a, b) => {
      const runs = [memoryRunOf(a, CACHING), memoryRunOf(b, CACHING)];
      const axis = new ProgramAxis(runs);
      runs.forEach((run, index) => {
        let last = -1;
        for (let position = -1; position < axis.length; position++) {
          const operation = axis.operationAt(index, position);
          expect(operation - last).toBeLessThanOrEqual(1);
          expect(operation).toBeGreaterThanOrEqual(last);
          last = operation;
        }
        expect(last).toBe(run.operations - 1);
        for (let operation = -1; operation < run.operations; operation++) {
          expect(axis.operationAt(index, axis.positionOf(index, operation))).toBe(operation);
        }
      });
    }),
    { numRuns: 40 },
  );
});

it('has the same step at the same position, also where one run stops', () => {
  const [a, b] = ['concat', 'prealloc'].map((bank) => {
    const trace = traceOf(findWorkload('lesson-loop'), { bank });
    return memoryRunOf(trace, { name: 'caching', conf: '', capacity: 992 * MIB });
  });
  if (a === undefined || b === undefined) throw new Error('two runs');
  expect(a.end).toBeLessThan(a.operations);
  expect(b.end).toBe(b.operations);
  const axis = new ProgramAxis([a, b]);
  const failure = axis.positionOf(0, a.end - 1);
  expect(axis.markerAt(failure)?.label).toBe('step 16');
  expect(axis.isStopped(0, failure)).toBe(true);
  expect(axis.isStopped(0, failure - 1)).toBe(false);
  expect(axis.isStopped(1, axis.length - 1)).toBe(false);
  expect(axis.operationAt(0, axis.length - 1)).toBe(a.end - 1);
  const { markers, names } = b;
  for (let row = 0; row < markers.count; row++) {
    const position = axis.positionOf(1, markers.operation[row] ?? 0);
    expect(axis.markerAt(position)?.label).toBe(names[markers.name[row] ?? 0]);
  }
});

it('knows a run that stops at the last operation of its program', () => {
  const builder = new TraceBuilder('last');
  builder.allocate(1, 4 * 2 ** 20);
  builder.allocate(2, 64 * 2 ** 20);
  const trace = builder.finish();
  const failing = memoryRunOf(trace, { name: 'caching', conf: '', capacity: 32 * 2 ** 20 });
  const fitting = memoryRunOf(trace, { name: 'caching', conf: '', capacity: 128 * 2 ** 20 });
  expect([failing.end, failing.operations]).toEqual([2, 2]);
  const axis = new ProgramAxis([failing, fitting]);
  expect([0, 1].map((position) => axis.isStopped(0, position))).toEqual([false, true]);
  expect([0, 1].map((position) => axis.isStopped(1, position))).toEqual([false, false]);
});
