/** The figures of a snapshot's final state, over all devices or one. */
import { BLOCK, type RecordedSnapshot } from './recorded-snapshot.js';

export interface SnapshotState {
  readonly reserved_bytes: number;
  readonly allocated_bytes: number;
  /** Allocated plus freed but still used by a stream. */
  readonly active_bytes: number;
  /** Sum of inactive blocks. */
  readonly inactive_bytes: number;
  readonly largest_inactive_block: number;
  /** Segments without a block in use: what empty_cache() would give back. */
  readonly releasable_segments_bytes: number;
  readonly segments: number;
  readonly blocks: number;
}

/** Adds up segments and blocks; `device` undefined takes all. */
export function snapshotState(snapshot: RecordedSnapshot, device?: number): SnapshotState {
  const { blocks } = snapshot;
  let reserved = 0;
  let allocated = 0;
  let active = 0;
  let inactive = 0;
  let largest = 0;
  let releasable = 0;
  let segmentCount = 0;
  let blockCount = 0;
  for (const segment of snapshot.segments) {
    if (device !== undefined && segment.device !== device) continue;
    segmentCount++;
    blockCount += segment.blockCount;
    reserved += segment.size;
    let used = 0;
    let live = 0;
    for (let row = segment.firstBlock; row < segment.firstBlock + segment.blockCount; row++) {
      const size = blocks.size[row]!;
      const state = blocks.state[row]!;
      if (state === BLOCK.inactive) {
        inactive += size;
        if (size > largest) largest = size;
        continue;
      }
      used += size;
      if (state === BLOCK.allocated) live += size;
    }
    // The file's own sums count: they are right even where a tool left blocks out.
    active += segment.active ?? used;
    allocated += segment.allocated ?? live;
    if ((segment.active ?? used) === 0) releasable += segment.size;
  }
  return {
    reserved_bytes: reserved,
    allocated_bytes: allocated,
    active_bytes: active,
    inactive_bytes: inactive,
    largest_inactive_block: largest,
    releasable_segments_bytes: releasable,
    segments: segmentCount,
    blocks: blockCount,
  };
}
