/** A fresh allocator for a run of a lesson, with its calls to the device counted. */
import { defined } from '../../base/errors.js';
import { type Allocator } from '../allocator/allocator.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { makeAllocator } from '../allocator/registry.js';
import { type DeviceMemory, type Reserved } from '../memory/device-memory.js';
import { setupOfRun } from './run-setup.js';
import { type Run } from './schema.js';

/** Calls to the device that were granted, and segments given back. */
export interface DeviceCalls {
  readonly granted: number;
  readonly returned: number;
}

export interface RunningAllocator {
  readonly allocator: Allocator;
  readonly calls: () => DeviceCalls;
}

/** A fresh allocator for a run. Throws `AppError` (`bad-input`) for settings that the allocator refuses. */
export function allocatorOfRun(run: Run): RunningAllocator {
  let memory: CountedMemory | undefined;
  const through = (device: DeviceMemory): DeviceMemory => (memory = new CountedMemory(device));
  // The caching allocator counts its own calls, those that map memory among them.
  const { allocator } = makeAllocator({ ...setupOfRun(run), ...(run.allocator === 'caching' ? {} : { through }) });
  if (!(allocator instanceof CachingAllocator)) {
    const counted = defined(memory, 'the device of the allocator');
    return { allocator, calls: () => ({ granted: counted.granted, returned: counted.returned }) };
  }
  const { statistics } = allocator;
  return { allocator, calls: () => ({ granted: statistics.numDeviceAlloc, returned: statistics.numDeviceFree }) };
}

class CountedMemory implements DeviceMemory {
  granted = 0;
  returned = 0;

  constructor(readonly memory: DeviceMemory) {}

  reserve(size: number, alignment: number): Reserved | undefined {
    const reserved = this.memory.reserve(size, alignment);
    if (reserved !== undefined) this.granted += 1;
    return reserved;
  }

  release(address: number): void {
    this.memory.release(address);
    this.returned += 1;
  }

  info(): { readonly total: number; readonly free: number } {
    return this.memory.info();
  }
}
