/**
 * What a page waits for nothing: an empty queue, a mapping of 4 bytes, and one dispatch timed the naive way (submit and
 * wait), which is mostly those floors and not the cost of a dispatch. Wall clock, one after the other.
 */
import { countProgram } from '../../../shaders/index.js';
import { sampleWall } from '../measure.js';
import { measuredRow } from '../measured-row.js';
import { pipelineOf } from '../pipeline.js';
import { type Bench, type RowContext, type RowResult, rowResult } from '../suite.js';
import { demandRight, mismatches, verify } from '../verify.js';

export type Floor = 'empty-queue' | 'map-4B' | 'naive';

export interface FloorRow {
  readonly id: string;
  readonly kind: Floor;
}

const MOST_REPEATS = 4096;
const WORD = 4;
const MAPPED_WORD = 0x9e3779b9;

const METHODS: Readonly<Record<Floor, string>> = {
  'empty-queue': 'onSubmittedWorkDone with nothing submitted: the floor of a wall-clock figure',
  'map-4B': 'mapAsync of a 4-byte buffer that is ready, read and unmapped: the floor of a read-back',
  naive:
    'naive: one dispatch, submit, onSubmittedWorkDone; mostly the wait, not the cost of a dispatch (see the slope)',
};

/** Work whose repetitions follow one another, and how many elements prove that it was done. */
interface FloorWork {
  once(): Promise<void>;
  check(): Promise<number | undefined>;
}

export async function runFloorRow(context: RowContext, { id, kind }: FloorRow): Promise<RowResult> {
  const { bench } = context;
  const usage =
    kind === 'map-4B'
      ? GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST
      : GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  return bench.pool.using({ label: id, size: WORD, usage }, async (buffer) => {
    const work = await workOf(kind, context, id, buffer);
    const { samples, clock } = await sampleWall(context, {
      maxRepeats: MOST_REPEATS,
      take: async (repeats) => {
        for (let i = 0; i < repeats; i++) await work.once();
      },
    });
    const checked = await work.check();
    return rowResult(
      measuredRow(
        { id, suite: 'dispatch' },
        {
          samples,
          clock,
          unit: 'ns',
          toValue: (ns) => ns,
          ...(checked === undefined ? {} : { checkedElements: checked }),
          method: METHODS[kind],
        },
      ),
    );
  });
}

async function workOf(kind: Floor, context: RowContext, id: string, buffer: GPUBuffer): Promise<FloorWork> {
  switch (kind) {
    case 'empty-queue':
      return {
        once: () => context.bench.device.queue.onSubmittedWorkDone().then(() => undefined),
        check: () => Promise.resolve(undefined),
      };
    case 'map-4B':
      return mapping(context.bench, buffer);
    case 'naive':
      return naive(context, id, buffer);
  }
}

async function mapping({ device }: Bench, buffer: GPUBuffer): Promise<FloorWork> {
  device.queue.writeBuffer(buffer, 0, Uint32Array.of(MAPPED_WORD));
  await device.queue.onSubmittedWorkDone();
  const read = new Uint32Array(1);
  return {
    once: async () => {
      await buffer.mapAsync(GPUMapMode.READ);
      read.set(new Uint32Array(buffer.getMappedRange()));
      buffer.unmap();
    },
    check: () => {
      const { count } = mismatches(read, Uint32Array.of(MAPPED_WORD));
      demandRight({ checked: 1, wrong: count });
      return Promise.resolve(1);
    },
  };
}

async function naive({ bench, signal }: RowContext, id: string, counter: GPUBuffer): Promise<FloorWork> {
  const { device, pool } = bench;
  const pipeline = await pipelineOf(device, 'count', countProgram);
  const group = pipeline.bind(id, [counter]);
  let dispatches = 0;
  return {
    once: async () => {
      const encoder = device.createCommandEncoder({ label: id });
      const pass = encoder.beginComputePass({ label: id });
      pass.setPipeline(pipeline.pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(1);
      pass.end();
      device.queue.submit([encoder.finish()]);
      dispatches += 1;
      await device.queue.onSubmittedWorkDone();
    },
    check: async () => {
      const reference = (_first: number, expected: Float32Array | Uint32Array): void => expected.set([dispatches]);
      const check = { label: id, buffer: counter, words: 1, type: 'u32', reference } as const;
      demandRight(await verify(device, pool, check, signal));
      return dispatches;
    },
  };
}
