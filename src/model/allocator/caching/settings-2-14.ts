/** The settings reader of PyTorch 2.14: common keys (AllocatorConfig.cpp), then those of CUDA (CUDAAllocatorConfig.cpp). */
import { type Settings } from './settings.js';
import { isPowerOfTwo, log2, mebibytes, SettingsError, stod, stoull, tokenize } from './settings-values.js';

const MiB = 2 ** 20;
const MIN_LARGE_SEGMENT_MB = 10;
const MAX_REGISTER_THREADS = 128;
const CUDA_KEYS = new Set([
  'backend',
  'release_lock_on_cudamalloc',
  'release_lock_on_hipmalloc',
  'pinned_use_cuda_host_register',
  'pinned_use_hip_host_register',
  'pinned_num_register_threads',
  'pinned_reserve_segment_size_mb',
  'graph_capture_record_stream_reuse',
  'per_process_memory_fraction',
  'pinned_free_catch_all',
  'throw_on_cudamalloc_oom',
]);

const valueError = (text: string): SettingsError => new SettingsError('ValueError', text);
const outOfBounds = (line: number): SettingsError =>
  new SettingsError(
    'Error',
    `i < config_.size() INTERNAL ASSERT FAILED at "./c10/core/AllocatorConfig.h":${line}, please report a bug to PyTorch. ` +
      'Index out of bounds in ConfigTokenizer',
  );
/** Lines of the original that refuse a place past the end: in operator[], and in the typed readers. */
const LINE_OF_INDEX = 55;
const LINE_OF_READERS = 124;

/** Tokens of a settings string. Separators are passed over without a look, as the original does. */
class Tokens {
  readonly #tokens: readonly string[];
  constructor(text: string) {
    this.#tokens = tokenize(text, /[ \t\n\v\f\r]/g);
  }
  get length(): number {
    return this.#tokens.length;
  }
  at(place: number, line = LINE_OF_READERS): string {
    const token = this.#tokens[place];
    if (token === undefined) throw outOfBounds(line);
    return token;
  }
  size(place: number): bigint {
    return stoull(this.at(place), 'stoull');
  }
  double(place: number): number {
    return stod(this.at(place));
  }
  boolean(place: number): boolean {
    const token = this.at(place);
    if (token === 'True') return true;
    if (token === 'False') return false;
    throw valueError(`Expected 'True' or 'False' at index ${place} in ConfigTokenizer but got '${token}'`);
  }
  /** Last place of the value of the key at `place`: one token, or a list up to its bracket. */
  skip(place: number): number {
    this.at(place + 1);
    if (this.at(place + 2) !== '[') return place + 2;
    let end = place + 3;
    while (end < this.length && this.#tokens[end] !== ']') end += 1;
    if (end < this.length) return end;
    throw new SettingsError('Error', "Expected closing bracket ']' in ConfigTokenizer but reached end of config");
  }
}

/** Common keys. Those that a string does not name go back to their defaults, large_segment_size_mb excepted. */
export function readSettings214(settings: Settings, text: string): void {
  settings.maxSplitSize = Infinity;
  settings.garbageCollectionThreshold = 0;
  settings.roundupDivisions.fill(0);
  const tokens = new Tokens(text);
  readLargeSegmentSize(settings, tokens);
  settings.maxNonSplitRounding = settings.largeSegmentSize;
  for (let place = 0; place < tokens.length; place += 1) {
    place = readKey(settings, tokens, place);
    // The separator that follows.
    place += 1;
  }
}

/** First of all keys, since others are checked against it. */
function readLargeSegmentSize(settings: Settings, tokens: Tokens): void {
  for (let place = 0; place < tokens.length; place += 1) {
    if (tokens.at(place) !== 'large_segment_size_mb') continue;
    tokens.at(place + 1);
    const count = tokens.size(place + 2);
    if (count <= MIN_LARGE_SEGMENT_MB) {
      throw valueError('CachingAllocator option large_segment_size_mb must be > 10 MB');
    }
    settings.largeSegmentSize = mebibytes(count);
  }
}

/** Reads the key at `place`; returns the last place of its value. */
function readKey(settings: Settings, tokens: Tokens, place: number): number {
  const key = tokens.at(place, LINE_OF_INDEX);
  if (key === 'roundup_power2_divisions') return readRoundup(settings.roundupDivisions, tokens, place);
  if (key === 'max_split_size_mb') settings.maxSplitSize = sizeOf(settings, tokens, place, key);
  else if (key === 'max_non_split_rounding_mb') settings.maxNonSplitRounding = sizeOf(settings, tokens, place, key);
  else if (key === 'garbage_collection_threshold') readThreshold(settings, tokens, place);
  else if (key === 'expandable_segments') settings.expandableSegments = readBoolean(tokens, place);
  else if (key === 'pinned_use_background_threads') readBoolean(tokens, place);
  else if (key === 'pinned_max_round_threshold_mb' || key === 'pinned_max_cached_size_mb') readSize(tokens, place);
  else if (key !== 'large_segment_size_mb' && !CUDA_KEYS.has(key)) {
    throw valueError(`Unrecognized key '${key}' in Accelerator allocator config.`);
  }
  return tokens.skip(place);
}

function readSize(tokens: Tokens, place: number): bigint {
  tokens.at(place + 1);
  return tokens.size(place + 2);
}

function readBoolean(tokens: Tokens, place: number): boolean {
  tokens.at(place + 1);
  return tokens.boolean(place + 2);
}

function sizeOf(settings: Settings, tokens: Tokens, place: number, key: string): number {
  const count = readSize(tokens, place);
  const least = Math.floor(settings.largeSegmentSize / MiB);
  if (count < least) throw valueError(`CachingAllocator option ${key} too small, must be >= ${least}`);
  return mebibytes(count);
}

function readThreshold(settings: Settings, tokens: Tokens, place: number): void {
  tokens.at(place + 1);
  const threshold = tokens.double(place + 2);
  if (!(threshold > 0 && threshold < 1)) throw valueError('garbage_collect_threshold is invalid, set it in (0.0, 1.0)');
  settings.garbageCollectionThreshold = threshold;
}

/** One number for all, or a list; `>` fills from the entry after the last key's to the end. */
function readRoundup(divisions: Float64Array, tokens: Tokens, at: number): number {
  tokens.at(at + 1);
  let place = at + 2;
  if (tokens.at(place) !== '[') {
    const parts = tokens.size(place);
    if (!isPowerOfTwo(parts)) throw valueError('For roundups, the divisions has to be power of 2 ');
    divisions.fill(Number(parts));
    return place;
  }
  let last = 0;
  let isFirst = true;
  place += 1;
  while (place < tokens.length && tokens.at(place) !== ']') {
    const key = tokens.at(place);
    tokens.at(place + 1);
    const parts = tokens.size(place + 2);
    if (parts !== 0n && !isPowerOfTwo(parts)) {
      throw valueError('For roundups, the divisions has to be power of 2 or 0 to disable roundup ');
    }
    if (key === '>') {
      divisions.fill(Number(parts), last + 1);
    } else {
      const interval = stoull(key, 'stoull');
      if (!isPowerOfTwo(interval)) throw valueError('For roundups, the intervals have to be power of 2 ');
      last = Math.min(log2(interval), divisions.length - 1);
      if (isFirst) divisions.fill(Number(parts), 0, last);
      isFirst = false;
      divisions[last] = Number(parts);
    }
    // A separator, unless the list ends.
    place += tokens.at(place + 3, LINE_OF_INDEX) === ']' ? 3 : 4;
  }
  return place;
}

/** Keys of CUDA; they are checked here only, and the common ones passed over. */
export function readCudaSettings214(settings: Settings, text: string): void {
  const tokens = new Tokens(text);
  for (let place = 0; place < tokens.length; place += 1) {
    readCudaKey(settings, tokens, place);
    place = tokens.skip(place) + 1;
  }
}

function readCudaKey(settings: Settings, tokens: Tokens, place: number): void {
  switch (tokens.at(place)) {
    case 'backend':
      if (tokens.at(place + 2) !== 'native' && tokens.at(place + 2) !== 'cudaMallocAsync') {
        throw valueError('Unknown allocator backend, options are native and cudaMallocAsync');
      }
      break;
    case 'per_process_memory_fraction': {
      const fraction = tokens.double(place + 2);
      if (!(fraction >= 0 && fraction <= 1)) {
        throw valueError('per_process_memory_fraction is invalid, set it in [0.0, 1.0]');
      }
      settings.perProcessMemoryFraction = fraction;
      break;
    }
    case 'throw_on_cudamalloc_oom':
      settings.throwOnCudaMallocOom = tokens.boolean(place + 2);
      break;
    case 'pinned_num_register_threads':
      checkThreads(tokens.size(place + 2));
      break;
    case 'pinned_reserve_segment_size_mb':
      if (tokens.size(place + 2) === 0n) throw valueError('Pinned reserve segment size has to be greater than 0');
      break;
    case 'release_lock_on_cudamalloc':
    case 'release_lock_on_hipmalloc':
    case 'pinned_use_cuda_host_register':
    case 'pinned_use_hip_host_register':
    case 'graph_capture_record_stream_reuse':
    case 'pinned_free_catch_all':
      tokens.boolean(place + 2);
      break;
    default:
      break;
  }
}

function checkThreads(threads: bigint): void {
  if (!isPowerOfTwo(threads))
    throw valueError(`Number of register threads has to be power of 2, got ${String(threads)}`);
  if (threads > MAX_REGISTER_THREADS) {
    throw valueError(
      `Number of register threads should be less than or equal to ${MAX_REGISTER_THREADS}, got ${String(threads)}`,
    );
  }
}
