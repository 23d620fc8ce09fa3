/**
 * A bin of blocks that are all of one size: a pairing heap, lowest address first (2.14: oldest segment first). Adding is
 * one comparison; taking the first or any other out melds its children in pairs. Each function returns the new root.
 *
 *     LEFT first child    RIGHT next sibling    BACK sibling before, or parent
 */
import { ADDRESS, AGE, BACK, type BlockTable, DOUBLES, INTS, LEFT, RIGHT } from './block-table.js';

function isBefore(table: BlockTable, a: number, b: number): boolean {
  const ages = table.i32[(a << INTS) + AGE]! - table.i32[(b << INTS) + AGE]!;
  if (ages !== 0) return ages < 0;
  return table.f64[(a << DOUBLES) + ADDRESS]! < table.f64[(b << DOUBLES) + ADDRESS]!;
}

/** Two heaps, neither 0, become one: the later root goes under the earlier one. */
function meld(table: BlockTable, a: number, b: number): number {
  const first = isBefore(table, a, b) ? a : b;
  const second = first === a ? b : a;
  const i32 = table.i32;
  const child = i32[(first << INTS) + LEFT]!;
  i32[(second << INTS) + RIGHT] = child;
  i32[(second << INTS) + BACK] = first;
  i32[(first << INTS) + LEFT] = second;
  if (child !== 0) i32[(child << INTS) + BACK] = second;
  return first;
}

/** Adds a block to a heap that is not empty. */
export function addToHeap(table: BlockTable, root: number, block: number): number {
  const i32 = table.i32;
  i32[(block << INTS) + LEFT] = 0;
  i32[(block << INTS) + RIGHT] = 0;
  return meld(table, root, block);
}

/** Takes a block out of the heap it is in. 0 when nothing is left. */
export function removeFromHeap(table: BlockTable, root: number, block: number): number {
  const i32 = table.i32;
  const at = block << INTS;
  const child = i32[at + LEFT]!;
  const below = child === 0 ? 0 : meldSiblings(table, child);
  if (block === root) return below;
  const back = i32[at + BACK]!;
  const sibling = i32[at + RIGHT]!;
  if (i32[(back << INTS) + LEFT] === block) i32[(back << INTS) + LEFT] = sibling;
  else i32[(back << INTS) + RIGHT] = sibling;
  if (sibling !== 0) i32[(sibling << INTS) + BACK] = back;
  return below === 0 ? root : meld(table, root, below);
}

/** Melds siblings two by two, then what comes of it from the last to the first. */
function meldSiblings(table: BlockTable, first: number): number {
  const i32 = table.i32;
  let pairs = 0;
  let node = first;
  while (node !== 0) {
    const partner = i32[(node << INTS) + RIGHT]!;
    const next = partner === 0 ? 0 : i32[(partner << INTS) + RIGHT]!;
    i32[(node << INTS) + RIGHT] = 0;
    const pair = partner === 0 ? node : meld(table, node, partner);
    i32[(pair << INTS) + RIGHT] = pairs;
    pairs = pair;
    node = next;
  }
  let root = pairs;
  pairs = i32[(root << INTS) + RIGHT]!;
  i32[(root << INTS) + RIGHT] = 0;
  while (pairs !== 0) {
    const next = i32[(pairs << INTS) + RIGHT]!;
    i32[(pairs << INTS) + RIGHT] = 0;
    root = meld(table, root, pairs);
    pairs = next;
  }
  return root;
}

/** All blocks of a heap, first to last. For rare work. */
export function listHeap(table: BlockTable, root: number): number[] {
  const found: number[] = [];
  const ahead = [root];
  for (let node = ahead.pop() ?? 0; node !== 0; node = ahead.pop() ?? 0) {
    found.push(node);
    const child = table.i32[(node << INTS) + LEFT]!;
    const sibling = table.i32[(node << INTS) + RIGHT]!;
    if (child !== 0) ahead.push(child);
    if (sibling !== 0) ahead.push(sibling);
  }
  return found.sort((a, b) => (isBefore(table, a, b) ? -1 : 1));
}
