/**
 * The page behind `npm run bench:harness`: the same kernel through the harness and in a bare loop that a person would
 * write by hand (own pipeline, own query set, one dispatch a submit), taking turns on one device.
 */
import { type StreamKernel, streamKernels } from '../shaders/index.js';
import { defined } from '../src/base/errors.js';
import { median } from '../src/base/statistics.js';
import { closeBench, openBench, proveDevice } from '../src/gpu/bench.js';
import { environmentOf } from '../src/gpu/environment.js';
import { GpuSession } from '../src/gpu/session.js';
import { type RowContext } from '../src/gpu/suite.js';
import { StreamArrays } from '../src/gpu/tiers/stream-arrays.js';
import { runStreamRow } from '../src/gpu/tiers/stream-row.js';

const SIZE = 64 * 2 ** 20;
const UNROLL = 4;
const WORD = 4;

export interface HarnessResult {
  readonly kernel: string;
  /** GB/s of each turn. */
  readonly harness: readonly number[];
  readonly bare: readonly number[];
}

/** A hand-written loop: GB/s of `submits` submits of `steps` loop steps each. */
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
    return (steps * UNROLL * threads * kernel.elementWords * WORD * kernel.streams) / ns;
  };
  return {
    run: async (steps: number, submits: number): Promise<number> => {
      const rates: number[] = [];
      for (let i = 0; i < submits; i++) rates.push(await submit(steps));
      return median(rates);
    },
    destroy: () => {
      for (const buffer of [...arrays, uniform, resolved, readable]) buffer.destroy();
      queries.destroy();
    },
  };
}

/** Takes turns `turns` times; which side begins alternates. */
async function compare(context: RowContext, id: string, threads: number, turns: number): Promise<HarnessResult> {
  const kernel = defined(
    streamKernels.find((candidate) => candidate.id === id),
    id,
  );
  const arrays = new StreamArrays({ a: 1, b: 2 });
  const bare = await bareLoop(context.bench.device, kernel, threads);
  const rates = { harness: [] as number[], bare: [] as number[] };
  let [steps, submits] = [1, 5];
  const throughHarness = async (): Promise<number> => {
    const result = await runStreamRow(context, { id, kernel, size: SIZE, threads, seedWrite: 1 }, arrays);
    if (result.kind !== 'row' || result.row.status !== 'measured') throw new Error(`${id}: ${JSON.stringify(result)}`);
    steps = defined(result.row.repeats, 'repeats');
    submits = result.row.stats.n;
    return result.row.value;
  };
  try {
    // Both warm up; the bare loop does as much a submit as the harness chose.
    await throughHarness();
    await bare.run(steps, submits);
    for (let turn = 0; turn < turns; turn++) {
      if (turn % 2 === 0) rates.harness.push(await throughHarness());
      rates.bare.push(await bare.run(steps, submits));
      if (turn % 2 === 1) rates.harness.push(await throughHarness());
    }
    return { kernel: id, ...rates };
  } finally {
    bare.destroy();
    arrays.dispose();
  }
}

async function measure(turns: number): Promise<readonly HarnessResult[]> {
  const session = await GpuSession.open(navigator.gpu, 'any', proveDevice);
  const bench = await openBench(session, 2 ** 30);
  try {
    const host = { userAgent: navigator.userAgent, platform: '', hardwareConcurrency: 0, crossOriginIsolated };
    const environment = environmentOf(host, session.adapterFacts, bench.clock.facts());
    const request = { suites: [], preset: 'quick', budgetBytes: 2 ** 30, seed: 1, adapter: 'any' } as const;
    const context: RowContext = { bench, environment, request, signal: new AbortController().signal };
    const threads = environment.adapter.class === 'software' ? 2 ** 14 : 2 ** 20;
    const results: HarnessResult[] = [];
    for (const id of ['copy/vec4', 'triad/vec4', 'copy/f32', 'triad/f32']) {
      results.push(await compare(context, id, threads, turns));
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
