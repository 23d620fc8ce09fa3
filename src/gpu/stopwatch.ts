/**
 * The clock's hands on the GPU: one reused query set, one reused read-back buffer. Nothing but the measured work lies
 * between the two stamps; `performance.now()` runs beside them from submit to done.
 */
import { defined } from '../base/errors.js';
import { type BufferPool } from './buffers.js';
import { Clock, gridOf, type RawTime, stepOf } from './clock.js';

/** What is timed: fills the encoder. `stamps` goes to the compute pass that is the work. */
export type Encode = (encoder: GPUCommandEncoder, stamps: PassStamps) => void;

/** Where a piece of work puts its stamps: on its one compute pass, or around work that has no pass. */
export interface PassStamps {
  readonly pass: GPUComputePassTimestampWrites | undefined;
  /** Empty passes before and after: a copy or clear has no stamps of its own. */
  around(encoder: GPUCommandEncoder, work: () => void): void;
}

const STAMPS = 2;
/** About 200 raw stamps find the grid: 4 submits of 25 pairs, so that even a very fast device spreads them. */
const GRID_SUBMITS = 4;
const GRID_PAIRS = 25;
const EMPTY_SUBMITS = 15;
const STAMP_BYTES = 8;

export class Stopwatch {
  readonly #device: GPUDevice;
  readonly #queries: GPUQuerySet | undefined;
  readonly #resolved: GPUBuffer | undefined;
  readonly #readable: GPUBuffer | undefined;

  private constructor(device: GPUDevice, queries?: GPUQuerySet, resolved?: GPUBuffer, readable?: GPUBuffer) {
    this.#device = device;
    this.#queries = queries;
    this.#resolved = resolved;
    this.#readable = readable;
  }

  static async create(device: GPUDevice, pool: BufferPool): Promise<Stopwatch> {
    if (!device.features.has('timestamp-query')) return new Stopwatch(device);
    const count = 2 * GRID_PAIRS;
    const size = count * STAMP_BYTES;
    const queries = device.createQuerySet({ label: 'stopwatch', type: 'timestamp', count });
    const resolved = await pool.create({
      label: 'stopwatch resolved',
      size,
      usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    });
    const readable = await pool.create({
      label: 'stopwatch readable',
      size,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    return new Stopwatch(device, queries, resolved, readable);
  }

  /** Times one submit. */
  async time(label: string, encode: Encode): Promise<RawTime> {
    const wallNs = await this.#submit([this.#encode(label, 0, encode)]);
    if (this.#queries === undefined) return { beginStamp: 0n, endStamp: 0n, wallNs };
    const [beginStamp = 0n, endStamp = 0n] = await this.#read(STAMPS);
    return { beginStamp, endStamp, wallNs };
  }

  /**
   * Times `count` submits each by itself, sent one after the other without a wait between them: the GPU does not fall
   * idle, and the page waits once. `next` is called right before each submit (uniforms of that submit may be written
   * then). The wall time of all is shared out evenly. Without a GPU clock each submit is waited for.
   */
  async timeEach(label: string, count: number, next: () => Encode): Promise<readonly RawTime[]> {
    const times: RawTime[] = [];
    if (this.#queries === undefined) {
      for (let i = 0; i < count; i++) times.push(await this.time(label, next()));
      return times;
    }
    while (times.length < count) times.push(...(await this.#timeBatch(label, count - times.length, next)));
    return times;
  }

  /** As many of `count` as the query set holds. */
  async #timeBatch(label: string, count: number, next: () => Encode): Promise<readonly RawTime[]> {
    const many = Math.min(count, GRID_PAIRS);
    const begin = performance.now();
    for (let i = 0; i < many; i++) this.#device.queue.submit([this.#encode(label, STAMPS * i, next())]);
    await this.#device.queue.onSubmittedWorkDone();
    const wallNs = Math.round(((performance.now() - begin) * 1e6) / many);
    const stamps = await this.#read(STAMPS * many);
    return Array.from({ length: many }, (_, i) => ({
      beginStamp: stamps[STAMPS * i] ?? 0n,
      endStamp: stamps[STAMPS * i + 1] ?? 0n,
      wallNs,
    }));
  }

  /** Work with its stamps at two places of the query set from `at` on. */
  #encode(label: string, at: number, encode: Encode): GPUCommandBuffer {
    const encoder = this.#device.createCommandEncoder({ label });
    const querySet = this.#queries;
    encode(encoder, {
      pass:
        querySet === undefined ? undefined : { querySet, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 },
      around: (target, work) => {
        if (querySet !== undefined) emptyPass(target, { querySet, endOfPassWriteIndex: at });
        work();
        if (querySet !== undefined) emptyPass(target, { querySet, beginningOfPassWriteIndex: at + 1 });
      },
    });
    return encoder.finish();
  }

  /** Times `count` submits in a row, from the first pass of the first to the last of the last. */
  async timeSubmits(label: string, count: number, encode: Encode): Promise<RawTime> {
    const queries = this.#queries;
    const commands = Array.from({ length: count }, (_, i) => {
      const encoder = this.#device.createCommandEncoder({ label });
      const first = i === 0 ? { beginningOfPassWriteIndex: 0 } : {};
      const last = i === count - 1 ? { endOfPassWriteIndex: 1 } : {};
      const isEnd = i === 0 || i === count - 1;
      encode(encoder, {
        pass: queries === undefined || !isEnd ? undefined : { querySet: queries, ...first, ...last },
        around: (_target, work) => work(),
      });
      return encoder.finish();
    });
    const begin = performance.now();
    for (const command of commands) this.#device.queue.submit([command]);
    await this.#device.queue.onSubmittedWorkDone();
    const wallNs = Math.round((performance.now() - begin) * 1e6);
    if (queries === undefined) return { beginStamp: 0n, endStamp: 0n, wallNs };
    const [beginStamp = 0n, endStamp = 0n] = await this.#read(STAMPS);
    return { beginStamp, endStamp, wallNs };
  }

  /** Finds the grids and the cost of an empty submit; takes some 30 ms. */
  async calibrate(): Promise<Clock> {
    const stamps: bigint[] = [];
    for (let i = 0; i < GRID_SUBMITS && this.#queries !== undefined; i++) stamps.push(...(await this.#rawStamps()));
    const emptySubmitNs: number[] = [];
    for (let i = 0; i < EMPTY_SUBMITS; i++) emptySubmitNs.push(await this.#submit([]));
    return new Clock({ gpuGridNs: gridOf(stamps), wallGridNs: wallGrid(), emptySubmitNs });
  }

  destroy(pool: BufferPool): void {
    this.#queries?.destroy();
    for (const buffer of [this.#resolved, this.#readable]) if (buffer !== undefined) pool.destroy(buffer);
  }

  async #submit(commands: readonly GPUCommandBuffer[]): Promise<number> {
    const begin = performance.now();
    this.#device.queue.submit(commands);
    await this.#device.queue.onSubmittedWorkDone();
    return Math.round((performance.now() - begin) * 1e6);
  }

  async #rawStamps(): Promise<bigint[]> {
    const querySet = defined(this.#queries, 'query set');
    const encoder = this.#device.createCommandEncoder({ label: 'clock grid' });
    for (let i = 0; i < GRID_PAIRS; i++) {
      emptyPass(encoder, { querySet, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 });
    }
    this.#device.queue.submit([encoder.finish()]);
    return this.#read(2 * GRID_PAIRS);
  }

  /** Reads the first stamps of the query set, in a submit of its own: resolving is no part of the measured work. */
  async #read(count: number): Promise<bigint[]> {
    const [queries, resolved, readable] = [
      defined(this.#queries, 'query set'),
      defined(this.#resolved, 'resolved stamps'),
      defined(this.#readable, 'readable stamps'),
    ];
    const encoder = this.#device.createCommandEncoder({ label: 'stopwatch read' });
    encoder.resolveQuerySet(queries, 0, count, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, readable, 0, count * STAMP_BYTES);
    this.#device.queue.submit([encoder.finish()]);
    await readable.mapAsync(GPUMapMode.READ, 0, count * STAMP_BYTES);
    const stamps = [...new BigUint64Array(readable.getMappedRange(0, count * STAMP_BYTES))];
    readable.unmap();
    return stamps;
  }
}

function emptyPass(encoder: GPUCommandEncoder, timestampWrites: GPUComputePassTimestampWrites): void {
  encoder.beginComputePass({ label: 'stamp', timestampWrites }).end();
}

/** The step of `performance.now()` in ns: 5,000 when cross-origin isolated, 100,000 otherwise. */
function wallGrid(): number {
  const readings: number[] = [];
  const end = performance.now() + 3;
  for (let time = performance.now(); time < end; time = performance.now()) readings.push(time * 1e6);
  return stepOf(readings) ?? 1e6;
}
