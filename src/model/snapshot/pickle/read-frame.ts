/**
 * A frame (`EMPTY_DICT MEMOIZE MARK`, name, file and line, `SETITEMS`), read in one go. It looks first and acts only when
 * the whole shape is there; anything else is left to the general loop.
 */
import { KIND, TAG } from './object-table.js';
import { OP } from './opcodes.js';
import { type PickleState } from './pickle-state.js';
import { ROLE } from './roles.js';

/**
 * Reads a frame whose first key is at `from`. Gives the position after its `SETITEMS`, with the frame as container
 * `state.made`, and it and its new strings in the memo; or -1, and nothing has happened.
 */
export function readFrame(state: PickleState, from: number): number {
  const { data, view, memoTags, memoValues, memoNotes, memoCount } = state;
  // The longest bytes of fixed length: three keys, a line number and the end.
  const end = data.length - 32;
  let at = from;
  // A string is known by its number, or by its place and length until everything is there.
  let name = -1;
  let nameLength = -1;
  let file = -1;
  let fileLength = -1;
  let isNameFirst = false;
  let line = -1;
  for (let pair = 0; pair < 3; pair++) {
    if (at > end) return -1;
    let slot: number;
    if (data[at] === OP.BINGET) {
      slot = data[at + 1]!;
      at += 2;
    } else if (data[at] === OP.LONG_BINGET) {
      slot = view.getInt32(at + 1, true);
      at += 5;
    } else return -1;
    if (slot < 0 || slot >= memoCount) return -1;
    const note = memoNotes[slot]!;
    const role = note < 0 ? -1 - note : state.roleInMemo(slot);
    const opcode = data[at]!;
    if (role === ROLE.line && line === -1) {
      if (opcode === OP.BININT2) {
        line = data[at + 1]! + 256 * data[at + 2]!;
        at += 3;
      } else if (opcode === OP.BININT1) {
        line = data[at + 1]!;
        at += 2;
      } else return -1;
      continue;
    }
    let value: number;
    let length = -1;
    if (opcode === OP.BINGET || opcode === OP.LONG_BINGET) {
      const known = opcode === OP.BINGET ? data[at + 1]! : view.getInt32(at + 1, true);
      at += opcode === OP.BINGET ? 2 : 5;
      if (known < 0 || known >= memoCount || memoTags[known] !== TAG.string) return -1;
      value = memoValues[known]!;
    } else if (opcode === OP.SHORT_BINUNICODE || opcode === OP.BINUNICODE) {
      length = opcode === OP.SHORT_BINUNICODE ? data[at + 1]! : view.getInt32(at + 1, true);
      value = at + (opcode === OP.SHORT_BINUNICODE ? 2 : 5);
      if (length < 0 || length > end - value) return -1;
      at = value + length;
      if (data[at++] !== OP.MEMOIZE) return -1;
    } else return -1;
    if (role === ROLE.name && name === -1) {
      name = value;
      nameLength = length;
      isNameFirst = file === -1;
    } else if (role === ROLE.filename && file === -1) {
      file = value;
      fileLength = length;
    } else return -1;
  }
  if (data[at] !== OP.SETITEMS) return -1;
  const id = state.container(KIND.frame, from);
  state.made = id;
  state.remember(TAG.object, id);
  if (isNameFirst) {
    if (nameLength !== -1) name = newString(state, name, nameLength);
    if (fileLength !== -1) file = newString(state, file, fileLength);
  } else {
    if (fileLength !== -1) file = newString(state, file, fileLength);
    if (nameLength !== -1) name = newString(state, name, nameLength);
  }
  const frame = state.stacks.internFrame(name, file, line);
  state.objects.payload[id] = frame;
  state.memoNotes[memoCount] = frame + 1;
  return at + 1;
}

/** Interns a text of the file and puts it in the memo. */
export function newString(state: PickleState, offset: number, length: number): number {
  const made = state.strings.intern(offset, length);
  state.remember(TAG.string, made);
  return made;
}
