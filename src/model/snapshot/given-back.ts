/** What the device calls before an allocation tell: memory given back by a flush, by a retry, or piece by piece. */
import { type CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { roundRequest, SMALL_SIZE } from '../allocator/caching/rounding.js';
import { type RecordedCall } from './recorded-device.js';
import { ACTION } from './recorded-snapshot.js';

/** A request as the search for a free block sees it; `size` in bytes, not rounded. */
export interface Search {
  readonly size: number;
  readonly stream: number;
  readonly privatePool: number | undefined;
}

/** Whether the call gave memory to the device. */
export const isGivenBack = ({ action }: RecordedCall): boolean =>
  action === ACTION.segmentFree || action === ACTION.segmentUnmap;

/** Whether the calls give back every segment that a flush of the common pools would. */
export function isWholeFlush(allocator: CachingAllocator, calls: readonly RecordedCall[]): boolean {
  const given = new Set(calls.filter(({ action }) => action === ACTION.segmentFree).map(({ address }) => address));
  return allocator
    .heap()
    .segments.every(
      ({ address, blocks, expandable, privatePool }) =>
        expandable ||
        privatePool !== undefined ||
        given.has(address) ||
        blocks.some(({ state }) => state === 'allocated'),
    );
}

/** Whether a free block could serve the request before anything goes back. */
export function hasRoom(allocator: CachingAllocator, { size, stream, privatePool }: Search): boolean {
  const rounded = roundRequest(size, allocator.settings.roundupDivisions);
  const pool = rounded <= SMALL_SIZE ? 'small' : 'large';
  return allocator
    .heap()
    .segments.some(
      (segment) =>
        segment.pool === pool &&
        segment.stream === stream &&
        segment.privatePool === privatePool &&
        segment.blocks.some((block) => block.state === 'free' && block.size >= rounded),
    );
}
