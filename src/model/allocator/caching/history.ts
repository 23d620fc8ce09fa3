/**
 * What the allocator did, entry by entry, as PyTorch's memory history records it: typed arrays in chunks, so that nothing is
 * copied when it grows.
 *
 * alloc, free_requested and free_completed carry the size that was asked for; segment_* the size of the segment or of
 * the mapped range; oom the rounded request, with the free bytes of the device as its address; snapshot the active
 * bytes at address 0.
 */
export const HISTORY_ACTIONS = [
  'alloc',
  'free_requested',
  'free_completed',
  'segment_alloc',
  'segment_free',
  'segment_map',
  'segment_unmap',
  'oom',
  'snapshot',
] as const;

export const ALLOC = 0;
export const FREE_REQUESTED = 1;
export const FREE_COMPLETED = 2;
export const SEGMENT_ALLOC = 3;
export const SEGMENT_FREE = 4;
export const SEGMENT_MAP = 5;
export const SEGMENT_UNMAP = 6;
export const OOM = 7;
export const SNAPSHOT = 8;

/** Entries in a chunk: 2^14. */
const CHUNK_LOG2 = 14;
const CHUNK = 1 << CHUNK_LOG2;
/** An entry is three doubles: address, size, and stream * 16 + action. */
const ENTRY = 3;
const ACTIONS = 16;

export class History {
  /** Entries so far. */
  length = 0;
  private last = new Float64Array(CHUNK * ENTRY);
  private readonly chunks = [this.last];

  add(action: number, address: number, size: number, stream: number): void {
    const at = this.next();
    const { last } = this;
    last[at] = address;
    last[at + 1] = size;
    last[at + 2] = stream * ACTIONS + action;
  }

  /**
   * An entry about a block, whose address and requested bytes stand at `address` and `requested` of the block table's
   * doubles. Doubles that are handed to a function get an object each on the heap; these stay where they are.
   */
  addBlock(action: number, f64: Float64Array, address: number, requested: number, stream: number): void {
    const at = this.next();
    const { last } = this;
    last[at] = f64[address]!;
    last[at + 1] = f64[requested]!;
    last[at + 2] = stream * ACTIONS + action;
  }

  /** Position in HISTORY_ACTIONS of entry `i`, from 0 to below `length`. */
  actionAt(i: number): number {
    return this.valueAt(i, 2) % ACTIONS;
  }

  /** Bytes; see above for what it is in an `oom` or `snapshot` entry. */
  addressAt(i: number): number {
    return this.valueAt(i, 0);
  }

  /** Bytes. */
  sizeAt(i: number): number {
    return this.valueAt(i, 1);
  }

  streamAt(i: number): number {
    return Math.floor(this.valueAt(i, 2) / ACTIONS);
  }

  /** Where the next entry goes in the last chunk. */
  private next(): number {
    const at = this.length & (CHUNK - 1);
    if (at === 0 && this.length > 0) {
      this.last = new Float64Array(CHUNK * ENTRY);
      this.chunks.push(this.last);
    }
    this.length += 1;
    return at * ENTRY;
  }

  private valueAt(i: number, field: number): number {
    const chunk = this.chunks[i >>> CHUNK_LOG2];
    if (chunk === undefined || i >= this.length) throw new Error(`history: no entry ${i} of ${this.length}`);
    return chunk[(i & (CHUNK - 1)) * ENTRY + field]!;
  }
}
