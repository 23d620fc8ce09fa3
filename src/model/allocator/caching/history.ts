/**
 * What the allocator did, entry by entry, as PyTorch's memory history records it: columns of typed arrays that grow.
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
export type HistoryAction = (typeof HISTORY_ACTIONS)[number];

export const ALLOC = 0;
export const FREE_REQUESTED = 1;
export const FREE_COMPLETED = 2;
export const SEGMENT_ALLOC = 3;
export const SEGMENT_FREE = 4;
export const SEGMENT_MAP = 5;
export const SEGMENT_UNMAP = 6;
export const OOM = 7;
export const SNAPSHOT = 8;

export class History {
  /** Entries so far; the columns may be longer. */
  length = 0;
  /** Position in HISTORY_ACTIONS. */
  actions = new Uint8Array(1024);
  addresses = new Float64Array(1024);
  sizes = new Float64Array(1024);
  streams = new Float64Array(1024);

  add(action: number, address: number, size: number, stream: number): void {
    const at = this.length;
    if (at === this.actions.length) this.#grow();
    this.actions[at] = action;
    this.addresses[at] = address;
    this.sizes[at] = size;
    this.streams[at] = stream;
    this.length = at + 1;
  }

  #grow(): void {
    const length = this.length * 2;
    const actions = new Uint8Array(length);
    actions.set(this.actions);
    this.actions = actions;
    const addresses = new Float64Array(length);
    addresses.set(this.addresses);
    this.addresses = addresses;
    const sizes = new Float64Array(length);
    sizes.set(this.sizes);
    this.sizes = sizes;
    const streams = new Float64Array(length);
    streams.set(this.streams);
    this.streams = streams;
  }
}
