import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { MiB } from '../base/units.js';
import { experimentSchema, rowSchema } from '../model/report/schema.js';
import { EngineClient } from './client.js';
import { type TrainEvent, type TrainRequest } from './protocol.js';

const request = (bank: 'concat' | 'prealloc', more: Partial<TrainRequest> = {}): TrainRequest => ({
  program: { kind: 'workload', workload: 'lesson-loop', parameters: { bank } },
  placement: 'caching',
  budgetBytes: MiB(32),
  seed: 7,
  adapter: 'any',
  ...more,
});

const ofTrace = (text: string): Pick<TrainRequest, 'program'> => ({
  program: { kind: 'trace', name: 'given.trace.json', text },
});

async function withEngine(test: (engine: EngineClient) => Promise<void>, start?: () => Worker): Promise<void> {
  const engine = new EngineClient(start);
  try {
    await test(engine);
  } finally {
    engine.dispose();
  }
}

async function train(engine: EngineClient, given: TrainRequest) {
  const events: TrainEvent[] = [];
  const { signal } = new AbortController();
  const result = await engine.train(given, { signal, onEvent: (event) => void events.push(event) });
  const planned = events.flatMap((event) => (event.kind === 'planned' ? [event.plan] : []));
  const reached = events.flatMap((event) => (event.kind === 'reached' ? [event.reached] : []));
  return { ...result, events, planned, reached };
}

describe('EngineClient.train', () => {
  it('meets on the device what the model says, and tells how far it is', () =>
    withEngine(async (engine) => {
      const concat = await train(engine, request('concat'));
      expect(concat.events.slice(0, 2).map(({ kind }) => kind)).toEqual(['environment', 'planned']);
      expect(v.parse(experimentSchema, concat.experiment)).toMatchObject({
        id: 'train/lesson-loop-caching',
        status: 'measured',
        outcome: 'out-of-memory',
        predicted: 'out-of-memory',
        met: true,
        agrees: true,
        freeOverRequest: true,
        corruptWords: 0,
      });
      const [plan] = concat.planned;
      expect(plan).toMatchObject({ predicted: 'out-of-memory', scale: 32, budgetBytes: MiB(31) });
      expect(concat.experiment).toMatchObject({ segmentsCreated: plan?.segments, segmentsPredicted: plan?.segments });

      const operations = concat.reached.map(({ operation }) => operation);
      expect(operations.length).toBeGreaterThan(1);
      expect(operations).toEqual([...operations].sort((a, b) => a - b));
      for (const { heldBytes, operation, operations: all } of concat.reached) {
        expect(heldBytes).toBeLessThanOrEqual(MiB(31));
        expect([operation < all, all]).toEqual([true, plan?.operations]);
      }

      const prealloc = await train(engine, request('prealloc'));
      expect(prealloc.experiment).toMatchObject({ outcome: 'completed', met: true, corruptWords: 0 });
      const rows = prealloc.rows.map((row) => v.parse(rowSchema, row));
      expect(rows.map(({ status }) => status)).toEqual(['measured', 'measured', 'measured', 'measured']);
    }));

  it('takes settings of the allocator, as the model does', () =>
    withEngine(async (engine) => {
      const { experiment } = await train(engine, request('concat', { conf: 'max_split_size_mb:21' }));
      expect(experiment).toMatchObject({ met: true, conf: 'max_split_size_mb:21', agrees: true });
    }));

  it('carries a trace out, on the memory that it says or that it is given', () =>
    withEngine(async (engine) => {
      const ops = [
        ['a', 1, MiB(4)],
        ['a', 2, MiB(4)],
        ['f', 1],
        ['f', 2],
      ];
      const text = JSON.stringify({ schema: 'vramlab-trace', version: 1, name: 'two', ops, capacity: MiB(16) });
      for (const [capacityBytes, outcome] of [
        [MiB(8), 'completed'],
        [MiB(7), 'out-of-memory'],
      ] as const) {
        const { experiment } = await train(
          engine,
          request('concat', { ...ofTrace(text), placement: 'direct', capacityBytes }),
        );
        expect(experiment).toMatchObject({ id: 'train/trace-direct', outcome, met: true, corruptWords: 0 });
      }
    }));

  it.each([
    ['a setting that PyTorch refuses', request('concat', { conf: 'max_split_size:1' }), 'max_split_size'],
    ['expandable segments', request('concat', { conf: 'expandable_segments:True' }), 'no counterpart in WebGPU'],
    ['settings of a placement without any', request('concat', { placement: 'arena', conf: 'x:1' }), 'has no settings'],
    [
      'a workload that is not there',
      { ...request('concat'), program: { kind: 'workload', workload: 'x', parameters: {} } },
      'no workload "x"',
    ],
    ['a file that is no trace', request('concat', ofTrace('{"schema":"other"}')), 'not a "vramlab-trace" one'],
    ['a budget of nothing', request('concat', { budgetBytes: 0 }), 'too small'],
    [
      'a budget too small for the program',
      request('concat', { budgetBytes: MiB(1), capacityBytes: MiB(8192) + 1 }),
      'too little to show',
    ],
    [
      'a tensor over the limit of a buffer',
      request('concat', {
        ...ofTrace(JSON.stringify({ schema: 'vramlab-trace', version: 1, ops: [['a', 1, 2 ** 33]] })),
        budgetBytes: MiB(64),
        capacityBytes: MiB(64),
      }),
      'operation 0 needs a segment of 8589934592 bytes',
    ],
  ] as [string, TrainRequest, string][])('refuses %s in one line', (_what, given, words) =>
    withEngine(async (engine) => {
      const error = await train(engine, given).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: 'AppError', failure: { kind: 'bad-input' } });
      expect(error).toMatchObject({ message: expect.stringContaining(words) as string });
      expect(String(error)).not.toContain('\n');
    }),
  );

  it('stops within a second, and the next one works', () =>
    withEngine(async (engine) => {
      const cancel = new AbortController();
      let cancelledAt = 0;
      const onEvent = (event: TrainEvent): void => {
        if (event.kind !== 'reached' || cancelledAt > 0) return;
        cancelledAt = performance.now();
        cancel.abort(new DOMException('enough', 'AbortError'));
      };
      const running = engine.train(request('concat'), { signal: cancel.signal, onEvent });
      await expect(running).rejects.toMatchObject({ message: 'enough' });
      expect(performance.now() - cancelledAt).toBeLessThan(1000);
      const { experiment } = await train(engine, request('prealloc'));
      expect(experiment).toMatchObject({ outcome: 'completed' });
    }));

  it('leaves a journal whose last step has ended', () =>
    withEngine(async (engine) => {
      await train(engine, request('prealloc'));
      expect(await engine.journal()).toMatchObject({ state: 'finished', bytes: MiB(32) });
    }));
});

describe('a worker that is killed', () => {
  it('in the middle of a program or of a run ends the call, keeps what came, and the next one works', async () => {
    const workers: Worker[] = [];
    const start = (): Worker => {
      const worker = new Worker(new URL('../../workers/gpu.worker.ts', import.meta.url), { type: 'module' });
      workers.push(worker);
      return worker;
    };
    await withEngine(async (engine) => {
      const { signal } = new AbortController();
      const ended = {
        name: 'AppError',
        failure: { kind: 'device-lost' },
        message: expect.stringContaining('worker ended') as string,
      };
      const training = engine.train(request('concat'), {
        signal,
        onEvent: (event) => {
          if (event.kind === 'reached') workers[0]?.terminate();
        },
      });
      await expect(training).rejects.toMatchObject(ended);
      // Nobody came back from the program in work: the next start can tell.
      expect(await engine.journal()).toMatchObject({ state: 'running', step: 'train lesson-loop (caching)' });

      const kept: string[] = [];
      const running = engine.run(
        { suites: ['alloc'], preset: 'quick', budgetBytes: MiB(256), seed: 7, adapter: 'any' },
        {
          signal,
          onEvent: (event) => {
            if (event.kind !== 'row') return;
            kept.push(event.row.id);
            if (kept.length === 2) workers.at(-1)?.terminate();
          },
        },
      );
      await expect(running).rejects.toMatchObject(ended);
      expect(kept).toEqual(['alloc/create/256B', 'alloc/first-touch/256B']);

      const { experiment } = await train(engine, request('prealloc'));
      expect(experiment).toMatchObject({ outcome: 'completed', corruptWords: 0 });
      expect(workers).toHaveLength(3);
    }, start);
  });
});
