/** What a failed request leaves behind: the figures of that moment and the framework's text. */
import { type AllocationFailure } from '../allocator.js';
import { outOfMemoryText, preemptiveText } from './oom-text.js';
import { type AllocatorState } from './state.js';
import { ACTIVE_BYTES, ALLOCATED_BYTES } from './statistics.js';

/** Every try failed. `requested`: what the program asked for, `segment`: what was asked of the device. */
export function describeFailure(state: AllocatorState, requested: number, segment: number): AllocationFailure {
  const { total, free } = state.device.info();
  const allocated = state.statistics.current(ALLOCATED_BYTES);
  let inPrivatePools = 0;
  for (const { small, large } of state.privatePools.values()) {
    for (const block of [...small.freeBlocks(), ...large.freeBlocks()]) inPrivatePools += state.sizeOf(block);
  }
  const text = outOfMemoryText(
    {
      segment,
      deviceTotal: total,
      deviceFree: free,
      allowed: state.allowed,
      allocated,
      reserved: state.reserved,
      inPrivatePools,
    },
    state.torch,
  );
  return { ...figures(state, requested), text };
}

/** The request was refused before the device was asked. */
export const describeRejection = (state: AllocatorState, requested: number): AllocationFailure => ({
  ...figures(state, requested),
  text: preemptiveText(requested),
});

function figures(state: AllocatorState, requested: number): Omit<AllocationFailure, 'text'> {
  return {
    requested,
    totalFree: state.reserved - state.statistics.current(ACTIVE_BYTES),
    largestFree: state.shelves.reduce((largest, shelf) => Math.max(largest, shelf.free.largest()), 0),
    reserved: state.reserved,
    allocated: state.statistics.current(ALLOCATED_BYTES),
    deviceFree: state.device.info().free,
  };
}
