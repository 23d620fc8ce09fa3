/** A device between an allocator and its memory that writes down what is taken and given back. */
import { type DeviceEvents, type DeviceMemory, type Reserved, type VirtualMemory } from '../memory/device-memory.js';
import { type DeviceLog } from './device-log.js';

export class WatchedMemory implements DeviceMemory {
  readonly virtual?: VirtualMemory;
  readonly events?: DeviceEvents;
  readonly #memory: DeviceMemory;
  readonly #log: DeviceLog;
  /** The operation under way. */
  operation = -1;

  constructor(memory: DeviceMemory, log: DeviceLog) {
    this.#memory = memory;
    this.#log = log;
    if (memory.events !== undefined) this.events = memory.events;
    if (memory.virtual !== undefined) this.virtual = this.#watched(memory.virtual);
  }

  reserve(size: number, alignment: number): Reserved | undefined {
    const reserved = this.#memory.reserve(size, alignment);
    if (reserved !== undefined) this.#log.take(reserved.address, reserved.received, this.operation);
    return reserved;
  }

  release(address: number): void {
    this.#memory.release(address);
    this.#log.give(address, this.operation);
  }

  info(): { readonly total: number; readonly free: number } {
    return this.#memory.info();
  }

  #watched(virtual: VirtualMemory): VirtualMemory {
    return {
      reserve: (size) => {
        const address = virtual.reserve(size);
        this.#log.reserve(address, this.operation);
        return address;
      },
      map: (address, size, pageSize) => {
        const isMapped = virtual.map(address, size, pageSize);
        if (isMapped) this.#log.map(address, size, this.operation);
        return isMapped;
      },
      unmap: (address, size, pageSize) => {
        virtual.unmap(address, size, pageSize);
        this.#log.unmap(address, size, this.operation);
      },
      release: (address, size) => {
        virtual.release(address, size);
        this.#log.releaseRange(address, this.operation);
      },
    };
  }
}
