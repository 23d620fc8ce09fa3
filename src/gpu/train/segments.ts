/**
 * The segments of a plan as GPUBuffers, under a budget of their own. A destroyed segment is given back only once the work
 * that used it is submitted, and counts until then: destroy, an empty submit and its completion are the release fence.
 */
import { AppError, defined } from '../../base/errors.js';
import { type BufferPool } from '../buffers.js';

/** The device refused what the budget allows. */
export interface DeviceRefusal {
  /** Segment that it did not give, its size, and the bytes that it had given until then. */
  readonly segment: number;
  readonly size: number;
  readonly heldBytes: number;
  readonly message: string;
}

const usage = (): number => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;

export class Segments {
  readonly #pool: BufferPool;
  readonly #buffers = new Map<number, GPUBuffer>();
  #dying: GPUBuffer[] = [];
  /** Sizes in the order of creation, as the buffers tell them. */
  readonly created: number[] = [];
  calls = 0;
  destroyed = 0;
  createNs = 0;
  fences = 0;
  peakHeld = 0;
  refusal: DeviceRefusal | undefined;

  constructor(pool: BufferPool) {
    this.#pool = pool;
  }

  /** Segments that live, and their bytes on the device: those that wait for the fence count. */
  get count(): number {
    return this.#buffers.size;
  }
  get heldBytes(): number {
    return this.#pool.liveBytes;
  }

  get(segment: number): GPUBuffer {
    return defined(this.#buffers.get(segment), `segment ${segment}`);
  }

  /** Whether creating `size` bytes has to wait for segments that are used no more (`others`: beside those retired here). */
  needsFence(size: number, others: boolean): boolean {
    return (this.#dying.length > 0 || others) && this.#pool.liveBytes + size > this.#pool.budgetBytes;
  }

  /** Creates a segment. False when the device refuses it: `refusal` says what it had given. */
  async create(segment: number, size: number): Promise<boolean> {
    const heldBytes = this.#pool.liveBytes;
    const begin = performance.now();
    this.calls += 1;
    try {
      const buffer = await this.#pool.create({ label: `segment ${segment}`, size, usage: usage() });
      this.#buffers.set(segment, buffer);
      this.created.push(buffer.size);
      this.peakHeld = Math.max(this.peakHeld, this.#pool.liveBytes);
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.failure.kind !== 'out-of-memory') throw error;
      this.refusal = { segment, size, heldBytes, message: error.message };
      return false;
    } finally {
      this.createNs += (performance.now() - begin) * 1e6;
    }
  }

  /** Asks for what the budget must refuse. True when it is refused. */
  async isRefused(size: number): Promise<boolean> {
    this.calls += 1;
    try {
      this.#pool.destroy(await this.#pool.create({ label: 'over the budget', size, usage: usage() }));
      return false;
    } catch (error) {
      if (error instanceof AppError && error.failure.kind === 'out-of-memory') return true;
      throw error;
    }
  }

  /** The segment is used no more; it goes with the next `release`. Returns its buffer. */
  retire(segment: number): GPUBuffer {
    const buffer = this.get(segment);
    this.#buffers.delete(segment);
    this.#dying.push(buffer);
    return buffer;
  }

  /** Gives retired segments back, by the fence. Call when all work that uses them is submitted. */
  async release(device: GPUDevice): Promise<void> {
    if (this.#dying.length === 0) return;
    for (const buffer of this.#dying) this.#pool.destroy(buffer);
    this.destroyed += this.#dying.length;
    this.#dying = [];
    this.fences += 1;
    device.queue.submit([]);
    await device.queue.onSubmittedWorkDone();
  }
}
