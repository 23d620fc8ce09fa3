/**
 * The suite `driver`: Dawn's sub-allocator, the buddy model beside what is seen. Signals are the time that a creation
 * takes and, where a program started the browser on Linux, the memory of its GPU process. Every experiment has a new
 * device: heaps that an earlier one left in the pool would make the next one differ.
 */
import { formatBytes } from '../../base/format.js';
import { say } from '../../base/said.js';
import { quantile } from '../../base/statistics.js';
import { KiB, MiB } from '../../base/units.js';
import { OWN_ALLOCATIONS } from '../../model/execution/dawn-comparison.js';
import { backendOf, type DriverAct, expectedOf } from '../../model/execution/dawn-expectation.js';
import { type Preset } from '../../model/report/schema.js';
import { BufferPool } from '../buffers.js';
import { experimentResult, type Job, type RowContext, type Suite } from '../suite.js';

interface DriverCase {
  readonly id: string;
  readonly about: string;
  readonly acts: readonly DriverAct[];
}

const EVERY_OTHER = (index: number): boolean => index % 2 === 1;

const CASES: readonly DriverCase[] = [
  {
    id: 'over-a-power-of-two',
    about: '200 buffers of 1 MiB + 4 KiB: each takes 2 MiB of a heap',
    acts: [{ kind: 'create', count: 200, size: MiB(1) + KiB(4) }],
  },
  {
    id: 'every-other',
    about: '2,000 buffers of 64 KiB, every other one destroyed, then 500 of 128 KiB: no hole is large enough',
    acts: [
      { kind: 'create', count: 2000, size: KiB(64) },
      { kind: 'destroy', picks: EVERY_OTHER },
      { kind: 'create', count: 500, size: KiB(128) },
    ],
  },
  {
    id: 'pinned-heaps',
    about: '128 buffers of 1 MiB, all but one a heap destroyed: one survivor keeps 8 MiB',
    acts: [
      { kind: 'create', count: 128, size: MiB(1) },
      { kind: 'destroy', picks: (index) => index % 8 !== 0 },
    ],
  },
];

/** Sizes on both sides of powers of two, across the border of sub-allocation at 4 MiB. */
const sweep = (preset: Preset): readonly DriverCase[] => {
  const exponents = preset === 'quick' ? [20, 22] : [12, 16, 18, 20, 21, 22, 23];
  return exponents.flatMap((exponent) =>
    [0, KiB(4)].map((extra): DriverCase => {
      const size = 2 ** exponent + extra;
      const count = Math.max(8, Math.min(512, Math.floor(MiB(64) / size)));
      return {
        id: `sweep/${extra === 0 ? '' : 'over-'}${formatBytes(2 ** exponent).replace(' ', '')}`,
        about: `${count} buffers of ${formatBytes(2 ** exponent)}${extra === 0 ? '' : ' + 4 KiB'}`,
        acts: [{ kind: 'create', count, size }],
      };
    }),
  );
};

export const driver: Suite = {
  rows: (_environment, request) => ({
    jobs: [...CASES, ...sweep(request.preset)].map((each): Job => {
      const id = `driver/${each.id}${request.ownAllocations === true ? OWN_ALLOCATIONS : ''}`;
      return {
        id,
        suite: 'driver',
        kind: 'experiment',
        measures: '',
        riskBytes: Math.max(...expectedOf(each.acts, 'vulkan').reserved),
        run: async (context) => experimentResult({ id, suite: 'driver', ...(await runCase(context, each)) }),
      };
    }),
    dispose: () => undefined,
  }),
};

async function runCase(context: RowContext, { about, acts }: DriverCase) {
  const backend = backendOf(context.environment.platform);
  const isSubAllocated = context.request.ownAllocations !== true;
  const expected = expectedOf(acts, backend, isSubAllocated);
  const needed = Math.max(...expected.reserved);
  if (needed > context.request.budgetBytes) {
    return {
      status: 'skipped' as const,
      about,
      reason: say`needs ${formatBytes(needed)} of heaps; the budget is ${formatBytes(context.request.budgetBytes)}`,
    };
  }
  const before = await context.askHost({ kind: 'process-memory' });
  if (before.kind !== 'process-memory') {
    const reason = before.kind === 'unavailable' ? before.reason : say`the memory of the GPU process cannot be read`;
    return { status: 'skipped' as const, about, reason };
  }
  const device = await context.openDevice();
  const pool = new BufferPool(device, context.request.budgetBytes);
  try {
    const start = await gpuMemory(context);
    const seen = await carryOut(context, pool, acts, start);
    return {
      status: 'measured' as const,
      about,
      backend,
      model: isSubAllocated ? 'buddy' : 'an allocation a buffer',
      expectedBytes: expected.reserved,
      observedBytes: seen.grown,
      liveBytes: expected.live,
      observedOverExpected: seen.grown.map((bytes, act) => bytes / Math.max(1, expected.reserved[act] ?? 1)),
      createNs: seen.createNs,
      says: `${about}: ${formatBytes(expected.reserved.at(-1) ?? 0)} expected, ${formatBytes(seen.grown.at(-1) ?? 0)} seen in the GPU process`,
    };
  } finally {
    pool.destroyAll();
    device.destroy();
  }
}

async function gpuMemory({ askHost }: RowContext): Promise<number> {
  const answer = await askHost({ kind: 'process-memory' });
  return answer.kind === 'process-memory' ? answer.gpuBytes : 0;
}

/** Creations that take longer than this many medians are slow ones: a new heap. */
const SLOW = 4;

interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly slow: number;
}

async function carryOut(context: RowContext, pool: BufferPool, acts: readonly DriverAct[], start: number) {
  const buffers: (GPUBuffer | undefined)[] = [];
  const grown: number[] = [];
  const createNs: Latency[] = [];
  for (const act of acts) {
    if (act.kind === 'create') createNs.push(await createAll(context, pool, act, buffers));
    else {
      for (const [index, buffer] of buffers.entries()) {
        if (buffer === undefined || !act.picks(index)) continue;
        pool.destroy(buffer);
        buffers[index] = undefined;
      }
    }
    // The release fence: what was destroyed is given back, what was created is there.
    pool.device.queue.submit([]);
    await pool.device.queue.onSubmittedWorkDone();
    grown.push(Math.max(0, (await gpuMemory(context)) - start));
  }
  return { grown, createNs };
}

async function createAll(
  { signal }: RowContext,
  pool: BufferPool,
  { count, size }: DriverAct & { readonly kind: 'create' },
  buffers: (GPUBuffer | undefined)[],
): Promise<Latency> {
  const times: number[] = [];
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  for (let i = 0; i < count; i++) {
    signal.throwIfAborted();
    const begin = performance.now();
    const buffer = await pool.create({ label: 'driver', size, usage });
    times.push((performance.now() - begin) * 1e6);
    buffers.push(buffer);
    // A buffer that nobody has used has no contents yet: the first clear gives it some.
    const encoder = pool.device.createCommandEncoder({ label: 'touch' });
    encoder.clearBuffer(buffer);
    pool.device.queue.submit([encoder.finish()]);
  }
  const p50 = quantile(times, 0.5);
  return { p50, p99: quantile(times, 0.99), slow: times.filter((time) => time > SLOW * p50).length };
}
