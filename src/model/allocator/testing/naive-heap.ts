/** What the naive caching allocator is made of: segments that are lists of blocks in address order. For tests only. */
export interface NaiveBlock {
  address: number;
  size: number;
  requested: number;
  /** `awaiting`: freed by the program, not yet by the streams that it was recorded on. */
  state: 'used' | 'free' | 'awaiting' | 'unmapped';
  /** Searches of its pool when it became free. */
  freedAt: number;
  /** Other streams that use it, each with whether it was recorded while a private pool was open. */
  readonly streams: Map<number, boolean>;
  /** Events that it waits for. */
  events: number;
}

export interface NaivePool {
  readonly isSmall: boolean;
  /** Number of the private pool; undefined for the common ones. */
  readonly owner: number | undefined;
  searches: number;
}

export interface NaiveSegment {
  readonly address: number;
  readonly size: number;
  readonly stream: number;
  readonly pool: NaivePool;
  /** Bytes of a page; undefined for a segment that is all memory. */
  readonly page: number | undefined;
  blocks: NaiveBlock[];
}

export const newBlock = (address: number, size: number, state: NaiveBlock['state'], freedAt: number): NaiveBlock => ({
  address,
  size,
  requested: 0,
  state,
  freedAt,
  streams: new Map(),
  events: 0,
});

/** Free neighbours become one, and so do unmapped ones. */
export function join(segment: NaiveSegment): void {
  const joined: NaiveBlock[] = [];
  for (const each of segment.blocks) {
    const last = joined[joined.length - 1];
    if (last?.state === each.state && (each.state === 'free' || each.state === 'unmapped')) {
      last.size += each.size;
      last.freedAt = segment.pool.searches;
    } else joined.push(each);
  }
  segment.blocks = joined;
}

/** Bytes of a segment that have memory behind them. */
export const mappedBytes = ({ blocks }: NaiveSegment): number =>
  blocks.reduce((sum, { size, state }) => sum + (state === 'unmapped' ? 0 : size), 0);
