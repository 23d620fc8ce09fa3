import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../../base/random.js';
import { type Heap, type HeapBlock } from '../../allocator/allocator.js';
import { type Need } from '../../trace/frees.js';
import { frees } from './hole.js';

const UNIT = 512;

/** `A2 .1 B4`: blocks of so many units, `.` free. */
function segmentOf(text: string, address: number, handles: { next: number }, stream = 0): Heap['segments'][number] {
  let at = address;
  const blocks = text.split(' ').map((word): HeapBlock => {
    const size = Number(word.slice(1)) * UNIT;
    const isFree = word.startsWith('.');
    const block: HeapBlock = {
      address: at,
      size,
      requested: size,
      state: isFree ? 'free' : 'allocated',
      handle: isFree ? -1 : handles.next++,
    };
    at += size;
    return block;
  });
  return { address, size: at - address, stream, pool: 'large', expandable: false, blocks };
}

function heapOf(...texts: string[]): Heap {
  const handles = { next: 0 };
  return { segments: texts.map((text, index) => segmentOf(text, index * 2 ** 30, handles)) };
}

const need = (units: number, more: Partial<Need> = {}): Need => ({
  size: units * UNIT,
  segment: units * UNIT,
  available: 0,
  pool: 'large',
  stream: 0,
  maxSplit: Infinity,
  ...more,
});

describe('the fewest frees that make room', () => {
  it('join as many blocks as it takes, exactly', () => {
    const answer = frees(heapOf('A9 .1 A1 A1 A1 A1 A1 .1 A9 A9 A9 A9 A9'), need(7));
    expect(answer).toMatchObject({ isExact: true, leastFrees: 1, set: { kind: 'join' } });
    const far = frees(heapOf('A1 A1 A1 A1 A1 A1 A1 A1'), need(5, { segment: 100 * UNIT }));
    expect(far).toMatchObject({ isExact: true, leastFrees: 5, set: { kind: 'join' } });
    expect(far?.set.blocks).toHaveLength(5);
  });

  it('empty whole segments where no hole can be joined, with the bound of any choice', () => {
    const answer = frees(heapOf('A1 A1 .2', 'A1 A1 .2', 'A1 A1 .2'), need(10));
    expect(answer).toMatchObject({ leastFrees: 5, isExact: false, set: { kind: 'release', room: 12 * UNIT } });
    expect(answer?.set.blocks).toHaveLength(6);
  });

  it('do not exist where all memory is not enough', () => {
    expect(frees(heapOf('A1 A1 .2'), need(5))).toBeUndefined();
  });

  it('are never fewer than their bound, and never more than any window takes', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = mulberry32(seed);
      const words = Array.from({ length: 12 }, () => `${random() % 3 === 0 ? '.' : 'A'}${1 + (random() % 4)}`);
      const heap = heapOf(words.join(' ').replace(/\.(\d) \.(\d)/g, '.$1 A$2'));
      const wanted = need(4 + (random() % 20), { segment: 10_000 * UNIT });
      const answer = frees(heap, wanted);
      const shortest = bruteForce(heap.segments[0]?.blocks ?? [], wanted.size);
      expect(answer?.set.blocks.length).toBe(shortest);
      if (answer !== undefined) expect(answer.leastFrees).toBeLessThanOrEqual(answer.set.blocks.length);
    }
  });
});

/** Blocks in use of the window with the fewest; undefined where no window is long enough. */
function bruteForce(blocks: readonly HeapBlock[], size: number): number | undefined {
  let best: number | undefined;
  for (let from = 0; from < blocks.length; from++) {
    let room = 0;
    let used = 0;
    for (let to = from; to < blocks.length; to++) {
      room += blocks[to]?.size ?? 0;
      if (blocks[to]?.state === 'allocated') used++;
      if (room >= size && used > 0 && (best === undefined || used < best)) best = used;
    }
  }
  return best;
}
