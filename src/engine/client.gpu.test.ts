import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { AppError } from '../base/errors.js';
import { environmentSchema, type Row, rowSchema } from '../model/report/schema.js';
import { EngineClient } from './client.js';
import { type RunEvent, type RunRequest } from './protocol.js';

const request = (filter: string): RunRequest => ({
  suites: ['tiers'],
  preset: 'quick',
  filter,
  budgetBytes: 2 ** 30,
  seed: 7,
  adapter: 'any',
});

async function withEngine(test: (engine: EngineClient) => Promise<void>, start?: () => Worker): Promise<void> {
  const engine = new EngineClient(start);
  try {
    await test(engine);
  } finally {
    engine.dispose();
  }
}

describe('EngineClient over the real worker', () => {
  it('runs every row of a size, each measured, verified and by the schema', async () => {
    await withEngine(async (engine) => {
      const events: RunEvent[] = [];
      const done: number[] = [];
      const summary = await engine.run(request('/1MiB$'), {
        signal: new AbortController().signal,
        onEvent: (event) => void events.push(event),
        onProgress: (progress) => void done.push(progress.done),
      });
      const rows = events.flatMap((event): Row[] => (event.kind === 'row' ? [v.parse(rowSchema, event.row)] : []));
      expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'measured'));
      const planned = events.flatMap((event) => (event.kind === 'planned' ? event.rows.map(({ id }) => id) : []));
      expect(planned.length).toBeGreaterThanOrEqual(14);
      expect(summary).toMatchObject({ measured: planned.length, skipped: 0, failed: 0 });
      expect(v.parse(environmentSchema, summary.environment).clock.kind).toBe('timestamp-query');
      expect(events.slice(0, 2).map(({ kind }) => kind)).toEqual(['environment', 'planned']);
      // A row comes again with the samples of each round.
      expect([...new Set(rows.map(({ id }) => id))]).toEqual(planned);
      expect(done).toEqual([...done].sort((a, b) => a - b));
    });
  });

  it('describes the adapter with every limit asked, granted and possible', async () => {
    await withEngine(async (engine) => {
      const environment = v.parse(environmentSchema, await engine.describe('any'));
      expect(environment.clock.gridNs).toBeGreaterThan(0);
      const size = environment.adapter.limitRequests.find(({ name }) => name === 'maxBufferSize');
      expect(size).toMatchObject({ granted: size?.maximum });
      expect(environment.browser).toMatchObject({ name: 'Chrome', version: expect.stringMatching(/^\d+\./) as string });
    });
  });

  it('carries an AppError whole', async (test) => {
    await withEngine(async (engine) => {
      const { adapter } = await engine.describe('any');
      if (adapter.class === 'hardware') test.skip('this machine has what is refused here');
      const error = await engine.describe('hardware').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ failure: { kind: 'unsupported', missing: 'hardware adapter' } });
    });
  });
});

describe('cancel', () => {
  it('rejects with the signal’s reason within a second, and the next run works', async () => {
    await withEngine(async (engine) => {
      const cancel = new AbortController();
      let cancelledAt = 0;
      const late: RunEvent[] = [];
      const running = engine.run(request('/64MiB$'), {
        signal: cancel.signal,
        onEvent: (event) => {
          if (cancelledAt > 0) late.push(event);
        },
        onProgress: ({ done }) => {
          if (done !== 1) return;
          cancelledAt = performance.now();
          cancel.abort(new DOMException('enough', 'AbortError'));
        },
      });
      await expect(running).rejects.toMatchObject({ name: 'AbortError', message: 'enough' });
      const { measured } = await engine.run(request('copy/vec4/1MiB$'), { signal: new AbortController().signal });
      expect(measured).toBe(1);
      expect(late).toEqual([]);
    });
  });

  it('does not start with an aborted signal', async () => {
    const start = (): Worker => {
      throw new Error('a worker was started');
    };
    await withEngine(async (engine) => {
      const signal = AbortSignal.abort(new DOMException('before', 'AbortError'));
      await expect(engine.run(request('.'), { signal })).rejects.toMatchObject({ message: 'before' });
    }, start);
  });

  it('replaces a worker that stays silent', async () => {
    const silent = URL.createObjectURL(new Blob(['onmessage = () => {};'], { type: 'text/javascript' }));
    const answering = new URL('../../workers/gpu.worker.ts', import.meta.url);
    const started: string[] = [];
    const cancel = new AbortController();
    const start = (): Worker => {
      started.push(started.length === 0 ? 'silent' : 'answering');
      // After the call has reached the worker.
      setTimeout(() => cancel.abort(new DOMException('enough', 'AbortError')));
      return started.length === 1 ? new Worker(silent) : new Worker(answering, { type: 'module' });
    };
    await withEngine(async (engine) => {
      const running = engine.run(request('.'), { signal: cancel.signal });
      await expect(running).rejects.toMatchObject({ message: 'enough' });
      const { adapter } = await engine.describe('any');
      expect(adapter.limits['maxBufferSize']).toBeGreaterThan(0);
      expect(started).toEqual(['silent', 'answering']);
    }, start);
    URL.revokeObjectURL(silent);
  });

  it('a worker that cannot be loaded is an error, not silence', async () => {
    const start = (): Worker => new Worker(new URL('data:text/javascript,throw new Error("broken")'));
    await withEngine(async (engine) => {
      await expect(engine.describe('any')).rejects.toThrow('the GPU worker failed');
    }, start);
  });
});
