/**
 * A small verified run: it proves that a device works (at the start and after a recovery) and lasts long enough for the
 * GPU clock and the wall clock to be compared.
 */
import { filledWord, streamKernels } from '../../shaders/index.js';
import { defined } from '../base/errors.js';
import { type BufferPool } from './buffers.js';
import { type Clock, type RawTime } from './clock.js';
import { fillBuffer, fillPipeline } from './fill.js';
import { bindStream, type BoundStream, UNIFORM_BYTES } from './stream.js';
import { type Stopwatch } from './stopwatch.js';
import { demandRight, verify } from './verify.js';

const SIZE = 64 * 2 ** 10;
const THREADS = 2 ** 14;
const SEED = 0x9e3779b9;
const WORD = 4;
/** Below this the cost of a submit would be part of the ratio of the clocks; much more would delay the first result. */
const LONG_NS = 12e6;
const COMPARISONS = 3;
const MOST_STEPS = 2 ** 16;

interface Timing {
  readonly stopwatch: Stopwatch;
  readonly clock: Clock;
}

const usage = (): number => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
const uniformUsage = (): number => GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;

/** Copies 64 KiB by a kernel and checks every word. With a stopwatch its clocks are compared. */
export async function probe(device: GPUDevice, pool: BufferPool, timing?: Timing): Promise<void> {
  const kernel = defined(
    streamKernels.find(({ id }) => id === 'copy/vec4'),
    'copy/vec4',
  );
  const created: GPUBuffer[] = [];
  const create = async (label: string, size: number, flags: number): Promise<GPUBuffer> => {
    const buffer = await pool.create({ label, size, usage: flags });
    created.push(buffer);
    return buffer;
  };
  try {
    const source = await create('probe source', SIZE, usage());
    const target = await create('probe target', SIZE, usage());
    const uniform = await create('probe uniform', UNIFORM_BYTES, uniformUsage());
    const { signal } = new AbortController();
    await fillBuffer({ device, pool }, await fillPipeline(device), source, SEED, signal);
    const row = { id: 'probe', kernel, size: SIZE, threads: THREADS, seedWrite: SEED };
    const bound = await bindStream(device, row, { uniform, a: source, dst: target });
    bound.prepare(1);
    const encoder = device.createCommandEncoder({ label: 'probe' });
    bound.encode(encoder);
    device.queue.submit([encoder.finish()]);
    if (timing !== undefined) await compareClocks(timing.stopwatch, timing.clock, bound);
    const reference = (first: number, expected: Float32Array | Uint32Array): void => {
      for (let i = 0; i < expected.length; i++) expected[i] = filledWord(first + i, SEED);
    };
    const check = { label: 'probe', buffer: target, words: SIZE / WORD, type: 'f32', reference } as const;
    demandRight(await verify(device, pool, check, signal));
  } finally {
    for (const buffer of created) pool.destroy(buffer);
  }
}

/** Grows the work until it is long for a wall clock, then lets the clock see it a few times. */
async function compareClocks(stopwatch: Stopwatch, clock: Clock, bound: BoundStream): Promise<void> {
  const take = (steps: number): Promise<RawTime> => {
    bound.prepare(steps);
    return stopwatch.time('clock cross-check', (encoder, stamps) => bound.encode(encoder, stamps.pass));
  };
  // The first run pays for what a driver compiles late.
  await take(4);
  let steps = 4;
  let time = await take(steps);
  while (time.wallNs < LONG_NS && steps < MOST_STEPS) {
    steps = Math.min(MOST_STEPS, Math.ceil(steps * Math.min(16, Math.max(1.5, (1.2 * LONG_NS) / time.wallNs))));
    time = await take(steps);
  }
  clock.durationOf(time);
  for (let i = 1; i < COMPARISONS; i++) clock.durationOf(await take(steps));
}
