/**
 * The suite `alloc`: what it costs to create, touch first, use and release a buffer, as distributions by size; what is
 * left for the work when every piece of it makes its own buffer; and what dropping a buffer gives back.
 */
import { flagsOf, quantile, summarize } from '../../base/statistics.js';
import { sizeLabel } from '../../base/sizes.js';
import { formatBytes } from '../../base/format.js';
import { say } from '../../base/said.js';
import { KiB, MiB } from '../../base/units.js';
import { type Preset, type Row } from '../../model/report/schema.js';
import { type RunRequest } from '../../engine/protocol.js';
import { BufferPool } from '../buffers.js';
import { experimentResult, type Job, type RowContext, rowResult, type Suite } from '../suite.js';
import { CHUNK_BYTES } from '../verify.js';
import { dropJob } from './drop.js';
import { mappedJob } from './mapped.js';
import { type Lifecycle, live, type Phase, PHASES, type SampleCount, turnover } from './lifecycle.js';

const SIZES: Readonly<Record<Preset, readonly number[]>> = {
  quick: [256, MiB(1), MiB(16)],
  standard: [256, KiB(64), MiB(1), MiB(4), MiB(16), MiB(64)],
  full: [256, KiB(4), KiB(64), MiB(1), MiB(4), MiB(16), MiB(64), MiB(256)],
};
/** Buffers a size; but in `quick` and `standard` fewer of the large ones, so that a size takes seconds. */
const SAMPLES: Readonly<Record<Preset, number>> = { quick: 30, standard: 300, full: 2000 };
const LEAST_SAMPLES: Readonly<Record<Preset, number>> = { quick: 8, standard: 20, full: 2000 };
const BYTES_A_SIZE = MiB(256);
/**
 * A row that has so many samples ends after this long. A software adapter takes most of a second for the life of 256 MiB:
 * 2,000 of them would be half an hour, and 200 have a p99 already.
 */
const ENOUGH_SAMPLES = 200;
const LIMIT_MS = 100_000;

/** In `full` also the largest power of two that the budget holds with its check, where that is over the sizes above. */
function sizesFor({ preset, budgetBytes }: RunRequest): readonly number[] {
  const sizes = SIZES[preset];
  const most = 2 ** Math.floor(Math.log2(Math.max(1, budgetBytes - CHUNK_BYTES)));
  return preset === 'full' && most > Math.max(...sizes) ? [...sizes, most] : sizes;
}
/** Longer than this many medians is a spike. */
const SPIKE = 10;

function samplesOf(preset: Preset, size: number): SampleCount {
  const most = Math.max(LEAST_SAMPLES[preset], Math.min(SAMPLES[preset], Math.floor(BYTES_A_SIZE / size)));
  return { most, least: Math.min(most, ENOUGH_SAMPLES), limitMs: LIMIT_MS };
}

/** Lives of buffers by size: taken by the first row of the size, shared by the others. */
type Lives = Map<number, Promise<Lifecycle>>;

export const alloc: Suite = {
  rows: (_environment, request) => {
    const lives: Lives = new Map();
    const jobs = sizesFor(request).flatMap((size): Job[] => [
      ...PHASES.map((phase) => phaseJob(lives, phase, size)),
      spikesJob(lives, size),
      turnoverJob('churn', size),
      turnoverJob('reuse', size),
    ]);
    return { jobs: [...jobs, dropJob(), mappedJob()], dispose: () => undefined };
  },
};

/** Runs on a device of its own, within the budget; undefined where that does not allow the size. */
async function onOwnDevice<T>(context: RowContext, work: (pool: BufferPool) => Promise<T>): Promise<T> {
  const device = await context.openDevice();
  const pool = new BufferPool(device, context.request.budgetBytes);
  try {
    return await work(pool);
  } finally {
    pool.destroyAll();
    device.destroy();
  }
}

function refusal({ environment, request }: RowContext, size: number): string | undefined {
  const most = environment.adapter.limits['maxBufferSize'] ?? Infinity;
  if (size > most) return say`${formatBytes(size)} pass the device's limit of ${formatBytes(most)}`;
  const needed = size + CHUNK_BYTES;
  if (needed <= request.budgetBytes) return undefined;
  return say`needs ${formatBytes(needed)}, the check's read-back included; the budget is ${formatBytes(request.budgetBytes)}`;
}

/** Lives that were taken already, or new ones. */
const livesOf = (context: RowContext, lives: Lives, size: number): Promise<Lifecycle> =>
  lives.get(size) ?? newLives(context, lives, size);

function newLives(context: RowContext, lives: Lives, size: number): Promise<Lifecycle> {
  const count = samplesOf(context.request.preset, size);
  const taken = onOwnDevice(context, (pool) => live(pool, size, count, context.signal));
  lives.set(size, taken);
  // What went wrong once (a lost device) is no answer for the rows that come after.
  taken.catch(() => lives.delete(size));
  return taken;
}

interface RowHead {
  readonly id: string;
  readonly suite: 'alloc';
  readonly unit: string;
}

function measured(
  head: RowHead,
  samples: readonly number[],
  facts: { bytes: number; checked: number; method: string; count: SampleCount },
): Row {
  const stats = summarize(samples);
  return {
    ...head,
    status: 'measured',
    value: stats.median,
    samples: [...samples],
    stats,
    workingSet: facts.bytes,
    verified: true,
    checkedElements: facts.checked,
    flags: flagsOf(samples),
    stopReason: samples.length < facts.count.most ? 'time-limit' : 'fixed-count',
    method: facts.method,
  };
}

const METHODS: Readonly<Record<Phase, string>> = {
  create: 'createBuffer until its error scopes answer, wall time',
  'first-touch': 'the first clearBuffer of all of it, from submit to done, wall time: pays the lazy clear',
  steady: 'the second clearBuffer of all of it, from submit to done, wall time',
  release: 'destroy(), an empty submit and its completion, wall time: only then is the memory back',
};

function phaseJob(lives: Lives, phase: Phase, size: number): Job {
  const head = { id: `alloc/${phase}/${sizeLabel(size)}`, suite: 'alloc', unit: 'ns' } as const;
  const isFirst = phase === PHASES[0];
  return {
    id: head.id,
    suite: 'alloc',
    measures: 'ns',
    riskBytes: size,
    isShared: !isFirst,
    run: async (context) => {
      const reason = refusal(context, size);
      if (reason !== undefined) return rowResult({ ...head, status: 'skipped', reason });
      // The first row is measured again where the machine slowed down: it must not be told what it knows already.
      const { times, checkedElements, wrong } = await (isFirst ? newLives : livesOf)(context, lives, size);
      if (wrong > 0) return rowResult({ ...head, status: 'failed', reason: say`${wrong} words were not cleared` });
      const count = samplesOf(context.request.preset, size);
      const facts = { bytes: size, checked: checkedElements, method: METHODS[phase], count };
      return rowResult(measured(head, times[phase], facts));
    },
  };
}

/** The rare slow ones, which a median hides. */
function spikesJob(lives: Lives, size: number): Job {
  const id = `alloc/spikes/${sizeLabel(size)}`;
  return {
    id,
    suite: 'alloc',
    kind: 'experiment',
    measures: '',
    run: async (context) => {
      const reason = refusal(context, size);
      if (reason !== undefined) return experimentResult({ id, suite: 'alloc', status: 'skipped', reason });
      const { times } = await livesOf(context, lives, size);
      const phases = PHASES.map((phase) => {
        const p50 = quantile(times[phase], 0.5);
        const spikes = times[phase].flatMap((ns, sample) => (ns > SPIKE * p50 ? [{ sample, ns }] : []));
        return [phase, { p50, p99: quantile(times[phase], 0.99), max: Math.max(...times[phase]), spikes }] as const;
      });
      return experimentResult({
        id,
        suite: 'alloc',
        status: 'measured',
        sizeBytes: size,
        samples: times.create.length,
        spikeIs: `longer than ${SPIKE} medians`,
        ...Object.fromEntries(phases),
      });
    },
  };
}

function turnoverJob(kind: 'churn' | 'reuse', size: number): Job {
  const head = { id: `alloc/${kind}/${sizeLabel(size)}`, suite: 'alloc', unit: 'GB/s' } as const;
  const method =
    kind === 'churn'
      ? 'bytes written over the time to create a buffer, write all of it and release it'
      : 'bytes written over the time to write all of a buffer that was made once';
  return {
    id: head.id,
    suite: 'alloc',
    measures: 'GB/s',
    riskBytes: size,
    run: async (context) => {
      const reason = refusal(context, size);
      if (reason !== undefined) return rowResult({ ...head, status: 'skipped', reason });
      const count = samplesOf(context.request.preset, size);
      const { values, checkedElements, wrong } = await onOwnDevice(context, (pool) =>
        turnover(pool, size, count, kind === 'reuse', context.signal),
      );
      if (wrong > 0) return rowResult({ ...head, status: 'failed', reason: say`${wrong} words were not written` });
      return rowResult(measured(head, values, { bytes: size, checked: checkedElements, method, count }));
    },
  };
}
