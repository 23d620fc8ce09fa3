/** Opcodes that real snapshots seldom have, and all of protocol 0 and 1: correctness before speed. */
import { say } from '../../../base/said.js';
import { KIND, TAG } from './object-table.js';
import { OP, refusal } from './opcodes.js';
import {
  MOST_EVENT_KEYS,
  appendItems,
  asCallStack,
  asEvent,
  asFrame,
  checkKeys,
  setItems,
  target,
} from './pickle-items.js';
import { LONGEST_INTEGER, bigLong, smallLong } from './pickle-numbers.js';
import { type PickleState } from './pickle-state.js';
import { decimalInteger, quotedText, rawUnicode } from './text-opcodes.js';

const HIGHEST_PROTOCOL = 5;

/** Opcodes that real snapshots seldom have. State is in the fields here, not in the loop's variables. */
export function rare(state: PickleState, opcode: number, start: number): void {
  const data = state.data;
  const view = state.view;
  switch (opcode) {
    case OP.PROTO: {
      const protocol = data[state.take(1, start)]!;
      if (protocol > HIGHEST_PROTOCOL)
        throw state.bad(start, say`protocol ${protocol}; protocols 0 to ${HIGHEST_PROTOCOL} are read`);
      return;
    }
    case OP.NONE: {
      state.push(TAG.none, 0, start);
      return;
    }
    case OP.NEWTRUE: {
      state.push(TAG.true, 0, start);
      return;
    }
    case OP.NEWFALSE: {
      state.push(TAG.false, 0, start);
      return;
    }
    case OP.BINFLOAT: {
      state.push(TAG.float, view.getFloat64(state.take(8, start), false), start);
      return;
    }
    case OP.LONG4: {
      pushLong(state, view.getInt32(state.take(4, start), true), start);
      return;
    }
    case OP.BINUNICODE:
    case OP.BINSTRING: {
      pushString(state, view.getUint32(state.take(4, start), true), start);
      return;
    }
    case OP.SHORT_BINSTRING: {
      pushString(state, data[state.take(1, start)]!, start);
      return;
    }
    case OP.BINUNICODE8: {
      pushString(state, state.length8(state.take(8, start), start), start);
      return;
    }
    case OP.SHORT_BINBYTES: {
      pushBlob(state, data[state.take(1, start)]!, start);
      return;
    }
    case OP.BINBYTES: {
      pushBlob(state, view.getUint32(state.take(4, start), true), start);
      return;
    }
    case OP.BINBYTES8:
    case OP.BYTEARRAY8: {
      pushBlob(state, state.length8(state.take(8, start), start), start);
      return;
    }
    case OP.EMPTY_TUPLE: {
      state.push(TAG.object, state.container(KIND.tuple, start), start);
      return;
    }
    case OP.EMPTY_SET: {
      state.push(TAG.object, state.container(KIND.set, start), start);
      return;
    }
    case OP.TUPLE1:
    case OP.TUPLE2:
    case OP.TUPLE3: {
      tuple(state, state.top - (opcode - OP.TUPLE1 + 1), KIND.tuple, start);
      return;
    }
    case OP.TUPLE: {
      tuple(state, state.popMark(state.top, start), KIND.tuple, start);
      return;
    }
    case OP.FROZENSET: {
      tuple(state, state.popMark(state.top, start), KIND.set, start);
      return;
    }
    case OP.LIST: {
      listOrDict(state, KIND.list, start);
      return;
    }
    case OP.DICT: {
      listOrDict(state, KIND.dict, start);
      return;
    }
    case OP.APPEND:
      if (state.top < 2) throw state.empty(start);
      appendItems(state, state.top - 1, state.top, start);
      state.top -= 1;
      return;
    case OP.SETITEM:
      if (state.top < 3) throw state.empty(start);
      setItems(state, state.top - 2, state.top, start);
      state.top -= 2;
      return;
    case OP.ADDITEMS: {
      const from = state.popMark(state.top, start);
      const id = target(state, from, KIND.set, 'ADDITEMS', 'a set', start);
      state.objects.append(id, state.tags, state.values, from, state.top);
      state.top = from;
      return;
    }
    default:
      rarer(state, opcode, start);
  }
}

/** Stack and memo moves, and the text opcodes of protocol 0. */
export function rarer(state: PickleState, opcode: number, start: number): void {
  const data = state.data;
  const view = state.view;
  switch (opcode) {
    case OP.POP:
      if (state.markCount > 0 && state.marks[state.markCount - 1] === state.top) state.markCount--;
      else if (state.top === 0) throw state.empty(start);
      else state.top--;
      return;
    case OP.POP_MARK:
      state.top = state.popMark(state.top, start);
      return;
    case OP.DUP:
      state.needOne(start);
      {
        state.push(state.tags[state.top - 1]!, state.values[state.top - 1]!, start);
        return;
      }
    case OP.BINPUT: {
      put(state, data[state.take(1, start)]!, start);
      return;
    }
    case OP.LONG_BINPUT: {
      put(state, view.getUint32(state.take(4, start), true), start);
      return;
    }
    case OP.PUT: {
      put(state, state.lineInteger(start), start);
      return;
    }
    case OP.GET: {
      const slot = state.lineInteger(start);
      if (slot < 0 || slot >= state.memoCount || state.memoTags[slot] === TAG.unset) throw state.noMemo(slot, start);
      state.push(state.memoTags[slot]!, state.memoValues[slot]!, start);
      return;
    }
    case OP.INT:
    case OP.LONG: {
      pushDecimal(state, state.line(start), start);
      return;
    }
    case OP.FLOAT: {
      const line = state.line(start);
      const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(line) ? Number(line) : NaN;
      if (Number.isNaN(value) && !/^-?nan$|^-?inf$/.test(line))
        throw state.bad(start, say`"${line.slice(0, 40)}" is no number`);
      state.push(TAG.float, line.endsWith('inf') ? (line.startsWith('-') ? -Infinity : Infinity) : value, start);
      return;
    }
    case OP.STRING: {
      const text = quotedText(state.line(start));
      if (text === undefined) throw state.bad(start, say`a STRING without quotes`);
      state.push(TAG.string, state.strings.literal(text), start);
      return;
    }
    case OP.UNICODE: {
      state.push(TAG.string, state.strings.literal(rawUnicode(state.line(start))), start);
      return;
    }
    default:
      throw state.bad(start, refusal(opcode));
  }
}

export function pushString(state: PickleState, length: number, start: number): void {
  const from = state.take(length, start);
  state.push(TAG.string, state.strings.intern(from, length), start);
}

export function pushBlob(state: PickleState, length: number, start: number): void {
  const from = state.take(length, start);
  state.push(TAG.bytes, state.blobs.push(from, length) / 2 - 1, start);
}

export function pushLong(state: PickleState, length: number, start: number): void {
  if (length < 0 || length > LONGEST_INTEGER) throw state.bad(start, say`an integer of ${length} bytes`);
  const from = state.take(length, start);
  const small = smallLong(state.data, from, length);
  if (small !== undefined) state.push(TAG.integer, small, start);
  else state.push(TAG.big, state.bigs.push(bigLong(state.data, from, length)) - 1, start);
}

/** `I01` and `I00` are booleans in protocol 0. */
export function pushDecimal(state: PickleState, line: string, start: number): void {
  if (line === '01' || line === '00') {
    state.push(line === '01' ? TAG.true : TAG.false, 0, start);
    return;
  }
  const value = decimalInteger(line);
  if (value === undefined) throw state.bad(start, say`"${line.slice(0, 40)}" is no integer`);
  if (typeof value === 'number') state.push(TAG.integer, value, start);
  else state.push(TAG.big, state.bigs.push(value) - 1, start);
}

/** A tuple or frozen set of the values from `from`; two small counts make a pool pair. */
export function tuple(state: PickleState, from: number, kind: number, start: number): void {
  const floor = state.markCount > 0 ? state.marks[state.markCount - 1]! : 0;
  if (from < floor) throw state.empty(start);
  const tags = state.tags;
  const values = state.values;
  const id = state.container(kind, start);
  if (kind === KIND.tuple && state.top - from === 2 && tags[from] === TAG.integer && tags[from + 1] === TAG.integer) {
    const first = values[from]!;
    const second = values[from + 1]!;
    if (first >= 0 && second >= 0 && first < 2 ** 26 && second < 2 ** 26) {
      state.objects.kinds[id] = KIND.pair;
      state.objects.payload[id] = pairNumber(state, first, second);
    } else state.objects.append(id, tags, values, from, state.top);
  } else if (state.top > from) state.objects.append(id, tags, values, from, state.top);
  state.top = from;
  state.push(TAG.object, id, start);
}

export function pairNumber(state: PickleState, first: number, second: number): number {
  const key = first * 2 ** 26 + second;
  const known = state.pairNumbers.get(key);
  if (known !== undefined) return known;
  const made = state.pairs.push(first, second) / 2 - 1;
  state.pairNumbers.set(key, made);
  return made;
}

/** LIST and DICT: the container is made after its items, as protocol 0 writes them. */
export function listOrDict(state: PickleState, kind: number, start: number): void {
  const from = state.popMark(state.top, start);
  const to = state.top;
  const id = state.container(kind, start);
  if (to === from) {
    state.push(TAG.object, id, start);
    return;
  }
  if (kind === KIND.dict) {
    if ((to - from) % 2 !== 0) throw state.bad(start, say`DICT has a key without a value`);
    checkKeys(state, from, to, start);
  }
  const done =
    kind === KIND.list
      ? asCallStack(state, id, from, to)
      : to - from <= 2 * MOST_EVENT_KEYS && (asFrame(state, id, from, to) || asEvent(state, id, from, to));
  if (!done) state.objects.append(id, state.tags, state.values, from, to);
  state.top = from;
  state.push(TAG.object, id, start);
}

/** Memo numbers count what was stored: one beyond the file's length was never written by a pickler. */
export function put(state: PickleState, slot: number, start: number): void {
  state.needOne(start);
  // Picklers number what they store from 0 or 1 on: a wide gap would only ask for memory.
  if (slot < 0 || slot > 2 * state.memoCount + 1024)
    throw state.bad(start, say`memo number ${slot} is far beyond what was stored before it`);
  state.memoize(slot, state.tags[state.top - 1]!, state.values[state.top - 1]!);
}
