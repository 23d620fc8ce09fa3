/**
 * What `torch.cuda.empty_cache()` would give back to the device, from a snapshot's final segments: whole segments that
 * nothing uses, of expandable ones also whole pages inside free blocks. It waits for blocks that a stream still uses,
 * and leaves segments of private pools (CUDA graphs) alone while something may use their pool
 * (facts: release_cached_blocks of PyTorch 2.6, golden/pytorch).
 */
import { BLOCK, type RecordedSegment, type RecordedSnapshot } from './recorded-snapshot.js';

export interface EmptyCache {
  /** Given back at once: bytes. */
  readonly given: number;
  /** Given back as well, because the call waits for the streams that still use freed blocks. */
  readonly afterWaiting: number;
  /** Free whole segments of private pools: given back only once nothing uses the pool. */
  readonly privatePools: number;
}

const MIB = 2 ** 20;
/** Pages of expandable segments in the small and the large pool. */
const SMALL_PAGE = 2 * MIB;
const LARGE_PAGE = 20 * MIB;

/** Adds up all devices. */
export function emptyCache(snapshot: RecordedSnapshot): EmptyCache {
  let given = 0;
  let afterWaiting = 0;
  let privatePools = 0;
  for (const segment of snapshot.segments) {
    const now = releasable(snapshot, segment, false);
    const waited = releasable(snapshot, segment, true);
    if (segment.pool[0] !== 0 || segment.pool[1] !== 0) {
      privatePools += waited;
      continue;
    }
    given += now;
    afterWaiting += waited - now;
  }
  return { given, afterWaiting, privatePools };
}

function releasable({ blocks }: RecordedSnapshot, segment: RecordedSegment, waits: boolean): number {
  const page = segment.type === 'small' ? SMALL_PAGE : LARGE_PAGE;
  const end = segment.address + segment.size;
  let bytes = 0;
  let covered = 0;
  let used = 0;
  let start = segment.address;
  const close = (to: number): void => {
    const first = Math.ceil((start - segment.address) / page);
    const last = Math.floor((to - segment.address) / page);
    bytes += Math.max(0, last - first) * page;
  };
  for (let row = segment.firstBlock; row < segment.firstBlock + segment.blockCount; row++) {
    const size = blocks.size[row]!;
    const state = blocks.state[row]!;
    covered += size;
    if (state === BLOCK.inactive || (waits && state === BLOCK.pending)) continue;
    used += size;
    close(blocks.address[row]!);
    start = blocks.address[row]! + size;
  }
  close(end);
  // Where a tool left blocks out only the segment's own sum tells whether something is in use.
  if (covered !== segment.size) return (segment.active ?? used) === 0 ? segment.size : 0;
  if (used === 0) return segment.size;
  return segment.expandable ? bytes : 0;
}
