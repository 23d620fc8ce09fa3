/**
 * Runs a pickle's opcodes on typed arrays: no object is made for a value, so a million events cost columns and not
 * dictionaries. Two things keep it fast: a call stack (`MARK`, then only references to frames, then `APPENDS`) is read by
 * a loop of its own, and a dictionary of an event goes from the stack to the columns in one pass.
 *
 *     const machine = new PickleMachine(bytes, 'mem.pickle');
 *     while (!machine.run(1 << 22)) report(machine.position);
 *
 * Nothing in a file is carried out: opcodes that name classes or call are refused by name and offset. All limits are on
 * what a file claims, so a small file cannot ask for much memory or time.
 */
import { KIND, TAG } from './object-table.js';
import { OP } from './opcodes.js';
import { appendItems, setItems } from './pickle-items.js';
import { bigLong, smallLong } from './pickle-numbers.js';
import { LONGEST_CALL_STACK, PickleState } from './pickle-state.js';
import { rare } from './rare-opcodes.js';
import { finishedHash } from './stack-table.js';

export class PickleMachine {
  readonly #state: PickleState;

  /** `name` stands in messages. Throws `AppError` (`bad-input`) for a file of 2 GiB or more. */
  constructor(data: Uint8Array, name: string) {
    this.#state = new PickleState(data, name);
  }

  /** Bytes done. */
  get position(): number {
    return this.#state.at;
  }

  /** The tables that values went to; complete once `run` has said true. */
  get tables(): PickleState {
    return this.#state;
  }

  /**
   * Goes on for about `bytes` bytes; true when the file's value is complete.
   * Throws `AppError` (`bad-input`): one line with what is wrong and the byte offset.
   */
  run(bytes: number): boolean {
    const state = this.#state;
    const data = state.data;
    const view = state.view;
    const end = data.length;
    const pause = Math.min(end, state.at + bytes);
    let at = state.at;
    let top = state.top;
    let tags = state.tags;
    let values = state.values;
    let room = tags.length;
    while (at < pause) {
      if (top === room) {
        state.growStack(at);
        tags = state.tags;
        values = state.values;
        room = tags.length;
      }
      const start = at;
      const opcode = data[at++]!;
      // Numbers, not names: V8 makes a jump table only of literals.
      switch (opcode) {
        case 0x68: /* BINGET */ {
          if (at >= end) throw state.cut(start);
          const slot = data[at++]!;
          if (slot >= state.memoCount) throw state.noMemo(slot, start);
          const tag = state.memoTags[slot]!;
          if (tag === TAG.unset) throw state.noMemo(slot, start);
          tags[top] = tag;
          values[top++] = state.memoValues[slot]!;
          break;
        }
        case 0x6a: /* LONG_BINGET */ {
          if (at + 4 > end) throw state.cut(start);
          const slot = view.getUint32(at, true);
          at += 4;
          if (slot >= state.memoCount) throw state.noMemo(slot, start);
          const tag = state.memoTags[slot]!;
          if (tag === TAG.unset) throw state.noMemo(slot, start);
          tags[top] = tag;
          values[top++] = state.memoValues[slot]!;
          break;
        }
        case 0x94 /* MEMOIZE */:
          if (top === 0) throw state.empty(start);
          state.memoize(state.memoCount, tags[top - 1]!, values[top - 1]!);
          break;
        case 0x28: /* MARK */ {
          const next = at < end ? data[at] : 0;
          if ((next === OP.BINGET || next === OP.LONG_BINGET) && top > 0 && tags[top - 1] === TAG.object) {
            const after = readCallStack(state, values[top - 1]!, at);
            if (after !== -1) {
              at = after;
              break;
            }
          }
          if (state.markCount === state.marks.length) state.growMarks(start);
          state.marks[state.markCount++] = top;
          break;
        }
        case 0x4b /* BININT1 */:
          if (at >= end) throw state.cut(start);
          tags[top] = TAG.integer;
          values[top++] = data[at++]!;
          break;
        case 0x4d /* BININT2 */:
          if (at + 2 > end) throw state.cut(start);
          tags[top] = TAG.integer;
          values[top++] = data[at]! + 256 * data[at + 1]!;
          at += 2;
          break;
        case 0x4a /* BININT */:
          if (at + 4 > end) throw state.cut(start);
          tags[top] = TAG.integer;
          values[top++] = view.getInt32(at, true);
          at += 4;
          break;
        case 0x8a: /* LONG1 */ {
          if (at >= end) throw state.cut(start);
          const length = data[at++]!;
          if (at + length > end) throw state.cut(start);
          const small = smallLong(data, at, length);
          tags[top] = small === undefined ? TAG.big : TAG.integer;
          values[top++] = small ?? state.bigs.push(bigLong(data, at, length)) - 1;
          at += length;
          break;
        }
        case 0x8c: /* SHORT_BINUNICODE */ {
          if (at >= end) throw state.cut(start);
          const length = data[at++]!;
          if (at + length > end) throw state.cut(start);
          tags[top] = TAG.string;
          values[top++] = state.strings.intern(at, length);
          at += length;
          break;
        }
        case 0x7d /* EMPTY_DICT */:
          tags[top] = TAG.object;
          values[top++] = state.container(KIND.dict, start);
          break;
        case 0x5d /* EMPTY_LIST */:
          tags[top] = TAG.object;
          values[top++] = state.container(KIND.list, start);
          break;
        case 0x75: /* SETITEMS */ {
          const from = state.popMark(top, start);
          setItems(state, from, top, start);
          top = from;
          break;
        }
        case 0x65: /* APPENDS */ {
          const from = state.popMark(top, start);
          appendItems(state, from, top, start);
          top = from;
          break;
        }
        case 0x95 /* FRAME */:
          if (at + 8 > end) throw state.cut(start);
          // The length only says how much Python reads ahead; one past the end is a cut file.
          if (state.length8(at, start) > end - at - 8) throw state.cut(start);
          at += 8;
          break;
        case 0x2e /* STOP */:
          if (top !== 1 || state.markCount !== 0) {
            throw state.bad(start, `the pickle ends with ${top} values on its stack instead of 1`);
          }
          state.at = at;
          state.top = top;
          return true;
        default:
          state.at = at;
          state.top = top;
          rare(state, opcode, start);
          at = state.at;
          top = state.top;
          tags = state.tags;
          values = state.values;
          room = tags.length;
      }
    }
    state.at = at;
    state.top = top;
    if (at >= end) throw state.ended();
    return false;
  }
}

/**
 * Reads a whole call stack: references to frames up to `APPENDS`, into the empty list `list`. Gives the position after
 * it, or -1 (and nothing has happened) where it is anything else.
 */
function readCallStack(state: PickleState, list: number, from: number): number {
  const data = state.data;
  const end = data.length - 5;
  const frames = state.memoFrames;
  const scratch = state.scratch;
  const memoCount = state.memoCount;
  if (state.objects.kinds[list] !== KIND.list || state.objects.lengths[list] !== 0) return -1;
  let at = from;
  let count = 0;
  let hash = 0;
  while (at < end) {
    const opcode = data[at]!;
    let slot: number;
    if (opcode === OP.BINGET) {
      slot = data[at + 1]!;
      at += 2;
    } else if (opcode === OP.LONG_BINGET) {
      // Slots over 2^31 come out negative and are no slot.
      slot = data[at + 1]! | (data[at + 2]! << 8) | (data[at + 3]! << 16) | (data[at + 4]! << 24);
      at += 5;
    } else if (opcode === OP.APPENDS) {
      state.objects.kinds[list] = KIND.stack;
      state.objects.payload[list] = state.stacks.internStack(scratch, count, finishedHash(hash, count));
      return at + 1;
    } else return -1;
    if (slot < 0 || slot >= memoCount || count === LONGEST_CALL_STACK) return -1;
    let frame = frames[slot]!;
    if (frame === 0) {
      frame = frameOfMemo(state, slot);
      if (frame === 0) return -1;
    }
    scratch[count++] = frame - 1;
    hash = (Math.imul(hash, 31) + frame - 1) | 0;
  }
  return -1;
}

function frameOfMemo(state: PickleState, slot: number): number {
  if (state.memoTags[slot] !== TAG.object) return 0;
  const id = state.memoValues[slot]!;
  if (state.objects.kinds[id] !== KIND.frame) return 0;
  const frame = state.objects.payload[id]! + 1;
  state.memoFrames[slot] = frame;
  return frame;
}
