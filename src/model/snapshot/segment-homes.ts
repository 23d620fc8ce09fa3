/**
 * Which stream and pool a recorded segment belongs to. Of segments that are in the file it says so itself; of those that
 * were given back before it was written, the entries of the trace tell, or their neighbours.
 */
import { SMALL_SEGMENT, SMALL_SIZE } from '../allocator/caching/rounding.js';
import { privatePoolOf, RecordedPools } from './recorded-pools.js';
import { ACTION, type RecordedSegment, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';

/** Where a segment or mapped part belongs. */
export interface Home {
  readonly stream: number;
  readonly isSmall: boolean;
  readonly privatePool: number | undefined;
}

/** What is known of streams and pools by address. */
export class Homes {
  readonly #fixed = new Map<number, Home>();
  /** Mapped parts by address, in order. */
  readonly #mapped: { readonly address: number; readonly home: Home }[] = [];
  /** Addresses that were mapped at some time, by pool. */
  readonly #addresses = new Map<string, number[]>();
  /** Bytes of addresses that an expandable segment reserves. */
  readonly #reach: number;
  readonly #pools: RecordedPools;

  constructor(snapshot: RecordedSnapshot, trace: RecordedTrace, available: number | undefined) {
    this.#reach = available === undefined ? Infinity : available + Math.floor(available / 8);
    this.#pools = new RecordedPools(snapshot, trace);
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
      this.#fixed.set(address, { stream: trace.stream[event]!, isSmall, privatePool: this.#pools.of(event) });
    }
    if (action !== ACTION.segmentMap) return;
    const next = nextAllocation(trace, event);
    if (next === undefined) return;
    const isSmall = trace.size[next]! <= SMALL_SIZE;
    this.#addMapped(address, { stream: trace.stream[event]!, isSmall, privatePool: this.#pools.of(next) });
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
