/**
 * The page behind `npm run bench:harness`: the same kernel through the harness and in a bare loop that a person would
 * write by hand (own pipeline, own arrays and query set, one dispatch a submit), sample by sample on one device.
 */
import { type StreamKernel, streamKernels } from '../shaders/index.js';
import { defined } from '../src/base/errors.js';
import { closeBench, openBench, proveDevice } from '../src/gpu/bench.js';
import { environmentOf } from '../src/gpu/environment.js';
import { type RawTime } from '../src/gpu/clock.js';
import { collectSamples } from '../src/gpu/sampling.js';
import { GpuSession } from '../src/gpu/session.js';
import { noHistory, type RowContext } from '../src/gpu/suite.js';
import { StreamArrays } from '../src/gpu/tiers/stream-arrays.js';
import { streamNeeds } from '../src/gpu/tiers/stream-row.js';
import { THREADS } from '../src/gpu/tiers/tiers.js';
import { bindStream, UNIFORM_BYTES } from '../src/gpu/stream.js';

const SIZE = 64 * 2 ** 20;
const UNIFORM_USAGE = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
const WORD = 4;

export interface HarnessResult {
  readonly kernel: string;
  /** GB/s of each pair of samples. */
  readonly harness: readonly number[];
  readonly bare: readonly number[];
}

/** A hand-written loop: the ns of one submit of so many loop steps. */
async function bareLoop(device: GPUDevice, kernel: StreamKernel, threads: number) {
  const storage = GPUBufferUsage.STORAGE;
  const arrays = kernel.buffers.map((label) => device.createBuffer({ label, size: SIZE, usage: storage }));
  const uniform = device.createBuffer({ size: 24, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
  const queries = device.createQuerySet({ type: 'timestamp', count: 2 });
  const resolved = device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC });
  const readable = device.createBuffer({ size: 16, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code: kernel.code }), entryPoint: kernel.entryPoint },
  });
  const entries = [uniform, ...arrays].map((buffer, binding) => ({ binding, resource: { buffer } }));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  let done = 0;
  const submit = async (steps: number): Promise<number> => {
    const words = [SIZE / WORD / kernel.elementWords - 1, steps, done, threads];
    device.queue.writeBuffer(uniform, 0, Uint32Array.from(words));
    device.queue.writeBuffer(uniform, 16, Float32Array.of(3, 0));
    done += steps;
    const encoder = device.createCommandEncoder();
    const timestampWrites = { querySet: queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const pass = encoder.beginComputePass({ timestampWrites });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(threads / 256);
    pass.end();
    encoder.resolveQuerySet(queries, 0, 2, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, readable, 0, 16);
    device.queue.submit([encoder.finish()]);
    await readable.mapAsync(GPUMapMode.READ);
    const [begin = 0n, end = 0n] = new BigUint64Array(readable.getMappedRange());
    const ns = Number(end - begin);
    readable.unmap();
    return ns;
  };
  return {
    time: submit,
    destroy: () => {
      for (const buffer of [...arrays, uniform, resolved, readable]) buffer.destroy();
      queries.destroy();
    },
  };
}

/** One kernel: after (or before, in turn) every sample of the harness the bare loop does the same work. */
async function compare(context: RowContext, id: string, threads: number, pairs: number): Promise<HarnessResult> {
  const { device, pool, stopwatch, clock } = context.bench;
  const kernel = defined(
    streamKernels.find((candidate) => candidate.id === id),
    id,
  );
  const arrays = new StreamArrays({ a: 1, b: 2 });
  const uniform = await pool.create({ label: id, size: UNIFORM_BYTES, usage: UNIFORM_USAGE });
  const arrayOf = await arrays.acquire(context, streamNeeds({ kernel, size: SIZE, threads }));
  const held = Object.fromEntries(kernel.buffers.map((role) => [role, arrayOf(role)]));
  const bound = await bindStream(device, { id, kernel, size: SIZE, threads, seedWrite: 1 }, { ...held, uniform });
  const bare = await bareLoop(device, kernel, threads);
  const taken: { repeats: number; harnessNs: number; bareNs: number }[] = [];
  const timed = async (repeats: number): Promise<RawTime> => {
    bound.prepare(repeats);
    return stopwatch.time(id, (encoder, stamps) => bound.encode(encoder, stamps.pass));
  };
  try {
    const samples = await collectSamples({
      clock,
      rules: { minSamples: pairs, minTimeNs: 0, wallLimitNs: 120e9, shortestNs: 10e6 },
      maxRepeats: 2 ** 24,
      take: async (repeats, submits) => {
        const times: RawTime[] = [];
        while (times.length < submits) {
          const before = taken.length % 2 === 0 ? await bare.time(repeats) : undefined;
          const time = await timed(repeats);
          const bareNs = before ?? (await bare.time(repeats));
          taken.push({ repeats, harnessNs: Number(time.endStamp - time.beginStamp), bareNs });
          times.push(time);
        }
        return times;
      },
      random: Math.random,
      idle: () => undefined,
      now: () => performance.now() * 1e6,
      checkpoint: () => undefined,
    });
    // The sizing before the samples is left out.
    const kept = taken.slice(-samples.durationsNs.length);
    const rate = (ns: number): number => kernel.bytesMoved(samples.repeats, threads) / ns;
    return {
      kernel: id,
      harness: kept.map(({ harnessNs }) => rate(harnessNs)),
      bare: kept.map(({ bareNs }) => rate(bareNs)),
    };
  } finally {
    bare.destroy();
    arrays.dispose();
    pool.destroy(uniform);
  }
}

async function measure(pairs: number): Promise<readonly HarnessResult[]> {
  const session = await GpuSession.open(navigator.gpu, 'any', proveDevice);
  const bench = await openBench(session, 2 ** 30);
  try {
    if (bench.clock.kind !== 'timestamp-query') throw new Error('this comparison needs timestamp-query');
    const host = { userAgent: navigator.userAgent, platform: '', hardwareConcurrency: 0, crossOriginIsolated };
    const environment = environmentOf(host, session.adapterFacts, bench.clock.facts());
    const request = { suites: [], preset: 'quick', budgetBytes: 2 ** 30, seed: 1, adapter: 'any' } as const;
    const context: RowContext = {
      bench,
      environment,
      request,
      signal: new AbortController().signal,
      history: noHistory(),
      askHost: () => Promise.resolve({ kind: 'unavailable', reason: 'nothing is asked here' }),
      openDevice: () => session.openAnother(),
    };
    const results: HarnessResult[] = [];
    for (const id of ['copy/vec4', 'triad/vec4', 'copy/f32', 'triad/f32']) {
      results.push(await compare(context, id, THREADS[environment.adapter.class], pairs));
    }
    return results;
  } finally {
    closeBench(bench);
    session.close();
  }
}

declare global {
  interface Window {
    measureHarness: typeof measure;
  }
}
window.measureHarness = measure;
