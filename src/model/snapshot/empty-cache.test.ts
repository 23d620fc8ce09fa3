import { describe, expect, it } from 'vitest';
import { emptyCache } from './empty-cache.js';
import { readSnapshot } from './read-snapshot.js';
import { pythonPickle, Tuple } from './testing/python-pickle.js';

const MIB = 2 ** 20;
const FIRST = 0x7f00_0000_0000;
type State = 'inactive' | 'active_allocated' | 'active_pending_free';

interface Shape {
  readonly blocks: readonly (readonly [mib: number, state: State])[];
  readonly type?: 'small' | 'large';
  readonly pool?: readonly [number, number];
  readonly expandable?: boolean;
  /** Bytes that no block covers. */
  readonly missing?: number;
}

function given(...shapes: readonly Shape[]): ReturnType<typeof emptyCache> {
  const segments = shapes.map(({ blocks, type = 'large', pool = [0, 0], expandable = false, missing = 0 }, i) => {
    const address = FIRST + i * 2 ** 36;
    const sum = (...states: State[]): number =>
      MIB * blocks.reduce((total, [size, state]) => total + (states.includes(state) ? size : 0), 0);
    return {
      device: 0,
      address,
      total_size: MIB * blocks.reduce((total, [size]) => total + size, 0) + missing,
      allocated_size: sum('active_allocated'),
      active_size: sum('active_allocated', 'active_pending_free'),
      stream: 0,
      segment_type: type,
      segment_pool_id: new Tuple([...pool]),
      is_expandable: expandable,
      frames: [],
      blocks: blocks.map(([size, state], at) => ({
        address: address + MIB * blocks.slice(0, at).reduce((total, [before]) => total + before, 0),
        size: MIB * size,
        requested_size: MIB * size,
        state,
        frames: [],
      })),
    };
  });
  return emptyCache(readSnapshot(pythonPickle({ segments, device_traces: [] }, 4), 'x'));
}

describe('empty_cache()', () => {
  it('gives back segments that nothing uses, and no part of others', () => {
    expect(
      given(
        { blocks: [[20, 'inactive']] },
        {
          blocks: [
            [19, 'inactive'],
            [1, 'active_allocated'],
          ],
        },
      ),
    ).toEqual({
      given: 20 * MIB,
      afterWaiting: 0,
      privatePools: 0,
    });
  });

  it('waits for blocks that a stream still uses', () => {
    const waiting: Shape = {
      blocks: [
        [12, 'inactive'],
        [8, 'active_pending_free'],
      ],
    };
    expect(given(waiting)).toEqual({ given: 0, afterWaiting: 20 * MIB, privatePools: 0 });
  });

  it('leaves private pools alone', () => {
    expect(given({ blocks: [[20, 'inactive']], pool: [0, 1] })).toEqual({
      given: 0,
      afterWaiting: 0,
      privatePools: 20 * MIB,
    });
  });

  it('gives back whole pages inside the free blocks of expandable segments', () => {
    const blocks: Shape['blocks'] = [
      [1, 'active_allocated'],
      [59, 'inactive'],
      [1, 'active_allocated'],
      [19, 'inactive'],
    ];
    expect(given({ blocks, expandable: true }).given).toBe(40 * MIB);
    expect(given({ blocks }).given).toBe(0);
    // The same blocks with pages of the small pool: from 2 to 60 and from 62 to 80 MiB.
    expect(given({ blocks, expandable: true, type: 'small' }).given).toBe(76 * MIB);
  });

  it("goes by the segment's own sum where blocks were left out", () => {
    expect(given({ blocks: [[1, 'active_allocated']], missing: 49 * MIB, expandable: true }).given).toBe(0);
    expect(given({ blocks: [[1, 'inactive']], missing: 49 * MIB }).given).toBe(50 * MIB);
  });
});
