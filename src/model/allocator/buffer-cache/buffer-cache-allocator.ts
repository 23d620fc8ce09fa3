/** A cache of whole GPUBuffers, as the runtimes of web-ML keep one; `cache-rules.ts` says which and how they differ. */
import { type DeviceMemory } from '../../memory/device-memory.js';
import { type AllocatorControls } from '../allocator.js';
import { type Block, BlockAllocator } from '../block-allocator.js';
import { LargestFirst } from './largest-first.js';
import { CACHE_RULES, type CacheName, type CacheRules } from './cache-rules.js';

export interface CacheOptions {
  /** Allocations between two flushes, in place of the runtime's own number. */
  readonly flushEvery: number;
  /** When the device refuses: flush, destroy what is cached and try once more. The runtimes do not. */
  readonly retryAfterFlush: boolean;
}

const OFFSET_ALIGNMENT = 256;

export class BufferCacheAllocator extends BlockAllocator<Block> {
  readonly name: CacheName;
  readonly controls: AllocatorControls = { synchronize: () => this.#flushPending() };
  readonly #rules: CacheRules;
  readonly #flushEvery: number;
  readonly #retryAfterFlush: boolean;
  /** Buffers to reuse, by size, the one cached last on top. */
  readonly #cached = new Map<number, Block[]>();
  readonly #sizes = new LargestFirst();
  #cachedBytes = 0;
  /** Released since the last flush. */
  #released: Block[] = [];
  #sinceFlush = 0;

  constructor(name: CacheName, memory: DeviceMemory, options: Partial<CacheOptions> = {}) {
    super(memory);
    this.name = name;
    this.#rules = CACHE_RULES[name];
    this.#flushEvery = options.flushEvery ?? this.#rules.flushEvery;
    this.#retryAfterFlush = options.retryAfterFlush ?? false;
  }

  protected place(size: number): Block | undefined {
    this.#sinceFlush++;
    if (this.#flushEvery > 0 && this.#sinceFlush >= this.#flushEvery) this.#flushPending();
    const bufferSize = this.#rules.bufferSize(size);
    const reused = this.#cached.get(bufferSize)?.pop();
    if (reused !== undefined) {
      this.#cachedBytes -= reused.size;
      return { ...reused, requested: size };
    }
    const made = this.#make(bufferSize, size);
    if (made !== undefined || !this.#retryAfterFlush) return made;
    this.flush();
    return this.#make(bufferSize, size);
  }

  #make(bufferSize: number, requested: number): Block | undefined {
    const segment = this.takeSegment(bufferSize, OFFSET_ALIGNMENT);
    return segment && { address: segment.address, size: bufferSize, requested };
  }

  protected giveBack(block: Block): void {
    if (this.#flushEvery > 0) this.#released.push(block);
    else this.#retire(block);
  }

  protected override pending(): Iterable<Block> {
    return this.#released;
  }

  /** The commands are submitted: released buffers may be reused or destroyed. */
  #flushPending(): void {
    this.#sinceFlush = 0;
    const released = this.#released;
    this.#released = [];
    for (const block of released) this.#retire(block);
  }

  #retire(block: Block): void {
    let cached = this.#cached.get(block.size);
    if (cached === undefined) {
      cached = [];
      this.#cached.set(block.size, cached);
    }
    if (cached.length >= this.#rules.kept(block.size)) {
      this.dropSegment(block.address);
      return;
    }
    if (cached.length === 0) this.#sizes.add(block.size);
    cached.push(block);
    this.#cachedBytes += block.size;
  }

  /** Destroys every buffer that holds no tensor. */
  override flush(): void {
    this.#flushPending();
    for (const blocks of this.#cached.values()) for (const block of blocks) this.dropSegment(block.address);
    this.#cached.clear();
    this.#cachedBytes = 0;
  }

  /** A buffer larger than its tensor has no hole to give: what is free is what is cached. */
  protected override holes(): { totalFree: number; largestFree: number } {
    const largestFree = this.#sizes.largest((size) => (this.#cached.get(size)?.length ?? 0) > 0) ?? 0;
    return { totalFree: this.#cachedBytes, largestFree };
  }
}
