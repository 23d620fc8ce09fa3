/**
 * Buffers, created under error scopes and counted: one ledger a run knows the bytes that live, and refuses what would
 * pass the budget. A software adapter hands out more than it has, so that the cap is the only protection of the machine.
 */
import { AppError } from '../base/errors.js';
import { say } from '../base/said.js';
import { formatBytes } from '../base/format.js';

export interface BufferRequest {
  readonly label: string;
  readonly size: number;
  readonly usage: number;
}

export class BufferPool {
  readonly #live = new Map<GPUBuffer, number>();
  readonly #mapped = new Map<GPUBuffer, number>();
  #liveBytes = 0;
  #hostBytes = 0;

  constructor(
    readonly device: GPUDevice,
    readonly budgetBytes: number,
  ) {}

  /** Called before a request is refused: frees what is held only to be used again. */
  onFull: () => void = () => undefined;

  get liveBytes(): number {
    return this.#liveBytes;
  }
  /** Bytes of mappings: memory of the page, on top of what the device holds. They may not pass the budget either. */
  get hostBytes(): number {
    return this.#hostBytes;
  }
  get liveCount(): number {
    return this.#live.size;
  }

  /**
   * Creates a buffer and waits for its error scopes. Throws `AppError` (`out-of-memory`) when the budget or the device
   * refuses it, a plain `Error` when the request is invalid (our bug).
   */
  async create({ label, size, usage }: BufferRequest): Promise<GPUBuffer> {
    this.#demandRoom(label, size);
    // Counted before the scopes answer, so that creations in flight count too.
    this.#liveBytes += size;
    this.device.pushErrorScope('validation');
    this.device.pushErrorScope('out-of-memory');
    const buffer = this.device.createBuffer({ label, size, usage });
    this.#live.set(buffer, size);
    try {
      const [outOfMemory, invalid] = await Promise.all([this.device.popErrorScope(), this.device.popErrorScope()]);
      if (outOfMemory !== null) {
        throw new AppError({ kind: 'out-of-memory', requestedBytes: size }, `${label}: ${outOfMemory.message}`);
      }
      if (invalid !== null) throw new Error(`${label}: ${invalid.message}`);
      return buffer;
    } catch (error) {
      this.destroy(buffer);
      throw error;
    }
  }

  /**
   * Creates a buffer that is mapped for writing, and does not wait: the caller holds error scopes around it, because
   * waiting for them would be part of what is timed. Throws as `create` does where the budget refuses, and what the
   * browser throws (RangeError) where there is no memory for the mapping.
   */
  createMapped({ label, size, usage }: BufferRequest): GPUBuffer {
    this.#demandRoom(label, size);
    if (this.#hostBytes + size > this.budgetBytes) {
      throw overBudget(label, size, `${formatBytes(this.#hostBytes)} mapped`, this.budgetBytes);
    }
    const buffer = this.device.createBuffer({ label, size, usage, mappedAtCreation: true });
    this.#liveBytes += size;
    this.#live.set(buffer, size);
    this.#hostBytes += size;
    this.#mapped.set(buffer, size);
    return buffer;
  }

  /** Ends the mapping of a buffer from `createMapped`. */
  unmap(buffer: GPUBuffer): void {
    buffer.unmap();
    this.#forgetMapping(buffer);
  }

  /** Destroys a buffer of this pool. A second call does nothing. */
  destroy(buffer: GPUBuffer): void {
    const size = this.#live.get(buffer);
    if (size === undefined) return;
    this.#live.delete(buffer);
    this.#liveBytes -= size;
    this.#forgetMapping(buffer);
    buffer.destroy();
  }

  /** Destroys what is left, in whatever state the device is. */
  destroyAll(): void {
    for (const buffer of [...this.#live.keys()]) this.destroy(buffer);
  }

  #demandRoom(label: string, size: number): void {
    if (this.#liveBytes + size > this.budgetBytes) this.onFull();
    if (this.#liveBytes + size <= this.budgetBytes) return;
    throw overBudget(label, size, say`${formatBytes(this.#liveBytes)} in use`, this.budgetBytes);
  }

  #forgetMapping(buffer: GPUBuffer): void {
    this.#hostBytes -= this.#mapped.get(buffer) ?? 0;
    this.#mapped.delete(buffer);
  }

  /** Creates a buffer, works with it, destroys it. */
  async using<T>(request: BufferRequest, work: (buffer: GPUBuffer) => Promise<T>): Promise<T> {
    const buffer = await this.create(request);
    try {
      return await work(buffer);
    } finally {
      this.destroy(buffer);
    }
  }
}

const overBudget = (label: string, size: number, beside: string, budgetBytes: number): AppError =>
  new AppError(
    { kind: 'out-of-memory', requestedBytes: size },
    say`${label}: ${formatBytes(size)} beside ${beside} pass the budget of ${formatBytes(budgetBytes)}`,
  );
