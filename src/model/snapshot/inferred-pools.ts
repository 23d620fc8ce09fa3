/**
 * Private pools (CUDA graphs, torch.cuda.MemPool) of a run whose trace does not name them and whose segments may be gone
 * from the file. The allocator takes the best free block of its pool; a block that it passed over belongs to another one.
 * Each such pair of segments is an edge of a graph, and pools are its colours:
 *
 *     entry 90: 20 MiB in a new segment B, while A had a free block of 24 MiB      A - B
 *
 * Any colouring explains every address. Among them the one is taken in which allocations that follow each other share a
 * pool where they can, because a pool is opened, used and closed.
 */
import { ACTION, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { type Area, type Piece, RecordedLayout } from './recorded-layout.js';
import { isRecordedExpandable, recordedDivisions } from './recorded-settings.js';
import { type StartHeap } from './start-heap.js';
import { type TorchVersion } from '../allocator/caching/oom-text.js';
import { privatePoolOf } from './recorded-pools.js';

/** Numbers of inferred pools begin here: no file has such. */
const FIRST_INFERRED = 2 ** 40;
const COMMON = 0;

export interface InferredPools {
  /** Pool of an allocation, failure, segment_alloc or segment_free; undefined for the common pools. */
  readonly of: (event: number) => number | undefined;
  /** Pool of a segment at the start of the trace, by its address. */
  readonly atStart: (address: number) => number | undefined;
  /** Private pools that no segment of the file names. */
  readonly count: number;
  /** Allocations that lie in segments of private pools. */
  readonly allocations: number;
}

/** Pools that explain which free blocks were passed over; undefined where the common ones explain all. */
export function inferPools(
  snapshot: RecordedSnapshot,
  trace: RecordedTrace,
  start: StartHeap,
  torch: TorchVersion,
): InferredPools | undefined {
  const evidence = new Evidence(snapshot, trace, start, torch);
  evidence.gather();
  const pools = new Colouring(snapshot, trace, evidence).run();
  const allocations = countAllocations(trace, pools.of);
  return allocations === 0 && pools.count === 0 ? undefined : { ...pools, allocations };
}

function countAllocations({ action, count }: RecordedTrace, of: (event: number) => number | undefined): number {
  let total = 0;
  for (let event = 0; event < count; event++) if (action[event] === ACTION.alloc && of(event) !== undefined) total++;
  return total;
}

/** What a trace shows of segments that cannot share a pool. */
class Evidence {
  readonly layout: RecordedLayout;
  /** Area of each entry that has one, -1 otherwise. */
  readonly areaOf: Int32Array;
  /** Areas of other pools, by area. */
  readonly others = new Map<number, Set<number>>();
  /** Areas that a flush left alone although they were free as a whole. */
  readonly isPrivate = new Set<number>();
  /** Areas at the start. */
  readonly atStart: number;
  /** Failures before which nothing went back although something could have: an open pool does not flush (2.6). */
  readonly unflushed = new Set<number>();
  /** Failures before which memory went back. */
  readonly flushed = new Set<number>();
  readonly #trace: RecordedTrace;
  readonly #torch: TorchVersion;
  readonly #maxSplit: number;
  readonly #nonSplitRounding: number;
  readonly #releasesSome: boolean;
  /** Addresses of this operation's new segments, and what else happened before its allocation. */
  readonly #fresh = new Set<number>();
  #gaveBack = false;
  #completed = false;

  constructor(snapshot: RecordedSnapshot, trace: RecordedTrace, start: StartHeap, torch: TorchVersion) {
    const limit = snapshot.settings?.maxSplitSize ?? -1;
    this.#maxSplit = limit > 0 ? limit : Infinity;
    this.#nonSplitRounding = 20 * 2 ** 20;
    this.#releasesSome = limit > 0 || (snapshot.settings?.garbageCollectionThreshold ?? 0) > 0;
    this.#trace = trace;
    this.#torch = torch;
    this.areaOf = new Int32Array(trace.count).fill(-1);
    this.layout = new RecordedLayout(start, {
      divisions: recordedDivisions(snapshot),
      maxSplit: this.#maxSplit,
      expandable: isRecordedExpandable(snapshot),
    });
    this.atStart = this.layout.areas.length;
    const areas = [...this.layout.live];
    areas.forEach((area, index) => {
      this.#partRange(area, areas.slice(0, index));
    });
  }

  gather(): void {
    const { action, addr, count } = this.#trace;
    for (let event = 0; event < count; event++) {
      const what = action[event];
      if (what === ACTION.freeRequested) this.#endFlush();
      if (what === ACTION.alloc) this.#look(event);
      if (what === ACTION.oom && this.#gaveBack) this.flushed.add(event);
      if (what === ACTION.oom && !this.#gaveBack && this.#couldGiveBack()) this.unflushed.add(event);
      if (what === ACTION.alloc || what === ACTION.oom) this.#endFlush();
      if (what === ACTION.segmentFree || what === ACTION.segmentUnmap) this.#note(event, addr[event]!);
      const before = this.layout.areas.length;
      if (!this.layout.apply(this.#trace, event)) return;
      if (what === ACTION.segmentAlloc) this.#fresh.add(addr[event]!);
      if (what === ACTION.segmentAlloc || what === ACTION.segmentMap || what === ACTION.alloc)
        this.#note(event, addr[event]!);
      const opened = this.layout.areas[before];
      if (opened !== undefined) this.#partRange(opened, this.layout.live);
      if (what === ACTION.freeCompleted) this.#completed = true;
      if (what === ACTION.segmentFree || what === ACTION.segmentUnmap) this.#gaveBack = true;
    }
    this.#endFlush();
  }

  #note(event: number, address: number): void {
    this.areaOf[event] = this.layout.at(address)?.area.number ?? -1;
  }

  /** What the allocation of this entry passed over is not of its pool. */
  #look(event: number): void {
    const taken = this.layout.at(this.#trace.addr[event]!);
    if (taken?.isFree !== true || taken.area.isMapped) return;
    const size = this.layout.rounded(this.#trace.size[event]!);
    const isFresh = this.#fresh.has(taken.address);
    // A retry may complete frees after its search: then a free block now says nothing of it.
    if (isFresh && this.#gaveBack && this.#completed) return;
    for (const hole of this.layout.fitting(taken.area, size)) {
      if (!isFresh && !this.#isBefore(hole, taken)) return;
      if (hole.area === taken.area || hole.area.isMapped) continue;
      if (!isFresh || this.#accepts(size, hole.size)) this.#part(hole.area, taken.area);
    }
  }

  /** The order of the search; the newer one takes the older of two segments before the lower address. */
  #isBefore(hole: Piece, taken: Piece): boolean {
    if (hole.size !== taken.size) return hole.size < taken.size;
    if (this.#torch === '2.6' || hole.area === taken.area) return hole.address < taken.address;
    return hole.area.number < taken.area.number;
  }

  #accepts(size: number, hole: number): boolean {
    if (size < this.#maxSplit) return hole < this.#maxSplit;
    return hole < size + this.#nonSplitRounding;
  }

  /** Two expandable segments of one stream and size class at a time are of two pools. */
  #partRange(area: Area, others: Iterable<Area>): void {
    if (!area.isMapped) return;
    for (const other of others) {
      if (other === area || !other.isMapped || other.stream !== area.stream || other.isSmall !== area.isSmall) continue;
      this.#part(area, other);
    }
  }

  #part(a: Area, b: Area): void {
    for (const [from, to] of [
      [a.number, b.number],
      [b.number, a.number],
    ] as const) {
      const known = this.others.get(from);
      if (known === undefined) this.others.set(from, new Set([to]));
      else known.add(to);
    }
  }

  /** After memory went back: what was free as a whole and stayed belongs to a pool in use. */
  #endFlush(): void {
    if (this.#gaveBack && !this.#releasesSome) {
      for (const area of this.#wholes()) if (!this.#fresh.has(area.start)) this.isPrivate.add(area.number);
    }
    this.#gaveBack = false;
    this.#completed = false;
    this.#fresh.clear();
  }

  #couldGiveBack(): boolean {
    return (
      this.#wholes().length > 0 || [...this.layout.live].some((area) => area.isMapped && this.layout.hasFreePage(area))
    );
  }

  #wholes(): Area[] {
    return [...this.layout.live].filter((area) => {
      const piece = this.layout.at(area.start);
      return !area.isMapped && piece?.isFree === true && piece.size === area.reserved;
    });
  }
}

/** Gives each area a pool. */
class Colouring {
  readonly #snapshot: RecordedSnapshot;
  readonly #trace: RecordedTrace;
  readonly #evidence: Evidence;
  readonly #pools: (number | undefined)[];
  /** Private pools, the one used last at the end. */
  readonly #known: number[] = [];
  #count = 0;

  constructor(snapshot: RecordedSnapshot, trace: RecordedTrace, evidence: Evidence) {
    this.#snapshot = snapshot;
    this.#trace = trace;
    this.#evidence = evidence;
    this.#pools = evidence.layout.areas.map(() => undefined);
  }

  run(): Omit<InferredPools, 'allocations'> {
    this.#takeNamed();
    const { areas } = this.#evidence.layout;
    for (let number = 0; number < this.#evidence.atStart; number++) this.#choose(number, COMMON);
    const { areaOf, unflushed, flushed } = this.#evidence;
    const { action, count } = this.#trace;
    let current = COMMON;
    const failures = new Map<number, number>();
    for (let event = 0; event < count; event++) {
      const number = areaOf[event]!;
      if (number >= 0) this.#choose(number, current);
      if (action[event] === ACTION.alloc && number >= 0) current = this.#pools[number] ?? COMMON;
      if (action[event] === ACTION.oom) failures.set(event, flushed.has(event) ? COMMON : current);
    }
    for (const event of unflushed) if (failures.get(event) === COMMON) failures.set(event, this.#poolAfter(event));
    const poolOf = (number: number): number | undefined => {
      const pool = this.#pools[number];
      return pool === COMMON ? undefined : pool;
    };
    const starts = new Map(areas.slice(0, this.#evidence.atStart).map((area) => [area.start, area.number]));
    return {
      count: this.#count,
      of: (event) => {
        const failed = failures.get(event);
        if (failed !== undefined) return failed === COMMON ? undefined : failed;
        return areaOf[event] === -1 ? undefined : poolOf(areaOf[event]!);
      },
      atStart: (address) => {
        const number = starts.get(address) ?? areas.find(({ start, end }) => start <= address && address < end)?.number;
        return number === undefined ? undefined : poolOf(number);
      },
    };
  }

  /** Pool of the next allocation that succeeds. */
  #poolAfter(event: number): number {
    for (let next = event + 1; next < this.#trace.count; next++) {
      const number = this.#evidence.areaOf[next]!;
      if (this.#trace.action[next] === ACTION.alloc) return this.#pools[number] ?? COMMON;
    }
    return COMMON;
  }

  /** The segments of the file say theirs. */
  #takeNamed(): void {
    for (const area of this.#evidence.layout.live) {
      const segment = this.#snapshot.segments.find(
        ({ device, address }) => device === this.#trace.device && address >= area.start && address < area.end,
      );
      if (segment === undefined) continue;
      const pool = privatePoolOf(segment.pool) ?? COMMON;
      this.#pools[area.number] = pool;
      if (pool !== COMMON && !this.#known.includes(pool)) this.#known.push(pool);
    }
  }

  #choose(number: number, current: number): void {
    const chosen = this.#pools[number] ?? this.#allowed(number, current);
    this.#pools[number] = chosen;
    if (chosen === COMMON) return;
    const place = this.#known.indexOf(chosen);
    if (place >= 0) this.#known.splice(place, 1);
    this.#known.push(chosen);
  }

  #allowed(number: number, current: number): number {
    const { others, isPrivate } = this.#evidence;
    const taken = new Set([...(others.get(number) ?? [])].map((other) => this.#pools[other]));
    if (isPrivate.has(number)) taken.add(COMMON);
    const free = [current, COMMON, ...this.#known.toReversed()].find((pool) => !taken.has(pool));
    if (free !== undefined) return free;
    return FIRST_INFERRED + this.#count++;
  }
}
