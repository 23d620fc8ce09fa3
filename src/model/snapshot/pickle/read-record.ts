/**
 * A block, trace entry or segment whose keys are known already (`EMPTY_DICT MEMOIZE MARK`, pairs, `SETITEMS`), from the
 * file into columns without the stack. What a record of another shape left behind is taken back, and it is left to the
 * general loop.
 */
import { KIND, TAG } from './object-table.js';
import { OP } from './opcodes.js';
import { shortLong } from './pickle-numbers.js';
import { type PickleState } from './pickle-state.js';
import { pairNumber } from './rare-opcodes.js';
import { readCallStack } from './read-call-stack.js';
import { newString } from './read-frame.js';
import { ABSENT, becomeRow, bit, POOLS, REFERENCES, TEXTS, WHOLE_NUMBERS } from './record-rows.js';
import { LAST_RECORD_ROLE, ROLE } from './roles.js';

/** Values of the records in hand by role: one of a trace or segment, and one of a block in the segment. */
const OUTER = new Float64Array(LAST_RECORD_ROLE + 1);
const INNER = new Float64Array(LAST_RECORD_ROLE + 1);

/**
 * Reads a record whose first key is at `from`. Gives the position after its `SETITEMS`, with the record as container
 * `state.made`, and it and what is new in it in the memo; or -1, and nothing has happened.
 */
export function readRecord(state: PickleState, from: number): number {
  const { memoCount, objects, blocks } = state;
  const containers = objects.count;
  const items = objects.itemCount;
  const rows = blocks.count;
  const after = readOne(state, from, OUTER);
  if (after !== -1) return after;
  state.takeBack(memoCount, containers);
  objects.itemCount = items;
  blocks.count = rows;
  return -1;
}

/** The same without taking anything back. */
function readOne(state: PickleState, from: number, values: Float64Array): number {
  const id = state.container(KIND.dict, from);
  state.remember(TAG.object, id);
  const after = readPairs(state, from, id, values);
  state.made = id;
  return after;
}

/** The pairs of the container `id`, which becomes a row. */
function readPairs(state: PickleState, from: number, id: number, values: Float64Array): number {
  const { data, view, objects } = state;
  let { memoTags, memoValues, memoNotes, memoCount } = state;
  // A pair is at most a key of 5 bytes and a number of 9, unless it is longer and looks itself.
  const end = data.length - 16;
  let at = from;
  let present = 0;
  for (;;) {
    if (at > end) return -1;
    let opcode = data[at]!;
    if (opcode === OP.SETITEMS) break;
    let slot: number;
    if (opcode === OP.BINGET) {
      slot = data[at + 1]!;
      at += 2;
    } else if (opcode === OP.LONG_BINGET) {
      slot = view.getInt32(at + 1, true);
      at += 5;
    } else return -1;
    if (slot < 0 || slot >= memoCount) return -1;
    const note = memoNotes[slot]!;
    const role = note < 0 ? -1 - note : state.roleInMemo(slot);
    if (role === -1 || role > LAST_RECORD_ROLE) return -1;
    const mask = bit(role);
    // A key given twice, or two that are not known, are left to the general loop.
    if ((present & mask) !== 0) return -1;
    present |= mask;
    opcode = data[at]!;
    let value: number;
    if ((mask & WHOLE_NUMBERS) !== 0) {
      if (opcode === OP.LONG1) {
        const length = data[at + 1]!;
        value = shortLong(view, at + 2, length);
        if (Number.isNaN(value)) return -1;
        at += 2 + length;
      } else if (opcode === OP.BININT) {
        value = view.getInt32(at + 1, true);
        at += 5;
      } else if (opcode === OP.BININT1) {
        value = data[at + 1]!;
        at += 2;
      } else if (opcode === OP.BININT2) {
        value = data[at + 1]! + 256 * data[at + 2]!;
        at += 3;
      } else return -1;
    } else if (opcode === OP.BINGET || opcode === OP.LONG_BINGET) {
      const known = opcode === OP.BINGET ? data[at + 1]! : view.getInt32(at + 1, true);
      at += opcode === OP.BINGET ? 2 : 5;
      if (known < 0 || known >= memoCount) return -1;
      value = memoValues[known]!;
      if ((mask & TEXTS) !== 0) {
        if (memoTags[known] !== TAG.string) return -1;
      } else {
        if (memoTags[known] !== TAG.object) return -1;
        const kind = objects.kinds[value]!;
        if (role === ROLE.frames && kind === KIND.list && objects.lengths[value] === 0) value = -1;
        else if (kind === (role === ROLE.frames ? KIND.stack : KIND.pair) && (mask & REFERENCES) !== 0) {
          value = objects.payload[value]!;
        } else return -1;
      }
    } else if (opcode === OP.NONE && (mask & ABSENT) !== 0) {
      at += 1;
      value = -1;
    } else if (role === ROLE.isExpandable && (opcode === OP.NEWFALSE || opcode === OP.NEWTRUE)) {
      at += 1;
      value = opcode === OP.NEWTRUE ? 1 : 0;
    } else {
      at = readNew(state, at, role, values);
      if (at === -1) return -1;
      value = state.read;
      ({ memoTags, memoValues, memoNotes, memoCount } = state);
    }
    values[role] = value;
  }
  return becomeRow(state, id, present, values) ? at + 1 : -1;
}

/** A value that the memo does not have yet: a text, pool pair, list of frames or list of blocks. It comes as `state.read`. */
function readNew(state: PickleState, from: number, role: number, outer: Float64Array): number {
  const { data, objects } = state;
  const opcode = data[from]!;
  if (opcode === OP.SHORT_BINUNICODE && (bit(role) & TEXTS) !== 0) {
    const length = data[from + 1]!;
    const after = from + 2 + length;
    if (data[after] !== OP.MEMOIZE) return -1;
    state.read = newString(state, from + 2, length);
    return after + 1;
  }
  if ((bit(role) & POOLS) !== 0) return readPool(state, from);
  if (opcode !== OP.EMPTY_LIST || data[from + 1] !== OP.MEMOIZE) return -1;
  const list = state.container(KIND.list, from);
  state.remember(TAG.object, list);
  const at = from + 2;
  if (role === ROLE.blocks && outer === OUTER) {
    const after = readBlocks(state, at, list);
    state.read = list;
    return after;
  }
  if (role !== ROLE.frames) return -1;
  state.read = -1;
  if (data[at] !== OP.MARK) return at;
  const after = readCallStack(state, list, at + 1);
  state.read = objects.payload[list]!;
  return after;
}

/** A pair of small counts; newer versions write one of its own with every entry. */
function readPool(state: PickleState, from: number): number {
  const { data } = state;
  const first = smallCount(data, from);
  let at = from + (data[from] === OP.BININT1 ? 2 : 3);
  const second = smallCount(data, at);
  at += data[at] === OP.BININT1 ? 2 : 3;
  if (first === -1 || second === -1 || data[at] !== OP.TUPLE2 || data[at + 1] !== OP.MEMOIZE) return -1;
  const made = state.container(KIND.pair, from);
  state.read = state.objects.payload[made] = pairNumber(state, first, second);
  state.remember(TAG.object, made);
  return at + 2;
}

/** -1 for anything else. */
function smallCount(data: Uint8Array, at: number): number {
  if (data[at] === OP.BININT1) return data[at + 1]!;
  return data[at] === OP.BININT2 ? data[at + 1]! + 256 * data[at + 2]! : -1;
}

/** Blocks of a segment, one by one or in batches, as the items of `list`. */
function readBlocks(state: PickleState, from: number, list: number): number {
  const { data, objects } = state;
  const start = objects.itemCount;
  let at = from;
  while (data[at] === OP.MARK || data[at] === OP.EMPTY_DICT) {
    const isBatch = data[at] === OP.MARK;
    if (isBatch) at++;
    do {
      at = readBlock(state, at);
      if (at === -1) return -1;
    } while (isBatch && data[at] !== OP.APPENDS);
    if (!isBatch && data[at] !== OP.APPEND) return -1;
    at++;
  }
  objects.takeItems(list, start);
  return at;
}

function readBlock(state: PickleState, from: number): number {
  const { data, objects } = state;
  if (data[from] !== OP.EMPTY_DICT || data[from + 1] !== OP.MEMOIZE || data[from + 2] !== OP.MARK) return -1;
  const after = readOne(state, from + 3, INNER);
  if (after === -1 || objects.kinds[state.made] !== KIND.block) return -1;
  objects.putItem(state.made);
  return after;
}
