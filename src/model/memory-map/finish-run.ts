/** From who lived where to a whole run: tracks, checkpoints and categories, in one walk over all operations. */
import { GrowingInts } from './growing.js';
import {
  CATEGORY_COUNT,
  type CheckpointColumns,
  type MemoryRun,
  NEVER,
  type SegmentColumns,
  type TrackColumns,
} from './memory-run.js';
import { rowsByOperation, StateWalk } from './state-walk.js';

/** Living rows that all checkpoints hold together, about; fewer than one in 512 operations are not worth the room. */
const CHECKPOINT_ROWS = 6e6;
const SHORTEST_INTERVAL = 512;
const CATEGORY_INTERVAL = 64;

/** A run without what can be worked out from the rest. */
export type RunParts = Omit<MemoryRun, 'tracks' | 'checkpoints' | 'end'>;

/** Works tracks and checkpoints out. `events` has one value for each operation that was carried out. */
export function finishRun(parts: RunParts): MemoryRun {
  return { ...parts, end: parts.events.kind.length, ...new Finisher(parts).run() };
}

class Finisher {
  readonly #walk: StateWalk;
  readonly #end: number;
  readonly #deaths: Int32Array<ArrayBuffer>;
  readonly #frees: Int32Array<ArrayBuffer>;
  readonly #opened: Int32Array<ArrayBuffer>;
  readonly #closed: Int32Array<ArrayBuffer>;
  readonly #next = { birth: 0, free: 0, death: 0, opened: 0, closed: 0 };

  constructor(private readonly parts: RunParts) {
    const { blocks, segments, ranges, events } = parts;
    this.#end = events.kind.length;
    this.#walk = new StateWalk(blocks, segments, ranges);
    this.#deaths = rowsByOperation(blocks.diedAt, this.#end);
    this.#frees = rowsByOperation(blocks.freedAt, this.#end);
    const lasting = lastingRows(segments);
    this.#opened = lasting(rowsByOperation(segments.createdAt, this.#end));
    this.#closed = lasting(rowsByOperation(segments.releasedAt, this.#end));
  }

  run(): { readonly tracks: TrackColumns; readonly checkpoints: CheckpointColumns } {
    const end = this.#end;
    const walk = this.#walk;
    const tracks: TrackColumns = {
      allocated: new Float64Array(end),
      reserved: new Float64Array(end),
      largestHole: new Float64Array(end),
      free: new Float64Array(end),
      holes: new Int32Array(end),
      segments: new Int32Array(end),
    };
    const interval = this.#interval();
    const moments = Math.ceil(end / interval);
    const starts = new Int32Array(moments + 1);
    const rows = new GrowingInts();
    const categories = new Float64Array(Math.ceil(end / CATEGORY_INTERVAL) * CATEGORY_COUNT);
    this.#step(-1);
    for (let i = 0; i < end; i++) {
      if (i % CATEGORY_INTERVAL === 0) categories.set(walk.categories, (i / CATEGORY_INTERVAL) * CATEGORY_COUNT);
      if (i % interval === 0) {
        starts[i / interval] = rows.length;
        addRows(rows, walk);
      }
      this.#step(i);
      tracks.allocated[i] = walk.allocated;
      tracks.reserved[i] = walk.reserved;
      tracks.free[i] = walk.free;
      tracks.largestHole[i] = walk.largestHole;
      tracks.holes[i] = walk.holes;
      tracks.segments[i] = walk.areas;
    }
    starts[moments] = rows.length;
    return {
      tracks,
      checkpoints: {
        interval,
        starts,
        rows: rows.finish(),
        frees: this.#frees,
        categoryInterval: CATEGORY_INTERVAL,
        categories,
      },
    };
  }

  /** Carries out what happens at operation `at`. */
  #step(at: number): void {
    const { blocks, segments } = this.parts;
    const walk = this.#walk;
    const next = this.#next;
    const [frees, deaths, closed, opened] = [this.#frees, this.#deaths, this.#closed, this.#opened];
    while (next.free < frees.length && blocks.freedAt[frees[next.free]!] === at) walk.freeBlock(frees[next.free++]!);
    while (next.death < deaths.length && blocks.diedAt[deaths[next.death]!] === at) {
      walk.closeBlock(deaths[next.death++]!);
    }
    while (next.closed < closed.length && segments.releasedAt[closed[next.closed]!] === at) {
      walk.closeSegment(closed[next.closed++]!);
    }
    while (next.opened < opened.length && segments.createdAt[opened[next.opened]!] === at) {
      walk.openSegment(opened[next.opened++]!);
    }
    for (; next.birth < blocks.count && blocks.bornAt[next.birth] === at; next.birth++) walk.openBlock(next.birth);
  }

  /** Far enough apart that the living of all checkpoints fit the room for them. */
  #interval(): number {
    const { blocks } = this.parts;
    let lived = 0;
    for (let row = 0; row < blocks.count; row++) {
      lived += Math.min(blocks.diedAt[row]!, this.#end) - Math.max(0, blocks.bornAt[row]!);
    }
    return Math.max(SHORTEST_INTERVAL, Math.ceil(lived / CHECKPOINT_ROWS));
  }
}

/** Pieces that were taken and given back within one operation never were there. */
const lastingRows =
  ({ createdAt, releasedAt }: SegmentColumns) =>
  (rows: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> =>
    rows.filter((row) => releasedAt[row] === NEVER || releasedAt[row]! > createdAt[row]!);

function addRows(rows: GrowingInts, { live }: StateWalk): void {
  const offset = rows.length;
  rows.extend(live.length);
  live.writeTo(rows.values, offset);
}
