import { describe, expect, it } from 'vitest';
import { CachingAllocator, type CachingOptions } from '../allocator/caching/caching-allocator.js';
import { type FailureStory, storyOf } from './failure-story.js';
import { CATEGORY } from './trace.js';

const MIB = 2 ** 20;
const FACT = { id: 0, operation: 0, category: CATEGORY.unknown, label: '' };

/** What is said when the last of these requests is refused on a device of 1 GiB; sizes in MiB. */
function story(options: Omit<CachingOptions, 'capacity'>, ...requests: readonly number[]): FailureStory {
  const allocator = new CachingAllocator({ capacity: 1024 * MIB, ...options });
  const last = requests.map((size) => allocator.malloc(size * MIB)).at(-1);
  const failure = allocator.lastFailure();
  if (last !== -1 || failure === undefined) throw new Error('the last request was not refused');
  const context = { allocator, failure, heap: allocator.heap(), stream: 0, refused: FACT, factOf: () => FACT };
  return storyOf({ ...context, allowed: Infinity });
}

describe('a failure under a limit of the allocator', () => {
  it.each([
    ['a fraction that was set', { fraction: 0.5 }],
    ['per_process_memory_fraction in the settings', { torch: '2.14', conf: 'per_process_memory_fraction:0.5' }],
  ] as const)('counts only what %s leaves, though the device has more', (_what, options) => {
    const { kind, notReserved } = story(options, 400, 400);
    expect({ kind, notReserved }).toEqual({ kind: 'limit', notReserved: 112 * MIB });
  });

  it('is a true shortage where the device would not have it either', () => {
    const options = { torch: '2.14', conf: 'per_process_memory_fraction:0.5' } as const;
    expect(story(options, 400, 700).kind).toBe('true-shortage');
    expect(story({ torch: '2.14' }, 400, 700).kind).toBe('true-shortage');
  });

  it('is no limit on the side where the request still fits under it', () => {
    const options = { torch: '2.14', conf: 'per_process_memory_fraction:0.5' } as const;
    expect(() => story(options, 400, 112)).toThrow('not refused');
    expect(story(options, 400, 114)).toMatchObject({ kind: 'limit', notReserved: 112 * MIB });
  });
});
