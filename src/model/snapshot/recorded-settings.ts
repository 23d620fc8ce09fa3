/**
 * The allocator settings of a recorded process, as a PYTORCH_CUDA_ALLOC_CONF string that the model reads. A file holds
 * the string of the environment and what was in force when it was written; the latter counts, where it is there.
 */
import { type RecordedSnapshot } from './recorded-snapshot.js';

const MIB = 2 ** 20;
/** Divisions for sizes under 2 MiB, under 4 MiB, ... from 32 GiB. */
const DIVISIONS = 16;

/** Names of the settings variable: of all versions with CUDA, of ROCm, and of newer ones for every device. */
const VARIABLES = ['PYTORCH_CUDA_ALLOC_CONF', 'PYTORCH_HIP_ALLOC_CONF', 'PYTORCH_ALLOC_CONF'] as const;

/** The string of the environment as it was given, and the variable that it came from; '' where the file has none. */
export function recordedText({ settings = {} }: RecordedSnapshot): {
  readonly variable: string;
  readonly text: string;
} {
  for (const variable of VARIABLES) {
    const text = settings[variable];
    if (typeof text === 'string' && text !== '') return { variable, text };
  }
  return { variable: VARIABLES[0], text: '' };
}

/** The settings as one string; '' where all are at their defaults or the file tells nothing. */
export function recordedConf(snapshot: RecordedSnapshot): string {
  const recorded = snapshot.settings ?? {};
  const { text } = recordedText(snapshot);
  const parts: string[] = [];
  const limit = recorded['max_split_size'];
  if (typeof limit === 'number' && limit > 20 * MIB) parts.push(`max_split_size_mb:${Math.floor(limit / MIB)}`);
  const rounding = /max_non_split_rounding_mb:(\d+)/.exec(text)?.[1];
  if (rounding !== undefined && Number(rounding) > 20) parts.push(`max_non_split_rounding_mb:${rounding}`);
  const threshold = recorded['garbage_collection_threshold'];
  if (typeof threshold === 'number' && threshold > 0 && threshold < 1) {
    parts.push(`garbage_collection_threshold:${threshold}`);
  }
  const divisions = recordedDivisions(snapshot);
  if (divisions.some((count) => count > 1)) {
    parts.push(`roundup_power2_divisions:[${[...divisions].map((count, i) => `${2 ** i}:${count}`).join(',')}]`);
  }
  if (isRecordedExpandable(snapshot)) parts.push('expandable_segments:True');
  return parts.join(',');
}

/** True where the process allocated from expandable segments. */
export const isRecordedExpandable = (snapshot: RecordedSnapshot): boolean =>
  snapshot.settings?.['expandable_segments'] === true || snapshot.segments.some(({ expandable }) => expandable);

/** `roundup_power2_divisions` as 16 entries, 0 where it is off. */
export function recordedDivisions(snapshot: RecordedSnapshot): Float64Array {
  const divisions = new Float64Array(DIVISIONS);
  const table = snapshot.settings?.['roundup_power2_divisions'];
  if (typeof table !== 'object' || table === null) return divisions;
  for (const [key, value] of Object.entries(table)) {
    const index = Math.log2(Number(key));
    if (Number.isInteger(index) && index >= 0 && index < DIVISIONS && isPowerOfTwo(value)) divisions[index] = value;
  }
  return divisions;
}

const isPowerOfTwo = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && Number.isInteger(Math.log2(value));
