/** The last step of a malloc: what the request does not need is split off, and the low end goes into use. */
import {
  ADDRESS,
  AGE,
  ALLOCATED,
  DOUBLES,
  INDEX,
  INTS,
  NEXT,
  PREV,
  REQUESTED,
  SEGMENT,
  SIZE,
  STATE,
  UNIT,
} from './block-table.js';
import { ALLOC } from './history.js';
import { type Shelf } from './pools.js';
import { SMALL_UNITS } from './rounding.js';
import { type AllocatorState } from './state.js';
import { OVERSIZE_ALLOCATIONS } from './statistics.js';

/**
 * Hands out `found`, a block that is on no shelf, for a request of `requested` bytes that was rounded to `units`.
 * Returns the block in use: a new record where the block was split, else `found`.
 */
export function handOut(state: AllocatorState, shelf: Shelf, found: number, units: number, requested: number): number {
  const { table, statistics, settings, history } = state;
  const { kind } = shelf;
  const foundAt = found << INTS;
  const isFixed = table.i32[foundAt + SEGMENT] === 0;
  const wasSplit = (table.i32[foundAt + PREV]! | table.i32[foundAt + NEXT]!) !== 0;
  const rest = table.i32[foundAt + SIZE]! - units;
  let block = found;
  const splits =
    shelf.isSmall || settings.expandableSegments
      ? rest > 0
      : rest > SMALL_UNITS && units * UNIT < settings.maxSplitSize;
  if (splits) {
    block = table.take();
    splitLow(table.i32, table.f64, found, block, units);
    state.putFree(shelf, found);
    if (isFixed) statistics.changeIdle(kind, wasSplit ? 0 : 1, wasSplit ? -units * UNIT : rest * UNIT);
  } else if (isFixed && wasSplit) {
    statistics.changeIdle(kind, -1, -(units + rest) * UNIT);
  }
  const { i32, f64 } = table;
  const at = block << INTS;
  i32[at + STATE] = ALLOCATED;
  const double = block << DOUBLES;
  f64[double + REQUESTED] = requested;
  const size = i32[at + SIZE]! * UNIT;
  if (history !== undefined) history.addBlock(ALLOC, f64, double + ADDRESS, double + REQUESTED, shelf.stream);
  statistics.allocate(kind, size, requested);
  if (size >= settings.maxSplitSize) statistics.increase(OVERSIZE_ALLOCATIONS, kind, 1);
  return block;
}

/** Makes `low` the first `units` of `found`, which keeps the rest and its record. */
function splitLow(i32: Int32Array, f64: Float64Array, found: number, low: number, units: number): void {
  const at = found << INTS;
  const lowAt = low << INTS;
  const before = i32[at + PREV]!;
  f64[(low << DOUBLES) + ADDRESS] = f64[(found << DOUBLES) + ADDRESS]!;
  i32[lowAt + SIZE] = units;
  i32[lowAt + INDEX] = i32[at + INDEX]!;
  i32[lowAt + AGE] = i32[at + AGE]!;
  i32[lowAt + SEGMENT] = i32[at + SEGMENT]!;
  i32[lowAt + PREV] = before;
  if (before !== 0) i32[(before << INTS) + NEXT] = low;
  i32[lowAt + NEXT] = found;
  i32[at + PREV] = low;
  f64[(found << DOUBLES) + ADDRESS]! += units * UNIT;
  i32[at + SIZE]! -= units;
}
