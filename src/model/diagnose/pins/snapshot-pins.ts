/**
 * What keeps the cache from being given back, and which frees would have made room: at the failure where the trace has
 * one, else at its end.
 */
import { roundRequest, segmentSize, SMALL_SIZE } from '../../allocator/caching/rounding.js';
import { callFrames, callSite } from '../../snapshot/call-site.js';
import { type OomState } from '../../snapshot/oom-states.js';
import { type RecordedBlock, type RecordedHeap, recordedHeap } from '../../snapshot/recorded-heap.js';
import { recordedDivisions } from '../../snapshot/recorded-settings.js';
import { type RecordedSnapshot, type RecordedTrace } from '../../snapshot/recorded-snapshot.js';
import { pinsOf } from '../../trace/pins.js';
import { CATEGORY } from '../../trace/trace.js';
import { frees } from './hole.js';

/** A live block, as people look for it. */
export interface NamedBlock {
  readonly address: number;
  readonly size: number;
  readonly site: string;
  readonly frames: readonly string[];
  /** Entries since it was allocated; null: before the trace began. */
  readonly age_events: number | null;
  /** Microseconds; null where the trace has no times. */
  readonly age_us: number | null;
}

export interface PinnedSegment {
  readonly address: number;
  readonly size: number;
  readonly free: number;
  readonly largest_free: number;
  readonly live_blocks: number;
  /** The largest of them. */
  readonly blocks: readonly NamedBlock[];
}

export interface HoldingSite {
  readonly site: string;
  readonly blocks: number;
  readonly bytes: number;
  /** Free bytes of the segments that these blocks keep. */
  readonly held_free_bytes: number;
}

export interface SnapshotPins {
  readonly device: number;
  /** Entry of the trace; its length: the end. */
  readonly event: number;
  /** True at a failure, false at the end of the trace. */
  readonly at_failure: boolean;
  /** Segments that are partly free. */
  readonly segments: number;
  readonly held_free_bytes: number;
  /** Those with the most free bytes. */
  readonly worst: readonly PinnedSegment[];
  /** Places in the code whose blocks keep the most free bytes. */
  readonly sites: readonly HoldingSite[];
  /** Smallest set of frees that makes room for the failed request; null without one, or where none would. */
  readonly frees: NamedFrees | null;
}

export interface NamedFrees {
  readonly kind: 'join' | 'release';
  readonly needed: number;
  readonly room: number;
  readonly bytes: number;
  readonly count: number;
  /** Frees that any set needs at least; equal to `count` where it is known to be the smallest. */
  readonly least: number;
  readonly is_exact: boolean;
  readonly blocks: readonly NamedBlock[];
}

const MOST_SEGMENTS = 10;
const MOST_SITES = 10;
const MOST_BLOCKS = 8;

/** Pins at the failure, or at the end of the device's trace. */
export function snapshotPins(
  snapshot: RecordedSnapshot,
  trace: RecordedTrace,
  failure: OomState | undefined,
): SnapshotPins {
  const event = failure?.event ?? trace.count;
  const recorded = recordedHeap(snapshot, trace, event);
  const name = (block: RecordedBlock): NamedBlock => nameBlock(snapshot, trace, block, event);
  const blockAt = (handle: number): RecordedBlock => {
    const block = recorded.blocks[handle];
    if (block === undefined) throw new Error(`no recorded block ${handle}`);
    return block;
  };
  const pins = pinsOf(recorded.heap, (handle) => ({
    id: handle,
    operation: blockAt(handle).event,
    category: CATEGORY.unknown,
    label: '',
  }));
  return {
    device: trace.device,
    event,
    at_failure: failure !== undefined,
    segments: pins.length,
    held_free_bytes: pins.reduce((sum, { free }) => sum + free, 0),
    worst: pins.slice(0, MOST_SEGMENTS).map(({ address, size, free, largestFree, tensors }) => ({
      address,
      size,
      free,
      largest_free: largestFree,
      live_blocks: tensors.length,
      blocks: tensors.slice(0, MOST_BLOCKS).map(({ id }) => name(blockAt(id))),
    })),
    sites: holdingSites(
      snapshot,
      pins.map(({ free, tensors }) => ({ free, blocks: tensors.map(({ id }) => blockAt(id)) })),
    ),
    frees: failure === undefined ? null : namedFrees(snapshot, trace, failure, recorded, (h) => name(blockAt(h))),
  };
}

function holdingSites(
  snapshot: RecordedSnapshot,
  segments: readonly { readonly free: number; readonly blocks: readonly RecordedBlock[] }[],
): HoldingSite[] {
  const sites = new Map<string, { site: string; blocks: number; bytes: number; held_free_bytes: number }>();
  for (const { free, blocks } of segments) {
    const here = new Set<string>();
    for (const { stack, size } of blocks) {
      const site = callSite(snapshot, stack);
      const state = sites.get(site) ?? { site, blocks: 0, bytes: 0, held_free_bytes: 0 };
      sites.set(site, state);
      state.blocks++;
      state.bytes += size;
      if (!here.has(site)) state.held_free_bytes += free;
      here.add(site);
    }
  }
  return [...sites.values()].sort((a, b) => b.held_free_bytes - a.held_free_bytes).slice(0, MOST_SITES);
}

function namedFrees(
  snapshot: RecordedSnapshot,
  trace: RecordedTrace,
  failure: OomState,
  { heap }: RecordedHeap,
  name: (handle: number) => NamedBlock,
): NamedFrees | null {
  const size = roundRequest(failure.tried_bytes, recordedDivisions(snapshot));
  const limit = snapshot.settings?.maxSplitSize ?? -1;
  const found = frees(heap, {
    size,
    segment: segmentSize(size, LARGE_SEGMENT),
    available: Number.isNaN(failure.device_free_bytes) ? 0 : failure.device_free_bytes,
    pool: size <= SMALL_SIZE ? 'small' : 'large',
    stream: trace.stream[failure.event] ?? 0,
    maxSplit: limit > 0 ? limit : Infinity,
  });
  if (found === undefined) return null;
  const { set, leastFrees, isExact } = found;
  return {
    kind: set.kind,
    needed: set.needed,
    room: set.room,
    bytes: set.bytes,
    count: set.blocks.length,
    least: leastFrees,
    is_exact: isExact,
    blocks: set.blocks.slice(0, MOST_BLOCKS).map(({ handle }) => name(handle)),
  };
}

/** Requests of 1 to 10 MiB share segments of this size. */
const LARGE_SEGMENT = 20 * 2 ** 20;

function nameBlock(
  snapshot: RecordedSnapshot,
  trace: RecordedTrace,
  { address, size, stack, event }: RecordedBlock,
  now: number,
): NamedBlock {
  const began = event === -1 ? NaN : (trace.time[event] ?? NaN);
  const age = (trace.time[Math.min(now, trace.count - 1)] ?? NaN) - began;
  return {
    address,
    size,
    site: callSite(snapshot, stack),
    frames: callFrames(snapshot, stack),
    age_events: event === -1 ? null : now - event,
    age_us: Number.isNaN(age) ? null : age,
  };
}
