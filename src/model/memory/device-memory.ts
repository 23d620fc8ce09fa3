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
  /** Puts memory behind `size` bytes at `address`. False when the device has no room. */
  map(address: number, size: number): boolean;
  unmap(address: number, size: number): void;
  /** Gives the range of addresses back. */
  release(address: number, size: number): void;
}

export interface DeviceEvents {
  /** Records an event on a stream and returns its number. */
  record(stream: number): number;
  isComplete(event: number): boolean;
  /** Waits for the event: it and earlier ones on its stream are complete afterwards. */
  synchronize(event: number): void;
  synchronizeStream(stream: number): void;
  synchronizeAll(): void;
}
