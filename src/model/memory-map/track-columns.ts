/**
 * Tracks of a run, a value for each column of pixels: the smallest and largest of all operations that share it, from
 * pyramids, so that a column costs the same whether it stands for one operation or for a thousand.
 */
import { CATEGORY_COUNT, type MemoryRun } from './memory-run.js';
import { lowerBound } from './moment.js';
import { type ProgramAxis } from './program-axis.js';
import { Pyramid } from './pyramid.js';

/** Positions from the left edge of a picture to its right edge. */
export interface TrackWindow {
  readonly from: number;
  readonly to: number;
}

/** One value a column; columns from `columns` on have nothing: the run had stopped. */
export interface TrackColumnValues {
  readonly columns: number;
  readonly allocated: Float64Array;
  readonly reservedLeast: Float64Array;
  readonly reserved: Float64Array;
  readonly holeLeast: Float64Array;
  readonly hole: Float64Array;
}

export class TrackLevels {
  readonly #allocated: Pyramid;
  readonly #reserved: Pyramid;
  readonly #hole: Pyramid;
  readonly peak: number;

  constructor(readonly run: MemoryRun) {
    this.#allocated = new Pyramid(run.tracks.allocated);
    this.#reserved = new Pyramid(run.tracks.reserved);
    this.#hole = new Pyramid(run.tracks.largestHole);
    if (run.end > 0) this.#reserved.look(0, run.end);
    this.peak = run.end > 0 ? this.#reserved.most : 0;
  }

  /** First operation and the one after the last of each column; `columns + 1` edges. */
  edges(axis: ProgramAxis, index: number, window: TrackWindow, width: number): Int32Array {
    const edges = new Int32Array(width + 1);
    const step = (window.to - window.from) / width;
    for (let column = 0; column <= width; column++) {
      const position = Math.min(Math.ceil(window.from + column * step), axis.length);
      edges[column] = position >= axis.length ? this.run.operations : Math.max(0, axis.plannedAt(index, position));
    }
    return edges;
  }

  /** The values of all columns between these edges. */
  columns(edges: Int32Array): TrackColumnValues {
    const width = edges.length - 1;
    const { end } = this.run;
    const values = {
      allocated: new Float64Array(width),
      reservedLeast: new Float64Array(width),
      reserved: new Float64Array(width),
      holeLeast: new Float64Array(width),
      hole: new Float64Array(width),
    };
    let columns = 0;
    for (; columns < width; columns++) {
      const { from, to } = operationsOf(edges, columns, end);
      if (from >= end) break;
      this.#allocated.look(from, to);
      values.allocated[columns] = this.#allocated.most;
      this.#reserved.look(from, to);
      values.reservedLeast[columns] = this.#reserved.least;
      values.reserved[columns] = this.#reserved.most;
      this.#hole.look(from, to);
      values.holeLeast[columns] = this.#hole.least;
      values.hole[columns] = this.#hole.most;
    }
    return { columns, ...values };
  }

  /** Columns of the failures, each column once, in order; failures before and behind the window are left out. */
  failureColumns(edges: Int32Array): { readonly column: number; readonly row: number }[] {
    const { operation, count } = this.run.failures;
    const found: { column: number; row: number }[] = [];
    for (let row = lowerBound(operation, edges[0]!); row < count; row++) {
      const column = lowerBound(edges, operation[row]! + 1) - 1;
      if (column >= edges.length - 1) break;
      if (found.at(-1)?.column !== column) found.push({ column, row });
    }
    return found;
  }
}

/** Operations [from, to) that a column shows, of `end` in all. One shorter than an operation shows the one before it. */
export function operationsOf(
  edges: Int32Array,
  column: number,
  end: number,
): { readonly from: number; readonly to: number } {
  const from = edges[column + 1]! > edges[column]! ? edges[column]! : Math.max(0, edges[column]! - 1);
  return { from, to: Math.min(end, Math.max(from + 1, edges[column + 1]!)) };
}

/** Bytes in use of each category after an operation. */
export function categoriesAt({ blocks, checkpoints, end }: MemoryRun, operation: number): Float64Array {
  const sums = new Float64Array(CATEGORY_COUNT);
  if (end === 0) return sums;
  const at = Math.min(Math.max(-1, operation), end - 1);
  const { categoryInterval, categories } = checkpoints;
  const moment = Math.min(Math.floor((at + 1) / categoryInterval), categories.length / CATEGORY_COUNT - 1);
  sums.set(categories.subarray(moment * CATEGORY_COUNT, (moment + 1) * CATEGORY_COUNT));
  const from = moment * categoryInterval;
  const born = lowerBound(blocks.bornAt, from);
  for (let row = born; row < blocks.count && blocks.bornAt[row]! <= at; row++) {
    sums[blocks.category[row]!]! += blocks.size[row]!;
  }
  const { frees } = checkpoints;
  for (let i = firstFree(blocks.freedAt, frees, from); i < frees.length; i++) {
    const row = frees[i]!;
    if (blocks.freedAt[row]! > at) break;
    sums[blocks.category[row]!]! -= blocks.size[row]!;
  }
  return sums;
}

/** Place of the first row that is freed at an operation or later. */
function firstFree(freedAt: Int32Array, frees: Int32Array, operation: number): number {
  let low = 0;
  let high = frees.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (freedAt[frees[middle]!]! < operation) low = middle + 1;
    else high = middle;
  }
  return low;
}
