/**
 * The allocator settings of a recorded process, as a PYTORCH_CUDA_ALLOC_CONF string that the model reads. A file holds
 * the string of the environment and what was in force when it was written; the latter counts, where it is there.
 */
import { type TorchVersion } from '../allocator/caching/oom-text.js';
import { type RecordedSnapshot } from './recorded-snapshot.js';

const MIB = 2 ** 20;
/** Sizes that the option cannot name (it is an int of MiB) stand for none. */
const UNLIMITED = 2 ** 31 * MIB;
/** Divisions for sizes under 2 MiB, under 4 MiB, ... from 32 GiB. */
const DIVISIONS = 16;

/** The string of the environment as it was given, and the variable that it came from; '' where the file has none. */
export const recordedText = ({ settings }: RecordedSnapshot): { readonly variable: string; readonly text: string } =>
  settings?.variables.find(({ text }) => text !== '') ?? { variable: 'PYTORCH_CUDA_ALLOC_CONF', text: '' };

/** The settings as one string; '' where all are at their defaults or the file tells nothing. */
export function recordedConf(snapshot: RecordedSnapshot, torch: TorchVersion = '2.6'): string {
  const { maxSplitSize = -1, garbageCollectionThreshold: threshold = 0 } = snapshot.settings ?? {};
  const { text } = recordedText(snapshot);
  const parts: string[] = [];
  // Only the newer line knows it, and lets the limit for splits be as small.
  const largeSegment = torch === '2.6' ? undefined : /large_segment_size_mb:(\d+)/.exec(text)?.[1];
  if (largeSegment !== undefined && Number(largeSegment) > 10) parts.push(`large_segment_size_mb:${largeSegment}`);
  const leastSplit = torch === '2.6' ? 20 * MIB + 1 : Number(largeSegment ?? 20) * MIB;
  if (maxSplitSize >= leastSplit && maxSplitSize < UNLIMITED)
    parts.push(`max_split_size_mb:${Math.floor(maxSplitSize / MIB)}`);
  const rounding = /max_non_split_rounding_mb:(\d+)/.exec(text)?.[1];
  if (rounding !== undefined && Number(rounding) > 20) parts.push(`max_non_split_rounding_mb:${rounding}`);
  if (threshold > 0 && threshold < 1) parts.push(`garbage_collection_threshold:${threshold}`);
  const divisions = recordedDivisions(snapshot);
  if (divisions.some((count) => count > 1)) {
    parts.push(`roundup_power2_divisions:[${[...divisions].map((count, i) => `${2 ** i}:${count}`).join(',')}]`);
  }
  if (isRecordedExpandable(snapshot)) parts.push('expandable_segments:True');
  return parts.join(',');
}

/** True where the process allocated from expandable segments. */
export const isRecordedExpandable = (snapshot: RecordedSnapshot): boolean =>
  snapshot.settings?.expandable === true || snapshot.segments.some(({ expandable }) => expandable);

/** `roundup_power2_divisions` as 16 entries, 0 where it is off. */
export function recordedDivisions({ settings }: RecordedSnapshot): Float64Array {
  const divisions = new Float64Array(DIVISIONS);
  const recorded = settings?.divisions ?? [];
  for (let i = 0; i < recorded.length; i += 2) {
    const index = Math.log2(recorded[i] ?? NaN);
    const count = recorded[i + 1] ?? NaN;
    if (Number.isInteger(index) && index >= 0 && index < DIVISIONS && isPowerOfTwo(count)) divisions[index] = count;
  }
  return divisions;
}

const isPowerOfTwo = (count: number): boolean => count > 0 && Number.isInteger(Math.log2(count));
