/**
 * What the allocator did, entry by entry, as PyTorch's memory history records it: columns of typed arrays, in chunks, so that
 * nothing is copied when it grows.
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

const CHUNK_LOG2 = 14;
const CHUNK = 1 << CHUNK_LOG2;

class Chunk {
  /** Position in HISTORY_ACTIONS. */
  readonly actions = new Uint8Array(CHUNK);
  readonly addresses = new Float64Array(CHUNK);
  readonly sizes = new Float64Array(CHUNK);
  readonly streams = new Float64Array(CHUNK);
}

export class History {
  /** Entries so far. */
  length = 0;
  private last = new Chunk();
  private readonly chunks = [this.last];

  add(action: number, address: number, size: number, stream: number): void {
    const at = this.length & (CHUNK - 1);
    if (at === 0 && this.length > 0) this.open();
    const { last } = this;
    last.actions[at] = action;
    last.addresses[at] = address;
    last.sizes[at] = size;
    last.streams[at] = stream;
    this.length += 1;
  }

  /** Position in HISTORY_ACTIONS of entry `i`, from 0 to below `length`. */
  actionAt(i: number): number {
    return this.chunkOf(i).actions[i & (CHUNK - 1)]!;
  }

  /** Bytes; see above for what it is in an `oom` or `snapshot` entry. */
  addressAt(i: number): number {
    return this.chunkOf(i).addresses[i & (CHUNK - 1)]!;
  }

  /** Bytes. */
  sizeAt(i: number): number {
    return this.chunkOf(i).sizes[i & (CHUNK - 1)]!;
  }

  streamAt(i: number): number {
    return this.chunkOf(i).streams[i & (CHUNK - 1)]!;
  }

  private chunkOf(i: number): Chunk {
    const chunk = this.chunks[i >>> CHUNK_LOG2];
    if (chunk === undefined || i >= this.length) throw new Error(`history: no entry ${i} of ${this.length}`);
    return chunk;
  }

  private open(): void {
    this.last = new Chunk();
    this.chunks.push(this.last);
  }
}
