/** Where the segments and blocks of a file cannot have lain as it says, so that its sums mean less than they seem to. */
import { formatNumber } from '../../../base/format.js';
import { say } from '../../../base/said.js';
import { type RecordedSnapshot } from '../../snapshot/recorded-snapshot.js';
import { showSize } from '../texts/printed-size.js';

/** A sentence for each way in which the layout contradicts itself; none for a file that PyTorch wrote. */
export const layoutOddities = (snapshot: RecordedSnapshot): readonly string[] => [
  ...untiled(snapshot),
  ...overlapping(snapshot),
];

/** PyTorch's own files account for every byte of a segment; others exist. */
function untiled(snapshot: RecordedSnapshot): string[] {
  const { blocks } = snapshot;
  let segments = 0;
  let bytes = 0;
  for (const { size, firstBlock, blockCount } of snapshot.segments) {
    let covered = 0;
    for (let row = firstBlock; row < firstBlock + blockCount; row++) covered += blocks.size[row] ?? 0;
    if (covered === size) continue;
    segments++;
    bytes += Math.abs(size - covered);
  }
  return segments === 0
    ? []
    : [
        say`in ${formatNumber(segments)} of ${formatNumber(snapshot.segments.length)} segments the blocks do not add up to the
          segment (${showSize(bytes)} off): no PyTorch allocator writes that; sums of blocks and of segments differ, and
          pins count what no block covers as free`,
      ];
}

/** Files that were put together from several list memory twice. */
function overlapping({ segments }: RecordedSnapshot): string[] {
  const inOrder = [...segments].sort((a, b) => a.device - b.device || a.address - b.address);
  let count = 0;
  let bytes = 0;
  let device = -1;
  let end = 0;
  for (const segment of inOrder) {
    if (segment.device !== device) {
      device = segment.device;
      end = segment.address;
    }
    const shared = Math.min(end, segment.address + segment.size) - segment.address;
    if (shared > 0) {
      count++;
      bytes += shared;
    }
    end = Math.max(end, segment.address + segment.size);
  }
  return count === 0
    ? []
    : [
        say`${formatNumber(count)} of ${formatNumber(segments.length)} segments lie over others of the same device
          (${showSize(bytes)} listed twice): the file was put together or damaged, and its sums count those bytes twice`,
      ];
}
