import { describe, expect, it } from 'vitest';
import { Settings } from './settings.js';
import { SettingsError, stod, stoi, stoull } from './settings-values.js';

const MiB = 2 ** 20;

describe('settings of 2.6', () => {
  it('fills a roundup list up to its first key, and from its last key on', () => {
    const settings = new Settings('2.6');
    settings.read('roundup_power2_divisions:[256:1,512:2,1024:4,>:8]');
    expect([...settings.roundupDivisions]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 8, 8, 8, 8, 8, 8]);
  });

  it('resets three options with each string and keeps the others, also when a string is wrong', () => {
    const settings = new Settings('2.6');
    settings.read('max_split_size_mb:30,garbage_collection_threshold:0.5,expandable_segments:True');
    expect(() => settings.read('max_split_size_mb:25,nonsense:1')).toThrow(
      'Unrecognized CachingAllocator option: nonsense',
    );
    expect(settings).toMatchObject({ maxSplitSize: 25 * MiB, garbageCollectionThreshold: 0, expandableSegments: true });
  });

  it('names the type of the exception', () => {
    const failure = (torch: '2.6' | '2.14', text: string) => {
      try {
        new Settings(torch).read(text);
      } catch (error) {
        return error instanceof SettingsError ? `${error.type}: ${error.message}` : error;
      }
      return 'ok';
    };
    expect(failure('2.6', 'max_split_size_mb:abc')).toBe('std: stoi');
    expect(failure('2.14', 'max_split_size_mb:19')).toBe(
      'ValueError: CachingAllocator option max_split_size_mb too small, must be >= 20',
    );
    expect(failure('2.14', 'per_process_memory_fraction:1.5')).toBe(
      'ValueError: per_process_memory_fraction is invalid, set it in [0.0, 1.0]',
    );
  });
});

describe('settings of 2.14', () => {
  it('starts `>` one past the last key', () => {
    const settings = new Settings('2.14');
    settings.read('roundup_power2_divisions:[256:1,512:2,1024:4,>:8]');
    expect([...settings.roundupDivisions]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 8, 8, 8, 8]);
  });

  it('keeps large_segment_size_mb and checks the others against it', () => {
    const settings = new Settings('2.14');
    settings.read('large_segment_size_mb:40');
    expect(() => settings.read('max_split_size_mb:39')).toThrow('must be >= 40');
    settings.read('');
    expect(settings).toMatchObject({ largeSegmentSize: 40 * MiB, maxNonSplitRounding: 40 * MiB });
  });
});

describe('numbers as C++ reads them', () => {
  it('takes the longest prefix', () => {
    expect(stoi('12.5')).toBe(12n);
    expect(stod('0.5x')).toBe(0.5);
    expect(stod('0x1p-1')).toBe(0.5);
    expect(stod('-inf')).toBe(-Infinity);
  });
  it('wraps a negative size and refuses what is too large', () => {
    expect(stoi('-1')).toBe(2n ** 64n - 1n);
    expect(stoull('18446744073709551615', 'stoull')).toBe(2n ** 64n - 1n);
    expect(() => stoi('2147483648')).toThrow('stoi');
    expect(() => stoull('18446744073709551616', 'stoull')).toThrow('stoull');
    expect(() => stod('1e400')).toThrow('stod');
  });
});
