/** The lab's suites cancelled, and their devices lost, in the middle: nothing may be left, and what was measured is kept. */
import { beforeEach, describe, expect, it } from 'vitest';
import { messageOf } from '../base/errors.js';
import { mulberry32, unitInterval } from '../base/random.js';
import { type AskHost, type RunEvent, type RunRequest } from '../engine/protocol.js';
import { LAB_SUITES } from '../model/report/suites.js';
import { createEngine } from './engine.js';
import { BufferCensus } from './testing/buffer-census.js';
import { gpuProcessBytes } from './testing/gpu-process.js';
import { HOST, NOBODY, TEST_REQUEST } from './testing/test-bench.js';

const MIB = 2 ** 20;
/** What a browser's GPU process may have grown by after everything is given back: caches, compiled kernels, a heap's rest. */
const SLACK = 64 * MIB;

let census: BufferCensus;
beforeEach(() => {
  census = new BufferCensus();
});

const request = (suite: RunRequest['suites'][number], more: Partial<RunRequest> = {}): RunRequest => ({
  ...TEST_REQUEST,
  suites: [suite],
  budgetBytes: 512 * MIB,
  ...more,
});

/** Answers as the program does where it can look at its browser's memory; ends no process and keeps no journal. */
const askHost: AskHost = async (question) => {
  if (question.kind !== 'process-memory') return NOBODY(question);
  const gpuBytes = await gpuProcessBytes();
  return { kind: 'process-memory', gpuBytes, totalBytes: gpuBytes };
};

/** Runs until `moment` milliseconds after the first row has started; says how long the end took. */
async function cancelAt(asked: RunRequest, momentMs: number) {
  const cancel = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelledAt = 0;
  const engine = createEngine(census.watch(), HOST);
  const ended = await engine
    .run(
      asked,
      () => {},
      () => {
        timer ??= setTimeout(() => {
          cancelledAt = performance.now();
          cancel.abort(new DOMException('enough', 'AbortError'));
        }, momentMs);
      },
      cancel.signal,
      askHost,
    )
    .then(
      () => 'done',
      (error: unknown) => messageOf(error),
    );
  clearTimeout(timer);
  return { ended, tookMs: cancelledAt === 0 ? 0 : performance.now() - cancelledAt };
}

describe.each(LAB_SUITES)('%s', (suite) => {
  it('is cancelled within a second at any moment, with every buffer destroyed', async () => {
    // The first run of a browser compiles and caches; what it keeps is no leak.
    await cancelAt(request(suite), 3500);
    const before = await gpuProcessBytes();
    const random = mulberry32(11);
    const took: number[] = [];
    for (const least of [0, 150, 400, 900, 1700, 2600]) {
      const { ended, tookMs } = await cancelAt(request(suite), least + 200 * unitInterval(random));
      if (ended !== 'done') expect(ended).toBe('enough');
      took.push(tookMs);
      expect(census.left(), `cancelled after ${least} ms`).toEqual([]);
    }
    expect(Math.max(...took), `ms: ${took.map(Math.round).join(', ')}`).toBeLessThan(1000);
    expect(census.created).toBeGreaterThan(10);
    const grown = (await gpuProcessBytes()) - before;
    expect(grown, `${Math.round(grown / MIB)} MiB`).toBeLessThan(SLACK);
  });

  it('keeps what was measured when its device is lost in the middle, and goes on with a new one', async () => {
    const statuses: string[] = [];
    const reasons: string[] = [];
    let told = 0;
    const onEvent = (event: RunEvent): void => {
      if (event.kind !== 'row' && event.kind !== 'experiment') return;
      const { status, reason } = event.kind === 'experiment' ? event.experiment : { reason: undefined, ...event.row };
      statuses.push(status);
      if (status === 'failed') reasons.push(reason ?? '');
      told += 1;
      // The devices of the run and of whatever experiment comes next go while that one works.
      if (told === 3) setTimeout(() => census.destroyDevices(), 30);
    };
    const filter = {
      alloc: '256B|1MiB',
      oom: 'stress|largest',
      driver: 'pinned|every|sweep',
      train: '^train/(concat|prealloc)-caching',
    };
    const asked = request(suite, { filter: filter[suite as keyof typeof filter] });
    await createEngine(census.watch(), HOST).run(asked, onEvent, () => {}, new AbortController().signal, askHost);
    expect(statuses.slice(0, 3)).toEqual(['measured', 'measured', 'measured']);
    expect(statuses.at(-1)).toBe('measured');
    expect(reasons.length).toBeLessThanOrEqual(2);
    for (const reason of reasons) expect(reason).toMatch(/lost|destroyed/i);
    expect(census.left()).toEqual([]);
  });
});

it.each([1, 8, 17, 24])(
  'fails nothing for want of a budget (%i MiB): what it does not hold is skipped with the reason',
  async (mib) => {
    const answers: { readonly id: string; readonly status: string; readonly reason?: string | undefined }[] = [];
    const onEvent = (event: RunEvent): void => {
      if (event.kind === 'row') answers.push(event.row);
      if (event.kind === 'experiment') answers.push(event.experiment);
    };
    const suites = [...LAB_SUITES];
    const filter = '^(alloc|oom|driver)/|^train/((concat|case13b-concat|kv-concat)-caching|planted|largest)';
    const asked = { ...request('oom'), suites, filter, budgetBytes: mib * MIB, isBudgetAsked: true };
    await createEngine(census.watch(), HOST).run(asked, onEvent, () => {}, new AbortController().signal, askHost);
    expect(answers.filter(({ status }) => status === 'failed')).toEqual([]);
    for (const { id, status, reason } of answers) if (status === 'skipped') expect(reason, id).toMatch(/[MK]iB/);
    expect(answers.filter(({ status }) => status === 'measured').length).toBeGreaterThan(10);
    expect(census.left()).toEqual([]);
  },
);
