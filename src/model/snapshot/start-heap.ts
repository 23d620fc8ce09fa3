/**
 * The heap of a device when its trace began, with exact block sizes: the trace is run backwards from the final segments
 * and forwards again, so that later addresses show what the blocks of the start held. Streams and pools of segments that
 * were given back meanwhile come from the entries that gave them back.
 */
import { type StartBlock, type StartSegment } from '../allocator/caching/adopt.js';
import { SMALL_SIZE } from '../allocator/caching/rounding.js';
import { ACTION, type RecordedSegment, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { type LiveBlock, RecordedWorld } from './recorded-world.js';

const SMALL_SEGMENT = 2 * 2 ** 20;

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

/** Where a segment or mapped part belongs. */
interface Home {
  readonly stream: number;
  readonly isSmall: boolean;
  readonly privatePool: number | undefined;
}

/** Number of a private pool; undefined for the common ones. */
export const privatePoolOf = ([graph, user]: readonly [number, number]): number | undefined =>
  graph === 0 && user === 0 ? undefined : graph * 2 ** 20 + user;

/** The heap before the first entry of this trace. */
export function startHeap(snapshot: RecordedSnapshot, trace: RecordedTrace): StartHeap {
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

function availableBytes(trace: RecordedTrace, reservedAtStart: number): number | undefined {
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

/** What is known of streams and pools by address. */
class Homes {
  readonly #fixed = new Map<number, Home>();
  /** Mapped parts by address, in order. */
  readonly #mapped: { readonly address: number; readonly home: Home }[] = [];
  /** Addresses that were mapped at some time, by pool. */
  readonly #addresses = new Map<string, number[]>();
  /** Bytes of addresses that an expandable segment reserves. */
  readonly #reach: number;

  constructor(snapshot: RecordedSnapshot, trace: RecordedTrace, available: number | undefined) {
    this.#reach = available === undefined ? Infinity : available + Math.floor(available / 8);
    const final = snapshot.segments.filter(({ device }) => device === trace.device);
    for (const segment of final) {
      if (segment.expandable) this.#addMapped(segment.address, homeOf(segment));
      else this.#fixed.set(segment.address, homeOf(segment));
    }
    for (let event = 0; event < trace.count; event++) this.#learn(trace, event);
    this.#mapped.sort((a, b) => a.address - b.address);
    for (let event = 0; event < trace.count; event++) {
      // Which pool unmapped memory belonged to is known only from its neighbours.
      if (trace.action[event] !== ACTION.segmentUnmap) continue;
      const address = trace.addr[event]!;
      this.#note(this.of(address, 0, true), address);
    }
    for (const addresses of this.#addresses.values()) addresses.sort((a, b) => a - b);
  }

  of(address: number, size: number, isMapped: boolean): Home {
    if (!isMapped) {
      return this.#fixed.get(address) ?? { stream: 0, isSmall: size === SMALL_SEGMENT, privatePool: undefined };
    }
    return this.#nearest(address)?.home ?? { stream: 0, isSmall: false, privatePool: undefined };
  }

  /**
   * Where the reserved addresses begin: memory is mapped from the low end on, so at the lowest address of the pool; at
   * the next one out of its reach there is another reservation.
   */
  rangeBase(home: Home, address: number): number {
    let base = address;
    let isFirst = true;
    for (const mapped of this.#addresses.get(keyOf(home)) ?? []) {
      if (mapped > address) break;
      if (isFirst || mapped >= base + this.#reach) base = mapped;
      isFirst = false;
    }
    return base;
  }

  #learn(trace: RecordedTrace, event: number): void {
    const address = trace.addr[event]!;
    const action = trace.action[event];
    if (action === ACTION.segmentFree && !this.#fixed.has(address)) {
      const isSmall = trace.size[event] === SMALL_SEGMENT;
      this.#fixed.set(address, { stream: trace.stream[event]!, isSmall, privatePool: undefined });
    }
    if (action !== ACTION.segmentMap) return;
    const next = nextAllocation(trace, event);
    if (next === undefined) return;
    const isSmall = trace.size[next]! <= SMALL_SIZE;
    this.#addMapped(address, { stream: trace.stream[event]!, isSmall, privatePool: undefined });
  }

  #addMapped(address: number, home: Home): void {
    this.#mapped.push({ address, home });
    this.#note(home, address);
  }

  #note(home: Home, address: number): void {
    const known = this.#addresses.get(keyOf(home));
    if (known === undefined) this.#addresses.set(keyOf(home), [address]);
    else known.push(address);
  }

  #nearest(address: number): { readonly address: number; readonly home: Home } | undefined {
    let best: { readonly address: number; readonly home: Home } | undefined;
    for (const part of this.#mapped) {
      if (best === undefined || Math.abs(part.address - address) < Math.abs(best.address - address)) best = part;
    }
    return best;
  }
}

const keyOf = ({ stream, isSmall, privatePool }: Home): string => `${stream}/${String(isSmall)}/${privatePool ?? ''}`;

const homeOf = ({ stream, type, pool }: RecordedSegment): Home => ({
  stream,
  isSmall: type === 'small',
  privatePool: privatePoolOf(pool),
});

/** The allocation that memory was mapped for. */
function nextAllocation(trace: RecordedTrace, event: number): number | undefined {
  for (let next = event + 1; next < trace.count; next++) {
    const action = trace.action[next];
    if (action === ACTION.alloc || action === ACTION.oom) return next;
    if (action === ACTION.freeRequested) return undefined;
  }
  return undefined;
}
