/**
 * A bin of blocks that are all of one size: a pairing heap, lowest address first (2.14: oldest segment first). Adding is
 * one comparison; taking the first or any other out melds its children in pairs. Each function returns the new root.
 *
 *     LEFT first child    RIGHT next sibling    BACK sibling before, or parent
 */
import { ADDRESS, AGE, BACK, DOUBLES, INTS, LEFT, RIGHT } from './block-table.js';

function isBefore(i32: Int32Array, f64: Float64Array, a: number, b: number): boolean {
  const ages = i32[(a << INTS) + AGE]! - i32[(b << INTS) + AGE]!;
  if (ages !== 0) return ages < 0;
  return f64[(a << DOUBLES) + ADDRESS]! < f64[(b << DOUBLES) + ADDRESS]!;
}

/**
 * Two heaps, neither 0, become one: the later root goes under the earlier one. To add a block is to meld with a heap of
 * that block alone (LEFT and RIGHT 0).
 */
export function meld(i32: Int32Array, f64: Float64Array, a: number, b: number): number {
  const first = isBefore(i32, f64, a, b) ? a : b;
  const second = first === a ? b : a;
  const child = i32[(first << INTS) + LEFT]!;
  i32[(second << INTS) + RIGHT] = child;
  i32[(second << INTS) + BACK] = first;
  i32[(first << INTS) + LEFT] = second;
  if (child !== 0) i32[(child << INTS) + BACK] = second;
  return first;
}

/** Takes a block out of the heap it is in. 0 when nothing is left. */
export function removeFromHeap(i32: Int32Array, f64: Float64Array, root: number, block: number): number {
  const at = block << INTS;
  const child = i32[at + LEFT]!;
  const below = child === 0 ? 0 : meldSiblings(i32, f64, child);
  if (block === root) return below;
  const back = i32[at + BACK]!;
  const sibling = i32[at + RIGHT]!;
  if (i32[(back << INTS) + LEFT] === block) i32[(back << INTS) + LEFT] = sibling;
  else i32[(back << INTS) + RIGHT] = sibling;
  if (sibling !== 0) i32[(sibling << INTS) + BACK] = back;
  return below === 0 ? root : meld(i32, f64, root, below);
}

/** Melds siblings two by two, then what comes of it from the last to the first. */
function meldSiblings(i32: Int32Array, f64: Float64Array, first: number): number {
  let pairs = 0;
  let node = first;
  while (node !== 0) {
    const partner = i32[(node << INTS) + RIGHT]!;
    const next = partner === 0 ? 0 : i32[(partner << INTS) + RIGHT]!;
    i32[(node << INTS) + RIGHT] = 0;
    const pair = partner === 0 ? node : meld(i32, f64, node, partner);
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
    root = meld(i32, f64, root, pairs);
    pairs = next;
  }
  return root;
}

/** All blocks of a heap, first to last. For rare work. */
export function listHeap(i32: Int32Array, f64: Float64Array, root: number): number[] {
  const found: number[] = [];
  const ahead = [root];
  for (let node = ahead.pop() ?? 0; node !== 0; node = ahead.pop() ?? 0) {
    found.push(node);
    const child = i32[(node << INTS) + LEFT]!;
    const sibling = i32[(node << INTS) + RIGHT]!;
    if (child !== 0) ahead.push(child);
    if (sibling !== 0) ahead.push(sibling);
  }
  return found.sort((a, b) => (isBefore(i32, f64, a, b) ? -1 : 1));
}
