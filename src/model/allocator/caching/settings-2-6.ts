/** The settings reader of PyTorch 2.6 (CUDAAllocatorConfig.cpp). */
import { type Settings } from './settings.js';
import { isPowerOfTwo, log2, mebibytes, SettingsError, stod, stoi, stoull, tokenize } from './settings-values.js';

const MIN_MB = 20;
const MAX_REGISTER_THREADS = 128;
const TRUE_FALSE_OPTIONS = new Set([
  'expandable_segments',
  'release_lock_on_cudamalloc',
  'release_lock_on_hipmalloc',
  'pinned_use_cuda_host_register',
  'pinned_use_hip_host_register',
  'pinned_use_background_threads',
]);

const mistake = (text: string): SettingsError => new SettingsError('Error', text);

/** Reads `text` into `settings`: three options go back to their defaults first, the others keep what they have. */
export function readSettings26(settings: Settings, text: string): void {
  settings.maxSplitSize = Infinity;
  settings.roundupDivisions.fill(0);
  settings.garbageCollectionThreshold = 0;
  const reader = new Reader26(settings, tokenize(text, / /g));
  reader.readAll();
}

class Reader26 {
  #place = 0;
  constructor(
    private readonly settings: Settings,
    private readonly tokens: readonly string[],
  ) {}

  readAll(): void {
    while (this.#place < this.tokens.length) {
      this.#readOption(this.tokens[this.#place] ?? '');
      this.#place += 1;
      if (this.#place < this.tokens.length) {
        this.#expect(',');
        this.#place += 1;
      }
    }
  }

  /** From the place of the option's name to that of the last token of its value. */
  #readOption(name: string): void {
    const { settings } = this;
    if (name === 'max_split_size_mb') settings.maxSplitSize = this.#mebibytes(name);
    else if (name === 'max_non_split_rounding_mb') settings.maxNonSplitRounding = this.#mebibytes(name);
    else if (name === 'garbage_collection_threshold') this.#readThreshold();
    else if (name === 'roundup_power2_divisions') this.#readRoundup();
    else if (name === 'backend') this.#readBackend();
    else if (name === 'pinned_num_register_threads') this.#readThreads();
    else if (TRUE_FALSE_OPTIONS.has(name)) {
      const value = this.#trueOrFalse(name.replace('_hip', '_cuda'));
      if (name === 'expandable_segments') settings.expandableSegments = value;
    } else throw mistake(`Unrecognized CachingAllocator option: ${name}`);
  }

  /** The token after the colon. */
  #value(missing: string): string {
    this.#place += 1;
    this.#expect(':');
    this.#place += 1;
    const value = this.tokens[this.#place];
    if (value === undefined) throw mistake(missing);
    return value;
  }

  #expect(separator: string): void {
    if (this.tokens[this.#place] !== separator) {
      throw mistake(`Error parsing CachingAllocator settings, expected ${separator}`);
    }
  }

  #mebibytes(name: string): number {
    const count = stoi(this.#value(`Error, expecting ${name} value`));
    if (count <= MIN_MB) throw mistake(`CachingAllocator option ${name} too small, must be > ${MIN_MB}`);
    return mebibytes(count);
  }

  #readThreshold(): void {
    const threshold = stod(this.#value('Error, expecting garbage_collection_threshold value'));
    if (!(threshold > 0)) throw mistake('garbage_collect_threshold too small, set it 0.0~1.0');
    if (!(threshold < 1)) throw mistake('garbage_collect_threshold too big, set it 0.0~1.0');
    this.settings.garbageCollectionThreshold = threshold;
  }

  #trueOrFalse(name: string): boolean {
    const message = `Expected a single True/False argument for ${name}`;
    const value = this.#value(message);
    if (value !== 'True' && value !== 'False') throw mistake(message);
    return value === 'True';
  }

  #readBackend(): void {
    const backend = this.#value('Error parsing backend value');
    if (backend !== 'native' && backend !== 'cudaMallocAsync') {
      throw mistake('Unknown allocator backend, options are native and cudaMallocAsync');
    }
    if (backend === 'cudaMallocAsync') {
      // The path is that of the build that the golden data was made with.
      throw mistake(
        'config[i] == get()->name() INTERNAL ASSERT FAILED at "src260/c10/cuda/CUDAAllocatorConfig.cpp":250, please report ' +
          'a bug to PyTorch. Allocator backend parsed at runtime != allocator backend parsed at load time',
      );
    }
  }

  #readThreads(): void {
    const threads = stoi(this.#value('Error, expecting pinned_num_register_threads value'));
    if (!isPowerOfTwo(threads)) throw mistake('Number of register threads has to be power of 2 ');
    if (threads > MAX_REGISTER_THREADS) {
      throw mistake(`Number of register threads should be less than or equal to ${MAX_REGISTER_THREADS}`);
    }
  }

  #readRoundup(): void {
    const divisions = this.settings.roundupDivisions;
    const value = this.#value('Error, expecting roundup_power2_divisions value');
    if (value === '[') {
      this.#readRoundupList(divisions);
      return;
    }
    const parts = stoi(value);
    if (!isPowerOfTwo(parts)) throw mistake('For roundups, the divisons has to be power of 2 ');
    divisions.fill(Number(parts));
  }

  /** `[256:1,512:2,>:4]`: the first key fills what is below it too, `>` from the last key's own entry to the end. */
  #readRoundupList(divisions: Float64Array): void {
    let last = 0;
    let isFirst = true;
    this.#place += 1;
    while (this.#place < this.tokens.length && this.tokens[this.#place] !== ']') {
      const key = this.tokens[this.#place] ?? '';
      const parts = stoi(this.#value('Error parsing roundup_power2_divisions value'));
      if (parts !== 0n && !isPowerOfTwo(parts)) {
        throw mistake('For roundups, the divisons has to be power of 2 or 0 to disable roundup ');
      }
      if (key === '>') {
        divisions.fill(Number(parts), last);
      } else {
        const interval = stoull(key, 'stoul');
        if (!isPowerOfTwo(interval)) throw mistake('For roundups, the intervals have to be power of 2 ');
        last = Math.min(log2(interval), divisions.length - 1);
        if (isFirst) divisions.fill(Number(parts), 0, last);
        isFirst = false;
        divisions[last] = Number(parts);
      }
      // The original reads past the end here; a list that is cut off is taken as ended.
      if (this.#place + 1 < this.tokens.length && this.tokens[this.#place + 1] !== ']') {
        this.#place += 1;
        this.#expect(',');
      }
      this.#place += 1;
    }
  }
}
