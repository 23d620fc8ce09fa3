/** The end of a block's life: it joins its free neighbours and goes back to its shelf. */
import {
  ADDRESS,
  type BlockTable,
  DOUBLES,
  FREE,
  INTS,
  NEXT,
  PREV,
  REQUESTED,
  SEGMENT,
  SIZE,
  STATE,
  UNIT,
} from './block-table.js';
import { FREE_COMPLETED } from './history.js';
import { type Shelf } from './pools.js';
import { type AllocatorState } from './state.js';

/** `block` takes in the neighbour before it, whose record goes back. The neighbour is on no shelf any more. */
export function absorbPrevious(table: BlockTable, block: number, previous: number): void {
  const { i32, f64 } = table;
  const at = block << INTS;
  const before = i32[(previous << INTS) + PREV]!;
  f64[(block << DOUBLES) + ADDRESS] = f64[(previous << DOUBLES) + ADDRESS]!;
  i32[at + SIZE]! += i32[(previous << INTS) + SIZE]!;
  i32[at + PREV] = before;
  if (before !== 0) i32[(before << INTS) + NEXT] = block;
  table.giveBack(previous);
}

/** `block` takes in the neighbour after it. */
export function absorbNext(table: BlockTable, block: number, next: number): void {
  const { i32 } = table;
  const at = block << INTS;
  const after = i32[(next << INTS) + NEXT]!;
  i32[at + SIZE]! += i32[(next << INTS) + SIZE]!;
  i32[at + NEXT] = after;
  if (after !== 0) i32[(after << INTS) + PREV] = block;
  table.giveBack(next);
}

/**
 * Completes the free of a block that no stream uses any more: merges it with its free neighbours and puts it back.
 * A merge keeps this block's record, so that what it last held (`requested`) is what a snapshot shows, as in the original.
 */
export function freeBlock(state: AllocatorState, shelf: Shelf, block: number): void {
  const { table, statistics, history } = state;
  const { i32, f64 } = table;
  const at = block << INTS;
  const kind = shelf.kind;
  const double = block << DOUBLES;
  const requested = f64[double + REQUESTED]!;
  if (history !== undefined) history.addBlock(FREE_COMPLETED, f64, double + ADDRESS, double + REQUESTED, shelf.stream);

  // What the merge changes in the split blocks that lie idle: this one joins them, swallowed ones leave.
  let idleBlocks = 0;
  let idleUnits = 0;
  const previous = i32[at + PREV]!;
  if (previous !== 0 && i32[(previous << INTS) + STATE] === FREE) {
    idleBlocks -= 1;
    idleUnits -= i32[(previous << INTS) + SIZE]!;
    shelf.free.remove(previous);
    absorbPrevious(table, block, previous);
  }
  const next = i32[at + NEXT]!;
  if (next !== 0 && i32[(next << INTS) + STATE] === FREE) {
    idleBlocks -= 1;
    idleUnits -= i32[(next << INTS) + SIZE]!;
    shelf.free.remove(next);
    absorbNext(table, block, next);
  }
  state.putFree(shelf, block);

  if (i32[at + SEGMENT] === 0) {
    if ((i32[at + PREV]! | i32[at + NEXT]!) !== 0) {
      idleBlocks += 1;
      idleUnits += i32[at + SIZE]!;
    }
    statistics.changeIdle(kind, idleBlocks, idleUnits * UNIT);
  }
  statistics.complete(kind, requested);
}
