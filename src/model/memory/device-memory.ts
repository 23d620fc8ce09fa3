/**
 * A budgeted supply of segments. It is what makes a model and a measurement the same thing: an allocator asks it for
 * segments and never knows whether they are numbers or GPUBuffers (DESIGN section 3). Addresses and sizes are bytes as
 * doubles: they pass 2^32, so never use bit operations on them.
 */
export interface DeviceMemory {
  /**
   * Takes a segment of at least `size` bytes (cudaMalloc). `received` may be larger than asked.
   * Undefined when the device has no room: an allocator decides what that means.
   */
  reserve(size: number, alignment: number): Reserved | undefined;
  /** Gives a segment back (cudaFree). */
  release(address: number): void;
  info(): { readonly total: number; readonly free: number };
  /** Addresses first, memory later (cuMemAddressReserve, cuMemMap): expandable segments need it. */
  readonly virtual?: VirtualMemory;
  /** Streams and events, for record_stream. Without them every event is complete at once. */
  readonly events?: DeviceEvents;
}

export interface Reserved {
  readonly address: number;
  readonly received: number;
}

export interface VirtualMemory {
  /** Takes a range of addresses; it holds no memory yet. Returns its first address. */
  reserve(size: number): number;
  /**
   * Puts memory behind `size` bytes at `address`, page by page (`size` is a multiple of `pageSize`).
   * False when the device has no room for all of it: then nothing is mapped.
   */
  map(address: number, size: number, pageSize: number): boolean;
  unmap(address: number, size: number, pageSize: number): void;
  /** Gives the range of addresses back. */
  release(address: number, size: number): void;
}

/** Streams run in order: when an event is complete, so are the earlier ones of its stream. */
export interface DeviceEvents {
  /** Records an event on a stream and returns its number. Numbers ascend. */
  record(stream: number): number;
  isComplete(event: number, stream: number): boolean;
  /** The allocator waits for the event: it and earlier ones on its stream are complete afterwards. */
  synchronize(event: number, stream: number): void;
  /** The allocator waits for all that was recorded on a stream. */
  synchronizeStream(stream: number): void;
  /** The program's own work on a stream (on all streams without one) is done: no call of the allocator. */
  complete(stream?: number): void;
}
