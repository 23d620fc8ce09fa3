/**
 * garbage_collection_threshold: before the device is asked for more, whole free segments of the large pool go back when
 * more than that share of the allowed memory is reserved, the longest unused first.
 */
import { BORN, INTS, NEXT, PREV, SEGMENT } from './block-table.js';
import { releaseSegment } from './segments.js';
import { type AllocatorState } from './state.js';

/** Releases all whole segments that are at least of mean age, again and again, until the threshold is met. */
export function collectGarbage(state: AllocatorState): void {
  const { i32 } = state.table;
  const threshold = Math.floor(state.settings.garbageCollectionThreshold * (state.allowed ?? 0));
  if (state.reserved <= threshold) return;
  const target = state.reserved - threshold;
  const now = state.large.searches;
  const age = (block: number): number => now - i32[(block << INTS) + BORN]!;

  let candidates = state.large
    .freeBlocks()
    .filter((block) => (i32[(block << INTS) + PREV]! | i32[(block << INTS) + NEXT]!) === 0);
  let totalAge = candidates.reduce((sum, block) => sum + age(block), 0);
  let reclaimed = 0;
  let released = true;
  while (reclaimed < target && released && candidates.length > 0) {
    const limit = totalAge / candidates.length;
    released = false;
    const kept: number[] = [];
    // A pass does not stop when the target is met: collecting again soon would cost more.
    for (const block of candidates) {
      // Expandable segments count in the mean, but only flushes unmap them.
      if (i32[(block << INTS) + SEGMENT] !== 0 || age(block) < limit) {
        kept.push(block);
        continue;
      }
      released = true;
      reclaimed += state.sizeOf(block);
      totalAge -= age(block);
      releaseSegment(state, block);
    }
    candidates = kept;
  }
}
