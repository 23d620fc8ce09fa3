/**
 * The heap of a recorded device at one moment of its trace, with what is known of each live block: where in the code it
 * was allocated, and how long ago. A block's handle is its place in `blocks`.
 */
import { type Heap, type HeapBlock, type HeapSegment } from '../allocator/allocator.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { RecordedWorld } from './recorded-world.js';
import { Homes } from './segment-homes.js';
import { availableBytes } from './start-heap.js';

export interface RecordedBlock {
  readonly address: number;
  readonly size: number;
  /** Call stack that allocated it; -1 where it is not known. */
  readonly stack: number;
  /** Entry that allocated it; -1: before the trace began. */
  readonly event: number;
}

export interface RecordedHeap {
  readonly heap: Heap;
  readonly blocks: readonly RecordedBlock[];
}

/** The heap before entry `event`; `trace.count` is the end. */
export function recordedHeap(snapshot: RecordedSnapshot, trace: RecordedTrace, event: number): RecordedHeap {
  const world = new RecordedWorld(snapshot, trace.device);
  for (let at = trace.count - 1; at >= 0; at--) world.undo(trace, at);
  world.begin();
  const allocated = new Map<number, number>();
  for (let at = 0; at < event; at++) {
    world.redo(trace, at);
    if (trace.action[at] === ACTION.alloc) allocated.set(trace.addr[at]!, at);
    else if (trace.action[at] === ACTION.freeCompleted) allocated.delete(trace.addr[at]!);
  }
  const homes = new Homes(snapshot, trace, availableBytes(trace, 0));
  const stacks = finalStacks(snapshot, trace.device);
  const blocks: RecordedBlock[] = [];
  const segments: HeapSegment[] = [];
  world.forEachArea((start, end, live, expandable) => {
    const { stream, isSmall, privatePool } = homes.of(start, end - start, expandable);
    const tiles: HeapBlock[] = [];
    let at = start;
    const free = (to: number): void => {
      if (to > at) tiles.push({ address: at, size: to - at, requested: 0, state: 'free', handle: -1 });
    };
    for (const [address, { size, requested, pending }] of live) {
      if (address < at) continue;
      free(address);
      const made = allocated.get(address) ?? -1;
      const stack = made === -1 ? (stacks.get(address) ?? -1) : trace.stack[made]!;
      const state = pending ? 'pending' : 'allocated';
      tiles.push({ address, size, requested, state, handle: pending ? -1 : blocks.length });
      if (!pending) blocks.push({ address, size, stack, event: made });
      at = address + size;
    }
    free(end);
    segments.push({
      address: start,
      size: end - start,
      stream,
      pool: isSmall ? 'small' : 'large',
      ...(privatePool === undefined ? {} : { privatePool }),
      expandable,
      blocks: tiles,
    });
  });
  return { heap: { segments }, blocks };
}

/** Stacks of the blocks in the file, by address. */
export function finalStacks({ segments, blocks }: RecordedSnapshot, device: number): Map<number, number> {
  const stacks = new Map<number, number>();
  for (const segment of segments) {
    if (segment.device !== device) continue;
    for (let row = segment.firstBlock; row < segment.firstBlock + segment.blockCount; row++) {
      stacks.set(blocks.address[row]!, blocks.stack[row]!);
    }
  }
  return stacks;
}
