/**
 * A block or a trace entry whose keys and texts are known already (`EMPTY_DICT MEMOIZE MARK`, pairs, `SETITEMS`), from the
 * file into columns without the stack. What a record of another shape left behind is taken back, and it is left to the
 * general loop.
 */
import { KIND, TAG } from './object-table.js';
import { OP } from './opcodes.js';
import { shortLong } from './pickle-numbers.js';
import { type PickleState } from './pickle-state.js';
import { readCallStack } from './read-call-stack.js';
import { pairNumber } from './rare-opcodes.js';
import { ROLE } from './roles.js';

/** Values of the record in hand by role; `present` says which are of it. One thread reads one record at a time. */
const VALUES = new Float64Array(32);
const bit = (role: number): number => 1 << role;
const WHOLE_NUMBERS =
  bit(ROLE.addr) |
  bit(ROLE.deviceFree) |
  bit(ROLE.size) |
  bit(ROLE.stream) |
  bit(ROLE.time) |
  bit(ROLE.address) |
  bit(ROLE.requestedSize);
const TEXTS = bit(ROLE.action) | bit(ROLE.state) | bit(ROLE.compileContext) | bit(ROLE.userMetadata);
/** What may be None: there is none. */
const ABSENT = bit(ROLE.frames) | bit(ROLE.pool) | bit(ROLE.compileContext) | bit(ROLE.userMetadata);
const OF_BLOCKS = bit(ROLE.address) | bit(ROLE.size) | bit(ROLE.requestedSize) | bit(ROLE.state) | bit(ROLE.frames);
const OF_EVENTS =
  (WHOLE_NUMBERS & ~(bit(ROLE.address) | bit(ROLE.requestedSize))) |
  (TEXTS & ~bit(ROLE.state)) |
  bit(ROLE.frames) |
  bit(ROLE.pool);

/**
 * Reads a record whose first key is at `from`. Gives the position after its `SETITEMS`, with the record as container
 * `state.made`, and it, its list of frames and new frames in the memo; or -1, and nothing has happened.
 */
export function readRecord(state: PickleState, from: number): number {
  const { memoCount } = state;
  const containers = state.objects.count;
  const id = state.container(KIND.event, from);
  state.memoize(memoCount, TAG.object, id);
  const after = readPairs(state, from, id);
  if (after === -1) state.takeBack(memoCount, containers);
  else state.made = id;
  return after;
}

/** The pairs of the container `id`, which becomes a block or an entry. */
function readPairs(state: PickleState, from: number, id: number): number {
  const { data, view, strings, objects } = state;
  let { memoTags, memoValues, memoCount } = state;
  // A pair is at most a key of 5 bytes and a number of 9.
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
    if (slot < 0 || slot >= memoCount || memoTags[slot] !== TAG.string) return -1;
    const role = strings.role(memoValues[slot]!);
    const mask = bit(role);
    opcode = data[at]!;
    if ((mask & WHOLE_NUMBERS) !== 0) {
      let value: number;
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
      VALUES[role] = value;
    } else if (opcode === OP.BINGET || opcode === OP.LONG_BINGET) {
      const known = opcode === OP.BINGET ? data[at + 1]! : view.getInt32(at + 1, true);
      at += opcode === OP.BINGET ? 2 : 5;
      if (known < 0 || known >= memoCount) return -1;
      const value = memoValues[known]!;
      if ((mask & TEXTS) !== 0) {
        if (memoTags[known] !== TAG.string) return -1;
        VALUES[role] = value;
      } else {
        const wanted = role === ROLE.frames ? KIND.stack : role === ROLE.pool ? KIND.pair : -1;
        if (memoTags[known] !== TAG.object || objects.kinds[value] !== wanted) return -1;
        VALUES[role] = objects.payload[value]!;
      }
    } else if (opcode === OP.NONE && (mask & ABSENT) !== 0) {
      at += 1;
      VALUES[role] = -1;
    } else if (
      role === ROLE.pool &&
      opcode === OP.BININT1 &&
      data[at + 2] === OP.BININT1 &&
      data[at + 4] === OP.TUPLE2 &&
      data[at + 5] === OP.MEMOIZE
    ) {
      // Newer versions write a pool pair of its own with every entry.
      const number = pairNumber(state, data[at + 1]!, data[at + 3]!);
      const made = state.container(KIND.pair, from);
      objects.payload[made] = number;
      state.memoize(memoCount, TAG.object, made);
      at += 6;
      VALUES[role] = number;
      ({ memoTags, memoValues, memoCount } = state);
    } else if (role === ROLE.frames && opcode === OP.EMPTY_LIST && data[at + 1] === OP.MEMOIZE) {
      const list = state.container(KIND.list, from);
      state.memoize(memoCount, TAG.object, list);
      at += 2;
      VALUES[role] = -1;
      if (data[at] === OP.MARK) {
        at = readCallStack(state, list, at + 1);
        if (at === -1) return -1;
        VALUES[role] = objects.payload[list]!;
      }
      ({ memoTags, memoValues, memoCount } = state);
    } else return -1;
    // A key given twice is left to the general loop.
    if ((present & mask) !== 0) return -1;
    present |= mask;
  }
  const isBlock = (present & bit(ROLE.state)) !== 0 && (present & ~OF_BLOCKS) === 0 && VALUES[ROLE.size]! >= 0;
  const isEvent = (present & bit(ROLE.action)) !== 0 && (present & ~OF_EVENTS) === 0;
  if ((!isBlock && !isEvent) || (present & bit(ROLE.size)) === 0) return -1;
  const stack = numberOf(present, ROLE.frames, -1);
  objects.kinds[id] = isBlock ? KIND.block : KIND.event;
  objects.payload[id] = isBlock ? addBlock(state, present, stack) : addEvent(state, present, stack);
  return at + 1;
}

const numberOf = (present: number, role: number, otherwise: number): number =>
  (present & bit(role)) !== 0 ? VALUES[role]! : otherwise;

function addBlock(state: PickleState, present: number, stack: number): number {
  const { blocks } = state;
  const row = blocks.add();
  blocks.address[row] = numberOf(present, ROLE.address, NaN);
  blocks.size[row] = VALUES[ROLE.size]!;
  blocks.requested[row] = numberOf(present, ROLE.requestedSize, NaN);
  blocks.state[row] = VALUES[ROLE.state]!;
  blocks.stack[row] = stack;
  return row;
}

function addEvent(state: PickleState, present: number, stack: number): number {
  const { events } = state;
  const row = events.add();
  events.action[row] = VALUES[ROLE.action]!;
  events.addr[row] = numberOf(present, ROLE.addr, numberOf(present, ROLE.deviceFree, NaN));
  events.size[row] = VALUES[ROLE.size]!;
  events.stream[row] = numberOf(present, ROLE.stream, 0);
  events.time[row] = numberOf(present, ROLE.time, NaN);
  events.stack[row] = stack;
  events.metadata[row] = numberOf(present, ROLE.userMetadata, -1);
  events.context[row] = numberOf(present, ROLE.compileContext, -1);
  events.pool[row] = numberOf(present, ROLE.pool, -1);
  return row;
}
