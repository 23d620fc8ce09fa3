/** Values that appear in several places of a snapshot, whatever the pickle's protocol made of them. */
import { KIND } from './pickle/object-table.js';
import { type PickleDocument, type Value } from './pickle/pickle-document.js';
import { ROLE } from './pickle/roles.js';
import { stackHash } from './pickle/stack-table.js';

/** True for what can be a number of bytes or of a device. */
export const isWhole = (value: number): boolean => value >= 0 && Number.isInteger(value);

/** Stack number of the `frames` at a place of the arena, -1 where there are none. Lists that were built item by item are interned here. */
export function stackAt(document: PickleDocument, at: number): number {
  const id = document.containerAt(at);
  const { objects } = document.tables;
  if (id !== -1 && objects.kinds[id] === KIND.stack) return objects.payload[id]!;
  return id === -1 || (objects.kinds[id] === KIND.list && objects.lengths[id] === 0)
    ? -1
    : stackOf(document, document.valueAt(at));
}

/** The same of a value in hand. */
export function stackOf(document: PickleDocument, frames: Value): number {
  const kind = document.kindOf(frames);
  const { objects, stacks } = document.tables;
  if (kind === KIND.stack) return objects.payload[frames.value]!;
  if (kind !== KIND.list || document.lengthOf(frames) === 0) return -1;
  const numbers: number[] = [];
  document.forEachItem(frames, (item) => {
    const frame = frameOf(document, item);
    if (frame !== -1) numbers.push(frame);
  });
  if (numbers.length === 0) return -1;
  const list = Int32Array.from(numbers);
  return stacks.internStack(list, list.length, stackHash(list, list.length));
}

function frameOf(document: PickleDocument, item: Value): number {
  const kind = document.kindOf(item);
  const { objects, stacks } = document.tables;
  if (kind === KIND.frame) return objects.payload[item.value]!;
  if (kind !== KIND.dict) return -1;
  const name = document.entry(item, ROLE.name);
  const file = document.entry(item, ROLE.filename);
  const line = document.entry(item, ROLE.line);
  if (
    name === undefined ||
    file === undefined ||
    document.text(name) === undefined ||
    document.text(file) === undefined
  ) {
    return -1;
  }
  return stacks.internFrame(name.value, file.value, line === undefined ? 0 : (document.number(line) ?? 0));
}
