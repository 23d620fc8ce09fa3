/** How exactly a model repeats a recorded trace: the figures of one replay. */
import { type TorchVersion } from '../allocator/caching/oom-text.js';

export interface Fidelity {
  readonly device: number;
  /** Allocations in the trace, and those at the recorded address. */
  readonly alloc: number;
  readonly addr_match: number;
  /** cudaMalloc calls in the trace, and those that the model made at the same operation with the same size. */
  readonly segment_alloc: number;
  readonly segsize_match: number;
  /** The same for mapped ranges of expandable segments, equal in address too. */
  readonly segment_map: number;
  readonly map_match: number;
  /** Failures in the trace, and those that the model met. */
  readonly oom: number;
  readonly oom_match: number;
  /** Blocks live when the trace began. */
  readonly initial_active: number;
  readonly inferred_slack_blocks: number;
  /** Private pools that the file does not name and that had to be inferred, and allocations in all private pools then. */
  readonly inferred_pools: number;
  readonly inferred_pool_allocations: number;
  /** Entry before which the run had switched expandable segments; null where it did not. The file holds the last settings only. */
  readonly settings_changed: number | null;
  readonly final_reserved_model: number;
  readonly final_reserved_snap: number;
  /** The version whose rules fit best. */
  readonly torch: TorchVersion;
  readonly first_mismatch: FirstMismatch | null;
}

export interface FirstMismatch {
  readonly event: number;
  readonly what: string;
}
