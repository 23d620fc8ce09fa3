import { describe, expect, it } from 'vitest';
import { AppError } from '../base/errors.js';
import { explainSnapshot } from '../model/diagnose/snapshot/explain-snapshot.js';
import { compareLive, liveSnapshot } from '../model/diagnose/compare/compare-snapshots.js';
import { defaultChanges, settingChange } from '../model/diagnose/whatif/changes.js';
import { runChange } from '../model/diagnose/whatif/run-change.js';
import { snapshotInput } from '../model/diagnose/whatif/whatif-input.js';
import { readSnapshot } from '../model/snapshot/read-snapshot.js';
import { expandableFailure } from '../model/snapshot/testing/expandable-failure.js';
import { pythonPickle } from '../model/snapshot/testing/python-pickle.js';
import { sampleSnapshot } from '../model/snapshot/testing/sample-snapshot.js';
import { FileSession } from './model-client.js';
import { type OpeningProgress } from './model-protocol.js';
import { SweepPool } from './sweep-pool.js';

const signal = new AbortController().signal;
const blob = (bytes: Uint8Array | string): Blob =>
  new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]);
const gzip = async (source: Blob): Promise<Blob> =>
  new Response(source.stream().pipeThrough(new CompressionStream('gzip'))).blob();
const sample = (events: number): Uint8Array => pythonPickle(sampleSnapshot({ events, depth: 8, seed: 3 }), 4);

async function withSession(test: (session: FileSession) => Promise<void>): Promise<void> {
  const session = new FileSession();
  try {
    await test(session);
  } finally {
    session.dispose();
  }
}

describe('FileSession over the real worker', () => {
  it('opens a snapshot and explains it as the model does', async () => {
    const bytes = expandableFailure();
    await withSession(async (session) => {
      const opened = await session.open(blob(bytes), 'oom.pickle', { signal });
      expect(opened).toEqual({
        kind: 'snapshot',
        name: 'oom.pickle',
        bytes: bytes.length,
        devices: [{ device: 0, events: 17, hasFailure: true }],
        canReplay: false,
      });
      expect(await session.explain()).toEqual(explainSnapshot(readSnapshot(bytes, 'oom.pickle')));
    });
  });

  it('reads gzip to the same answer', async () => {
    const bytes = expandableFailure();
    await withSession(async (session) => {
      const opened = await session.open(await gzip(blob(bytes)), 'oom.pickle.gz', { signal });
      expect(opened).toMatchObject({ kind: 'snapshot', canReplay: false });
      expect(await session.explain()).toEqual(explainSnapshot(readSnapshot(bytes, 'oom.pickle.gz')));
    });
  });

  it('reports bytes read and bytes parsed, each up to all', async () => {
    const bytes = sample(20_000);
    await withSession(async (session) => {
      const seen: OpeningProgress[] = [];
      await session.open(blob(bytes), 'sample', { signal, onProgress: (progress) => void seen.push(progress) });
      for (const stage of ['reading', 'parsing']) {
        const done = seen.filter((progress) => progress.stage === stage).map((progress) => progress.done);
        expect(done).toEqual([...done].sort((a, b) => a - b));
        expect(done.at(-1)).toBe(bytes.length);
      }
    });
  });

  it('refuses a file that was cut off, naming the byte, and opens the next', async () => {
    const bytes = sample(2000);
    await withSession(async (session) => {
      const error = await session
        .open(blob(bytes.slice(0, 5000)), 'cut.pickle', { signal })
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ failure: { kind: 'bad-input', what: 'cut.pickle' } });
      expect(String(error)).toMatch(/byte \d/);
      expect(await session.open(blob('torch.OutOfMemoryError: CUDA out of memory.'), 'log', { signal })).toEqual({
        kind: 'text',
        name: 'log',
        bytes: 43,
      });
    });
  });

  it('refuses a damaged gzip file in one line', async () => {
    const packed = await (await gzip(blob(sample(500)))).arrayBuffer();
    await withSession(async (session) => {
      const error = await session
        .open(blob(new Uint8Array(packed, 0, packed.byteLength >> 1)), 'half.gz', { signal })
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({ failure: { kind: 'bad-input' } });
      expect(String(error)).toMatch(/half\.gz is a damaged gzip file/);
    });
  });

  it('stops at once when cancelled, and opens again', async () => {
    await withSession(async (session) => {
      const cancel = new AbortController();
      const opening = session.open(blob(sample(60_000)), 'sample', {
        signal: cancel.signal,
        onProgress: () => cancel.abort(new DOMException('enough', 'AbortError')),
      });
      await expect(opening).rejects.toThrow('enough');
      expect(await session.open(blob(sample(100)), 'small', { signal })).toMatchObject({ kind: 'snapshot' });
    });
  });

  it('hands out what is live for a comparison', async () => {
    const bytes = sample(3000);
    await withSession(async (session) => {
      await session.open(blob(bytes), 'sample', { signal });
      const own = liveSnapshot(readSnapshot(bytes, 'sample'));
      const live = await session.live();
      expect(live).toEqual(own);
      expect(compareLive([live, live]).by_site.every(({ difference_bytes: difference }) => difference === 0)).toBe(
        true,
      );
    });
  });
});

describe('SweepPool', () => {
  const bytes = sample(3000);
  const question = { capacity: 2 ** 30, search: false };

  it('answers as the model does, side by side', async () => {
    const own = snapshotInput(readSnapshot(bytes, 'sample'));
    await withSession(async (session) => {
      await session.open(blob(bytes), 'sample', { signal });
      const input = await session.whatIfInput(0);
      expect(input.traces.map(({ length }) => length)).toEqual(own.traces.map(({ length }) => length));
      const pool = new SweepPool(undefined, 3);
      try {
        const changes = defaultChanges('');
        const rows = await Promise.all(changes.map((change) => pool.answer(input, change, question, { signal })));
        expect(rows).toEqual(
          changes.map((change) => {
            const trace = own.traces[change.trace];
            if (trace === undefined) throw new Error('no trace');
            return runChange(trace, change, question);
          }),
        );
      } finally {
        pool.dispose();
      }
    });
  });

  it('takes a cancelled question out and answers the others', async () => {
    const input = snapshotInput(readSnapshot(bytes, 'sample'));
    const pool = new SweepPool(undefined, 1);
    try {
      const cancel = new AbortController();
      const started: string[] = [];
      const ask = (conf: string, by: AbortSignal) =>
        pool.answer(input, settingChange(conf), question, { signal: by, onStart: () => void started.push(conf) });
      const first = ask('', signal);
      const gone = ask('max_split_size_mb:64', cancel.signal);
      const last = ask('expandable_segments:True', signal);
      cancel.abort(new DOMException('not wanted', 'AbortError'));
      await expect(gone).rejects.toThrow('not wanted');
      expect((await first).setting).toBe('default');
      expect((await last).setting).toBe('expandable_segments:True');
      expect(started).toEqual(['', 'expandable_segments:True']);
    } finally {
      pool.dispose();
    }
  });

  it('ends a computing question when it is cancelled and goes on with a new worker', async () => {
    const input = snapshotInput(readSnapshot(bytes, 'sample'));
    const pool = new SweepPool(undefined, 1);
    try {
      const cancel = new AbortController();
      const gone = pool.answer(input, settingChange(''), question, {
        signal: cancel.signal,
        onStart: () => cancel.abort(new DOMException('not wanted', 'AbortError')),
      });
      await expect(gone).rejects.toThrow('not wanted');
      expect((await pool.answer(input, settingChange(''), question, { signal })).outcome).toBe('completed');
    } finally {
      pool.dispose();
    }
  });
});
