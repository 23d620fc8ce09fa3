import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BfcAllocator } from '../allocator/bfc/bfc-allocator.js';
import { type BfcOptions } from '../allocator/bfc/options.js';
import { type FailureStory, storyOf } from './failure-story.js';
import { CATEGORY } from './trace.js';

const LIMIT = 64 * 256;
/** A step allocates so many bytes, or frees the n-th of the live blocks. */
const STEPS = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ size: fc.integer({ min: 1, max: 12 * 256 }) }) },
    { weight: 2, arbitrary: fc.record({ victim: fc.nat(20) }) },
  ),
  { minLength: 10, maxLength: 40 },
);
type Step = { readonly size: number } | { readonly victim: number };

/** Runs up to the first failure; its index, or undefined. The run is the same each time. */
function runUntilFailure(steps: readonly Step[], options: Partial<BfcOptions>) {
  const allocator = new BfcAllocator({ memoryLimit: LIMIT, ...options });
  const live: number[] = [];
  for (const step of steps) {
    if ('victim' in step) {
      const [handle] = live.splice(step.victim % Math.max(1, live.length), 1);
      if (handle !== undefined) allocator.free(handle);
      continue;
    }
    const handle = allocator.malloc(step.size);
    if (handle < 0) return { allocator, live, size: step.size };
    live.push(handle);
  }
  return undefined;
}

function storyAfter(steps: readonly Step[], options: Partial<BfcOptions> = {}): FailureStory | undefined {
  const run = runUntilFailure(steps, options);
  if (run === undefined) return undefined;
  const failure = run.allocator.lastFailure();
  if (failure === undefined) throw new Error('a failure without an account');
  const factOf = (handle: number) => ({
    id: handle,
    label: `block ${handle}`,
    category: CATEGORY.unknown,
    operation: 0,
  });
  return storyOf({
    allocator: run.allocator,
    failure,
    heap: run.allocator.heap(),
    stream: 0,
    refused: factOf(-1),
    factOf,
    allowed: LIMIT,
  });
}

function succeeds(steps: readonly Step[], options: Partial<BfcOptions>, freed: readonly number[]): boolean {
  const run = runUntilFailure(steps, options);
  if (run === undefined) throw new Error('the run fails each time');
  for (const handle of freed) run.allocator.free(handle);
  return run.allocator.malloc(run.size) >= 0;
}

/** All sets of so many of the items. */
function* choose(items: readonly number[], count: number): Generator<number[]> {
  if (count === 0) yield [];
  else {
    for (let i = 0; i < items.length; i++) {
      for (const rest of choose(items.slice(i + 1), count - 1)) yield [items[i] ?? -1, ...rest];
    }
  }
}

describe('the frees that would have let a request succeed on BFC', () => {
  it.each([
    ['a fixed pool', {}],
    ['a growing pool that keeps its regions', { allowGrowth: true, garbageCollection: false }],
  ] as const)('are enough, and none fewer are: %s', (_, options) => {
    let named = 0;
    fc.assert(
      fc.property(STEPS, (steps) => {
        const story = storyAfter(steps, options);
        const live = runUntilFailure(steps, options)?.live;
        if (story === undefined || live === undefined) return;
        const sets = story.frees ?? [];
        for (const { blocks } of sets) {
          named++;
          const handles = blocks.map(({ handle }) => handle);
          expect(succeeds(steps, options, handles)).toBe(true);
        }
        // Sets of up to three are looked for.
        const smallest = sets[0]?.blocks.length ?? 4;
        for (let count = 0; count < smallest; count++) {
          for (const handles of choose(live, count)) expect(succeeds(steps, options, handles)).toBe(false);
        }
      }),
      { numRuns: 150, seed: 6 },
    );
    expect(named).toBeGreaterThan(20);
  });

  it('are of rounded sizes, and none gives a region back', () => {
    const story = storyAfter([
      { size: 8 * 256 },
      ...Array.from({ length: 8 }, () => ({ size: 7 * 256 })),
      { size: 257 },
    ]);
    expect(story).toMatchObject({ needed: 512, segment: undefined });
    expect(story?.frees?.every(({ kind, segments }) => kind === 'join' && segments.length === 0)).toBe(true);
    expect(story?.frees?.length).toBe(9);
  });

  it('are not told where a freed chunk cannot serve at once', () => {
    const steps = Array.from({ length: 9 }, () => ({ size: 8 * 256 }));
    expect(storyAfter(steps, {})?.frees).toHaveLength(8);
    expect(storyAfter(steps, { timingCounter: true })?.frees).toBeUndefined();
    expect(storyAfter(steps, { version: '2026', defaultAlignment: 512 })?.frees).toBeUndefined();
    expect(storyAfter(steps, { allowGrowth: true, garbageCollection: true })?.frees).toBeUndefined();
  });
});
