/**
 * Blocks of one row as shapes: neighbouring blocks of one category are one run. What is under two pixels is gathered with
 * its neighbours until two pixels are full and takes the category with most bytes; where more of it is free than live, the
 * last of these pixels is left free. So a picture never shows more or fewer shapes than it has pixels, and no block is lost.
 */
import { CATEGORY_COUNT, type BlockColumns } from '../memory-run.js';

export interface RunShape {
  /** Pixels. */
  readonly x: number;
  readonly width: number;
  readonly category: number;
  /** First and last of its blocks, places in the moment's rows; equal for a run of one block. */
  readonly first: number;
  readonly last: number;
  /** Gathered from pieces too thin to be shown alone. */
  readonly isGathered: boolean;
}

const THINNEST = 2;

export class RunScan {
  readonly #bytes = new Float64Array(CATEGORY_COUNT);
  #free = 0;
  #from = -1;
  #firstBlock = -1;
  #lastBlock = -1;
  /** Pixels up to here are taken. */
  #taken = 0;

  constructor(
    private readonly blocks: BlockColumns,
    private readonly rows: Int32Array,
    /** Pixel of an address. */
    private readonly xOf: (address: number) => number,
    /** Blocks that stand alone, with their numbers. */
    private readonly alone: ReadonlyMap<number, number>,
    private readonly emit: (shape: RunShape) => void,
  ) {}

  /** Goes through the blocks at places [first, end) of the rows, between two addresses. */
  scan(first: number, end: number, start: number, stop: number): void {
    const { address, size, category } = this.blocks;
    const { rows, alone } = this;
    this.#taken = Math.floor(this.xOf(start));
    let at = start;
    for (let i = first; i < end;) {
      const row = rows[i]!;
      const from = Math.max(start, address[row]!);
      if (from > at) this.#gap(at, from);
      const kind = category[row]!;
      let to = address[row]! + size[row]!;
      let last = i;
      if (!alone.has(row)) {
        for (; last + 1 < end; last++) {
          const next = rows[last + 1]!;
          if (address[next] !== to || category[next] !== kind || alone.has(next)) break;
          to += size[next]!;
        }
      }
      at = Math.min(stop, to);
      this.#piece(from, at, kind, i, last);
      i = last + 1;
    }
    if (stop > at) this.#gap(at, stop);
    this.#flush(Math.ceil(this.xOf(stop)));
  }

  #piece(from: number, to: number, category: number, first: number, last: number): void {
    const x = this.xOf(from);
    const right = this.xOf(to);
    if (right - x >= THINNEST) {
      this.#flush(Math.round(x));
      const left = Math.max(this.#taken, Math.round(x));
      const width = Math.max(1, Math.round(right) - left);
      this.emit({ x: left, width, category, first, last, isGathered: false });
      this.#taken = left + width;
      return;
    }
    if (this.#from < 0) this.#from = x;
    if (this.#firstBlock < 0) this.#firstBlock = first;
    this.#lastBlock = last;
    this.#bytes[category]! += to - from;
    if (right - this.#from >= THINNEST) this.#flush(Math.round(right));
  }

  #gap(from: number, to: number): void {
    const x = this.xOf(from);
    const right = this.xOf(to);
    if (right - x >= THINNEST) {
      this.#flush(Math.round(x));
      this.#taken = Math.max(this.#taken, Math.round(x));
      return;
    }
    if (this.#from < 0) return;
    this.#free += to - from;
    if (right - this.#from >= THINNEST) this.#flush(Math.round(right));
  }

  /** Shows what was gathered, up to a pixel if possible: two pixels, or the room that is left. */
  #flush(until: number): void {
    if (this.#from < 0) return;
    let most = 0;
    let live = 0;
    for (let category = 0; category < CATEGORY_COUNT; category++) {
      live += this.#bytes[category]!;
      if (this.#bytes[category]! > this.#bytes[most]!) most = category;
    }
    const left = Math.max(this.#taken, Math.floor(this.#from));
    const right = Math.max(until, left + 1);
    const room = right - left;
    const width = this.#free > live && room > 1 ? room - 1 : room;
    this.emit({
      x: left,
      width,
      category: most,
      first: this.#firstBlock,
      last: this.#lastBlock,
      isGathered: true,
    });
    this.#taken = right;
    this.#bytes.fill(0);
    this.#free = 0;
    this.#from = -1;
    this.#firstBlock = -1;
  }
}
