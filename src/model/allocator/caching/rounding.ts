/**
 * From the size that a program asks for to the size of the block, and to that of a new segment. Bytes as doubles: they
 * pass 2^32, so the only bit operation here is a count of leading zeros on what fits 32 bits.
 */
const MIN_BLOCK = 512;
const MiB = 2 ** 20;
export const SMALL_SIZE = MiB;
/** Blocks up to this many units (1 MiB) live in the small pool. */
export const SMALL_UNITS = 2048;
/** Segment of the small pool, and page of its expandable segments. */
export const SMALL_SEGMENT = 2 * MiB;
/** Requests under this size share a large segment. */
const MIN_LARGE_ALLOC = 10 * MiB;
const ROUND_LARGE = 2 * MiB;

/** `step` is a power of two, so that the division is exact. */
const roundUp = (size: number, step: number): number => Math.ceil(size / step) * step;

/** floor(log2 size) of a whole number from 1 to 2^53. */
const floorLog2 = (size: number): number =>
  size < 2 ** 32 ? 31 - Math.clz32(size) : 63 - Math.clz32(Math.floor(size / 2 ** 32));

/** Up to a multiple of 512. */
const roundPlain = (size: number): number => Math.ceil(size / MIN_BLOCK) * MIN_BLOCK;

/** `divisions`: 16 entries, for sizes under 2 MiB, under 4 MiB, ... from 32 GiB (`roundup_power2_divisions`). */
export function roundRequest(size: number, divisions: Float64Array): number {
  if (size < MIN_BLOCK) return MIN_BLOCK;
  const log2 = floorLog2(size);
  const parts = divisions[log2 <= 20 ? 0 : log2 >= 35 ? 15 : log2 - 20]!;
  return parts > 1 && size > MIN_BLOCK * parts ? roundToDivision(size, log2, parts) : roundPlain(size);
}

/** Up to the next of `parts` equal steps between two powers of two. */
function roundToDivision(size: number, log2: number, parts: number): number {
  const floor = 2 ** log2;
  if (size === floor) return size;
  const step = Math.floor(floor / 2 ** floorLog2(parts));
  return step === 0 ? floor * 2 : roundUp(size, step);
}

/** Size of the segment that a rounded request needs when no block fits. `largeSegment`: large_segment_size in bytes. */
export function segmentSize(rounded: number, largeSegment: number): number {
  if (rounded <= SMALL_SIZE) return SMALL_SEGMENT;
  return rounded < MIN_LARGE_ALLOC ? largeSegment : roundUp(rounded, ROUND_LARGE);
}
