/** The figures that are read after every operation, as a view of the statistics that stays current. */
import { type AllocatorTotals } from '../allocator.js';
import {
  ACTIVE_BYTES,
  ALLOCATED_BYTES,
  REQUESTED_BYTES,
  RESERVED_BYTES,
  SEGMENTS,
  type Statistics,
} from './statistics.js';

export class CachingTotals implements Readonly<AllocatorTotals> {
  constructor(private readonly statistics: Statistics) {}
  get allocated(): number {
    return this.statistics.current(ALLOCATED_BYTES);
  }
  get reserved(): number {
    return this.statistics.current(RESERVED_BYTES);
  }
  get active(): number {
    return this.statistics.current(ACTIVE_BYTES);
  }
  get requested(): number {
    return this.statistics.current(REQUESTED_BYTES);
  }
  get segments(): number {
    return this.statistics.current(SEGMENTS);
  }
}
