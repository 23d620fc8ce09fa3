import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSnapshot } from './read-snapshot.js';
import { type RecordedSnapshot } from './recorded-snapshot.js';
import { pythonPickle, Tuple } from './testing/python-pickle.js';

/** Parts that segments and blocks share, so that some are met for the first time and others are known. */
const FRAMES = Array.from({ length: 4 }, (_, i) => ({ name: `f${i}`, filename: 'a.py', line: i * 300 }));
const STACKS = [[], FRAMES.slice(0, 1), FRAMES.slice(1, 4)];
const POOL = new Tuple([0, 0]);
const SHARED_BLOCK = { address: 2 ** 40, size: 512, requested_size: 500, state: 'inactive', frames: STACKS[0] };

const address = fc.nat(2 ** 20).map((n) => 2 ** 46 + 512 * n);
const size = fc.oneof(
  fc.nat(255),
  fc.nat(2 ** 16),
  fc.nat(2 ** 31 - 1),
  fc.constantFrom(2 ** 33, 2 ** 52, 2 ** 53 + 2),
);
const frames = fc.oneof(
  fc.constantFrom(...STACKS, undefined),
  fc.array(fc.constantFrom(...FRAMES, { name: 'odd', filename: 'b.py', line: 1, extra: 1 }), { maxLength: 3 }),
);

/** The members of a record in any order. */
const shuffled = <T extends object>(record: fc.Arbitrary<T>): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  record.chain((made) =>
    fc
      .shuffledSubarray(Object.entries(made), { minLength: Object.keys(made).length })
      .map((entries) => Object.fromEntries(entries)),
  );

const block = fc.oneof(
  { weight: 1, arbitrary: fc.constant(SHARED_BLOCK) },
  {
    weight: 9,
    arbitrary: shuffled(
      fc.record(
        {
          address,
          size,
          requested_size: size,
          state: fc.constantFrom('active_allocated', 'inactive', 'active_awaiting_free', 'unheard_of'),
          frames,
          unheard_of: fc.constantFrom(1, 'a', undefined),
        },
        { requiredKeys: ['size', 'state'] },
      ),
    ),
  },
);
const segment = shuffled(
  fc.record(
    {
      device: fc.nat(3),
      address,
      total_size: size,
      allocated_size: size,
      active_size: size,
      requested_size: size,
      stream: fc.constantFrom(0, 7, 2 ** 40),
      segment_type: fc.constantFrom('large', 'small'),
      segment_pool_id: fc.oneof(
        fc.constant(POOL),
        fc.tuple(fc.nat(70_000), fc.nat(300)).map((pair) => new Tuple(pair)),
      ),
      is_expandable: fc.boolean(),
      frames,
      blocks: fc.array(block, { maxLength: 5 }),
      unheard_of: fc.oneof(fc.nat(2 ** 40), fc.boolean(), fc.string(), fc.constantFrom(undefined, { a: [1] })),
      registration_counter: fc.nat(9),
    },
    { requiredKeys: ['address', 'total_size'] },
  ),
);

/** What a person sees of each segment and block, without the reader's numbers. */
function segmentsOf({ segments, blocks, strings, stacks }: RecordedSnapshot): unknown {
  const stackOf = (stack: number): unknown =>
    stack === -1
      ? 'none'
      : Array.from(stacks.framesOf(stack), (number) => {
          const { name, file, line } = stacks.frame(number);
          return [strings.text(name), strings.text(file), line];
        });
  return segments.map(({ stack, ...told }) => ({
    ...told,
    frames: stackOf(stack),
    blocks: Array.from({ length: told.blockCount }, (_, i) => {
      const row = told.firstBlock + i;
      return [
        blocks.segment[row],
        blocks.address[row],
        blocks.size[row],
        blocks.requested[row],
        blocks.state[row],
        stackOf(blocks.stack[row] ?? -1),
      ];
    }),
  }));
}

describe('segments of any shape', () => {
  it('read the same where whole segments are taken and where opcodes are taken one by one', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
        // Protocol 0 builds dictionaries key by key, so no whole segment is ever seen.
        const plain = segmentsOf(readSnapshot(pythonPickle({ segments }, 0), 'x'));
        for (const protocol of [2, 4, 5]) {
          expect(segmentsOf(readSnapshot(pythonPickle({ segments }, protocol), 'x'))).toEqual(plain);
        }
      }),
      { numRuns: 400, seed: 9 },
    );
  });

  it.each([999, 1000, 1001, 2000, 2001])('have all of %i blocks, which Python writes in batches of 1,000', (count) => {
    const blocks = Array.from({ length: count }, (_, i) => ({
      address: 2 ** 40 + 512 * i,
      size: 512,
      requested_size: i % 512,
      state: i % 2 === 0 ? 'inactive' : 'active_allocated',
      frames: STACKS[i % 3],
    }));
    const segments = [0, 1, 2].map((device) => ({ device, address: 2 ** 40, total_size: 512 * count, blocks }));
    const wide = segments.map((segment) => ({ ...segment, blocks: blocks.map((block) => ({ ...block })) }));
    const plain = segmentsOf(readSnapshot(pythonPickle({ segments }, 0), 'x'));
    expect(segmentsOf(readSnapshot(pythonPickle({ segments }, 4), 'x'))).toEqual(plain);
    expect(segmentsOf(readSnapshot(pythonPickle({ segments: wide }, 4), 'x'))).toEqual(plain);
  });
});

describe('settings', () => {
  it('read the same from every protocol, as far as they are of the usual kind', () => {
    const settings = {
      PYTORCH_CUDA_ALLOC_CONF: 'max_split_size_mb:64',
      PYTORCH_ALLOC_CONF: '',
      max_split_size: 2 ** 26,
      garbage_collection_threshold: 0.5,
      expandable_segments: true,
      roundup_power2_divisions: { '1': 0, '64': 4, '32768': 8 },
      pinned_num_register_threads: 1,
    };
    for (const protocol of [0, 1, 2, 3, 4, 5]) {
      const data = pythonPickle({ segments: [], allocator_settings: settings }, protocol);
      expect(readSnapshot(data, 'x').settings).toEqual({
        variables: [
          { variable: 'PYTORCH_CUDA_ALLOC_CONF', text: 'max_split_size_mb:64' },
          { variable: 'PYTORCH_ALLOC_CONF', text: '' },
        ],
        maxSplitSize: 2 ** 26,
        garbageCollectionThreshold: 0.5,
        expandable: true,
        divisions: [1, 0, 64, 4, 32768, 8],
      });
    }
  });

  it.each([
    ['none', undefined, undefined],
    ['a list', [1], undefined],
    ['others only', { max_split_size: 'a', expandable_segments: 1, roundup_power2_divisions: [] }, false],
  ])('that are %s count as not given', (_name, settings, expandable) => {
    const read = readSnapshot(pythonPickle({ segments: [], allocator_settings: settings }, 4), 'x').settings;
    expect(read?.expandable).toBe(expandable);
    expect(read?.maxSplitSize).toBeUndefined();
    expect(read?.divisions ?? []).toEqual([]);
  });
});
