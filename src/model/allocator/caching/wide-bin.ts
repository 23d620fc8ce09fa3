/**
 * A bin of blocks of similar sizes: a treap, which is a search tree by size (then age of the segment, then address) that
 * pseudo-random priorities keep balanced. Each function that changes it returns the new root.
 */
import { ADDRESS, AGE, DOUBLES, INTS, LEFT, RIGHT, SIZE } from './block-table.js';

/** Pseudo-random, and the same for the same record, so that it needs no room in it. */
const priority = (block: number): number => {
  const mixed = Math.imul(block, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

function isBefore(i32: Int32Array, f64: Float64Array, a: number, b: number): boolean {
  const sizes = i32[(a << INTS) + SIZE]! - i32[(b << INTS) + SIZE]!;
  if (sizes !== 0) return sizes < 0;
  const ages = i32[(a << INTS) + AGE]! - i32[(b << INTS) + AGE]!;
  if (ages !== 0) return ages < 0;
  return f64[(a << DOUBLES) + ADDRESS]! < f64[(b << DOUBLES) + ADDRESS]!;
}

/** Adds a block: down to where its priority is higher, then what is below is split around it. */
export function addToTreap(i32: Int32Array, f64: Float64Array, root: number, block: number): number {
  const mine = priority(block);
  // Record 0 holds the root, so that every link is a place in the table.
  i32[RIGHT] = root;
  let link = RIGHT;
  let node = root;
  while (node !== 0 && priority(node) >= mine) {
    link = (node << INTS) + (isBefore(i32, f64, block, node) ? LEFT : RIGHT);
    node = i32[link]!;
  }
  i32[link] = block;
  let leftLink = (block << INTS) + LEFT;
  let rightLink = (block << INTS) + RIGHT;
  while (node !== 0) {
    if (isBefore(i32, f64, block, node)) {
      i32[rightLink] = node;
      rightLink = (node << INTS) + LEFT;
      node = i32[rightLink]!;
    } else {
      i32[leftLink] = node;
      leftLink = (node << INTS) + RIGHT;
      node = i32[leftLink]!;
    }
  }
  i32[leftLink] = 0;
  i32[rightLink] = 0;
  return i32[RIGHT];
}

/** Takes a block out that is in the treap. 0 when nothing is left. */
export function removeFromTreap(i32: Int32Array, f64: Float64Array, root: number, block: number): number {
  i32[RIGHT] = root;
  let link = RIGHT;
  let node = root;
  while (node !== block) {
    if (node === 0) throw new Error(`wide bin: block ${block} is not in it`);
    link = (node << INTS) + (isBefore(i32, f64, block, node) ? LEFT : RIGHT);
    node = i32[link]!;
  }
  // Its two subtrees become one, in its place.
  let left = i32[(block << INTS) + LEFT]!;
  let right = i32[(block << INTS) + RIGHT]!;
  while (left !== 0 && right !== 0) {
    if (priority(left) >= priority(right)) {
      i32[link] = left;
      link = (left << INTS) + RIGHT;
      left = i32[link]!;
    } else {
      i32[link] = right;
      link = (right << INTS) + LEFT;
      right = i32[link]!;
    }
  }
  i32[link] = left === 0 ? right : left;
  return i32[RIGHT];
}

/** First block of at least `units`, or 0. */
export function firstAtLeast(i32: Int32Array, root: number, units: number): number {
  let node = root;
  let found = 0;
  while (node !== 0) {
    const at = node << INTS;
    if (i32[at + SIZE]! >= units) {
      found = node;
      node = i32[at + LEFT]!;
    } else {
      node = i32[at + RIGHT]!;
    }
  }
  return found;
}

/** First block of the treap. */
export function firstOfTreap(i32: Int32Array, root: number): number {
  let first = root;
  for (let left = i32[(root << INTS) + LEFT]!; left !== 0; left = i32[(left << INTS) + LEFT]!) first = left;
  return first;
}

/** First block after this one, or 0. */
export function nextInTreap(i32: Int32Array, f64: Float64Array, root: number, block: number): number {
  let node = root;
  let found = 0;
  while (node !== 0) {
    const isLater = isBefore(i32, f64, block, node);
    if (isLater) found = node;
    node = i32[(node << INTS) + (isLater ? LEFT : RIGHT)]!;
  }
  return found;
}

/** All blocks, first to last. For rare work. */
export function listTreap(i32: Int32Array, root: number): number[] {
  if (root === 0) return [];
  const at = root << INTS;
  return [...listTreap(i32, i32[at + LEFT]!), root, ...listTreap(i32, i32[at + RIGHT]!)];
}
