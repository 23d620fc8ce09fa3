/**
 * A device that is only numbers. Addresses come from a bump pointer and are never given out twice; memory is charged in
 * steps of 2 MiB against the capacity. It keeps the contract of the mock CUDA device under the golden data
 * (`test-data/pytorch/README.md`), down to the count of calls.
 *
 *     const device = new SimulatedDevice(80 * 2 ** 30);
 *     device.reserve(20 << 20, 512); // { address: 0, received: 20971520 }
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { type DeviceEvents, type DeviceMemory, type Reserved, type VirtualMemory } from './device-memory.js';
import { SimulatedEvents } from './simulated-events.js';

/** Granularity of the device, of cudaMalloc as of cuMemCreate. */
const GRANULE = 2 ** 21;
const roundUp = (size: number): number => Math.ceil(size / GRANULE) * GRANULE;

/** Calls that an allocator made, under the names of the CUDA runtime and driver. Failed calls count in both. */
export interface DeviceCalls {
  cudaMalloc: number;
  cudaMalloc_failed: number;
  cudaFree: number;
  cuMemCreate: number;
  cuMemCreate_failed: number;
  cuMemRelease: number;
  cuMemMap: number;
  cuMemUnmap: number;
  cuMemAddressReserve: number;
  cuMemAddressFree: number;
  cudaEventRecord: number;
  cudaEventQuery: number;
  cudaEventSynchronize: number;
  cudaStreamSynchronize: number;
}

export class SimulatedDevice implements DeviceMemory {
  readonly calls: DeviceCalls = {
    cudaMalloc: 0,
    cudaMalloc_failed: 0,
    cudaFree: 0,
    cuMemCreate: 0,
    cuMemCreate_failed: 0,
    cuMemRelease: 0,
    cuMemMap: 0,
    cuMemUnmap: 0,
    cuMemAddressReserve: 0,
    cuMemAddressFree: 0,
    cudaEventRecord: 0,
    cudaEventQuery: 0,
    cudaEventSynchronize: 0,
    cudaStreamSynchronize: 0,
  };
  readonly virtual: VirtualMemory;
  readonly events: DeviceEvents = new SimulatedEvents(this.calls);
  #used = 0;
  #nextAddress = 0;
  readonly #charges = new Map<number, number>();

  /** `capacity` in bytes. Throws `AppError` (`bad-input`) unless it is a whole number of bytes from 1 to 2^53. */
  constructor(readonly capacity: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw badInput('capacity', say`capacity: ${capacity} is not usable; give a whole number of bytes of at least 1`);
    }
    this.virtual = {
      reserve: (size) => this.#reserveAddresses(size),
      map: (_address, size, pageSize) => this.#map(size, pageSize),
      unmap: (_address, size, pageSize) => this.#unmap(size, pageSize),
      release: () => {
        this.calls.cuMemAddressFree += 1;
      },
    };
  }

  /** Bytes charged now. */
  get used(): number {
    return this.#used;
  }

  reserve(size: number): Reserved | undefined {
    const charge = roundUp(size);
    this.calls.cudaMalloc += 1;
    if (this.#used + charge > this.capacity) {
      this.calls.cudaMalloc_failed += 1;
      return undefined;
    }
    const address = this.#nextAddress;
    this.#nextAddress += charge;
    this.#used += charge;
    this.#charges.set(address, charge);
    return { address, received: charge };
  }

  release(address: number): void {
    const charge = this.#charges.get(address);
    if (charge === undefined) throw new Error(`device: no segment starts at ${address}`);
    this.#charges.delete(address);
    this.calls.cudaFree += 1;
    this.#used -= charge;
  }

  info(): { readonly total: number; readonly free: number } {
    return { total: this.capacity, free: this.capacity - this.#used };
  }

  #reserveAddresses(size: number): number {
    const address = this.#nextAddress;
    this.#nextAddress += roundUp(size);
    this.calls.cuMemAddressReserve += 1;
    return address;
  }

  #map(size: number, pageSize: number): boolean {
    const pages = size / pageSize;
    const charge = roundUp(pageSize);
    const room = Math.floor((this.capacity - this.#used) / charge);
    if (room < pages) {
      // Pages are created one by one; those before the failure are released again.
      this.calls.cuMemCreate += room + 1;
      this.calls.cuMemCreate_failed += 1;
      this.calls.cuMemRelease += room;
      return false;
    }
    this.calls.cuMemCreate += pages;
    this.calls.cuMemMap += pages;
    this.#used += pages * charge;
    return true;
  }

  #unmap(size: number, pageSize: number): void {
    const pages = size / pageSize;
    this.calls.cuMemUnmap += pages;
    this.calls.cuMemRelease += pages;
    this.#used -= pages * roundUp(pageSize);
  }
}
