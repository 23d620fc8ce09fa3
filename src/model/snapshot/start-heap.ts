/**
 * The heap of a device when its trace began, with exact block sizes: the trace is run backwards from the final segments
 * and forwards again, so that later addresses show what the blocks of the start held. Streams and pools of segments that
 * were given back meanwhile come from the entries that gave them back.
 */
import { type StartBlock, type StartSegment } from '../allocator/caching/adopt.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { type LiveBlock, RecordedWorld } from './recorded-world.js';
import { Homes } from './segment-homes.js';

export interface StartHeap {
  readonly segments: readonly StartSegment[];
  /** Blocks in use when the trace began, freed ones that a stream still used included. */
  readonly blocks: readonly (StartBlock & { readonly stream: number })[];
  /** Addresses of blocks that were freed before the trace began and wait for a stream. */
  readonly pending: readonly number[];
  readonly inferredSlackBlocks: number;
  /** What this process could have: most of reserved plus the device's free bytes at a failure; undefined without one. */
  readonly available: number | undefined;
  /** Entries that contradict the blocks: the trace was cut or mixed. */
  readonly contradictions: number;
}

/** A trace belongs to one snapshot and neither changes: what was found once is not searched again. */
const known = new WeakMap<RecordedTrace, StartHeap>();

/** The heap before the first entry of this trace. */
export function startHeap(snapshot: RecordedSnapshot, trace: RecordedTrace): StartHeap {
  const start = known.get(trace) ?? rebuilt(snapshot, trace);
  known.set(trace, start);
  return start;
}

function rebuilt(snapshot: RecordedSnapshot, trace: RecordedTrace): StartHeap {
  const world = new RecordedWorld(snapshot, trace.device);
  for (let event = trace.count - 1; event >= 0; event--) world.undo(trace, event);
  world.begin();
  const areas: { start: number; end: number; blocks: (readonly [number, LiveBlock, boolean])[]; isMapped: boolean }[] =
    [];
  world.forEachArea((start, end, blocks, isMapped) => {
    areas.push({ start, end, isMapped, blocks: blocks.map(([at, block]) => [at, block, block.pending]) });
  });
  for (let event = 0; event < trace.count; event++) world.redo(trace, event);
  const reserved = areas.reduce((sum, { start, end }) => sum + end - start, 0);
  const available = availableBytes(trace, reserved);
  const homes = new Homes(snapshot, trace, available);
  const segments = areas.map(({ start, end, blocks, isMapped }): StartSegment => {
    const home = homes.of(start, end - start, isMapped);
    const tiles = tiled(start, end, blocks);
    return {
      ...home,
      address: start,
      size: end - start,
      rangeBase: isMapped ? homes.rangeBase(home, start) : undefined,
      blocks: tiles,
    };
  });
  return {
    segments,
    blocks: segments.flatMap(({ stream, blocks }) =>
      blocks.filter(({ isFree }) => !isFree).map((block) => ({ ...block, stream })),
    ),
    pending: areas.flatMap(({ blocks }) => blocks.filter(([, , pending]) => pending).map(([address]) => address)),
    available,
    inferredSlackBlocks: world.inferredSlackBlocks,
    contradictions: world.contradictions,
  };
}

/** Most of reserved plus the device's free bytes at a failure; undefined without one. */
export function availableBytes(trace: RecordedTrace, reservedAtStart: number): number | undefined {
  let reserved = reservedAtStart;
  let most: number | undefined;
  for (let event = 0; event < trace.count; event++) {
    const action = trace.action[event];
    const size = trace.size[event]!;
    if (action === ACTION.segmentAlloc || action === ACTION.segmentMap) reserved += size;
    else if (action === ACTION.segmentFree || action === ACTION.segmentUnmap) reserved -= size;
    else if (action === ACTION.oom && trace.addr[event]! >= 0) {
      most = Math.max(most ?? 0, reserved + trace.addr[event]!);
    }
  }
  return most;
}

/** Blocks with the free ones between them. Blocks of a file that overlap are cut to what is left for them. */
function tiled(start: number, end: number, blocks: readonly (readonly [number, LiveBlock, boolean])[]): StartBlock[] {
  const tiles: StartBlock[] = [];
  let at = start;
  const free = (to: number): void => {
    if (to > at) tiles.push({ address: at, size: to - at, requested: 0, isFree: true });
  };
  for (const [address, block] of blocks) {
    if (address < at) continue;
    free(address);
    const size = Math.min(block.size, end - address);
    tiles.push({ address, size, requested: Math.min(block.requested, size), isFree: false });
    at = address + size;
  }
  free(end);
  return tiles;
}
