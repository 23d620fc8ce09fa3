import { describe, expect, it } from 'vitest';
import { readSnapshot } from './read-snapshot.js';
import { privatePoolOf, RecordedPools } from './recorded-pools.js';
import { pythonPickle, Tuple } from './testing/python-pickle.js';

const FIRST = 0x7f00_0000_0000;

function poolsOf(pool: readonly [number, number] | undefined, segmentPool: readonly [number, number]): RecordedPools {
  const segment = {
    device: 0,
    address: FIRST,
    total_size: 2 ** 21,
    stream: 0,
    segment_type: 'small',
    segment_pool_id: new Tuple([...segmentPool]),
    blocks: [{ address: FIRST, size: 2 ** 21, requested_size: 2 ** 21, state: 'active_allocated', frames: [] }],
  };
  const entry = { action: 'alloc', addr: FIRST + 512, size: 512, stream: 0, frames: [] };
  const entries = [pool === undefined ? entry : { ...entry, pool_id: new Tuple([...pool]) }];
  const snapshot = readSnapshot(pythonPickle({ segments: [segment], device_traces: [entries] }, 4), 'x');
  const [trace] = snapshot.traces;
  if (trace === undefined) throw new Error('one trace');
  return new RecordedPools(snapshot, trace);
}

describe('the private pool of a recorded allocation', () => {
  it('is what its entry says, whatever the segments at the end say', () => {
    expect(poolsOf([0, 3], [0, 0]).of(0)).toBe(privatePoolOf([0, 3]));
    expect(poolsOf([0, 0], [0, 3]).of(0)).toBeUndefined();
  });

  it('is that of the segment at its address where the entry says nothing', () => {
    expect(poolsOf(undefined, [7, 0]).of(0)).toBe(privatePoolOf([7, 0]));
    expect(poolsOf(undefined, [0, 0]).of(0)).toBeUndefined();
    expect(poolsOf(undefined, [7, 0]).at(FIRST + 2 ** 21)).toBeUndefined();
  });

  it('is another one for a graph than for a user of the same number', () => {
    expect(privatePoolOf([1, 0])).not.toBe(privatePoolOf([0, 1]));
    expect(privatePoolOf([0, 0])).toBeUndefined();
  });

  it('is looked for only where some is named', () => {
    expect(poolsOf([0, 3], [0, 0]).any).toBe(true);
    expect(poolsOf([0, 0], [0, 0]).any).toBe(false);
  });
});
