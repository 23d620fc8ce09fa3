/**
 * Runs a pickle's opcodes on typed arrays: no object is made for a value, so a million events cost columns and not
 * dictionaries. Two things keep it fast: frames, call stacks, blocks and trace entries have loops of
 * their own (`read-*.ts`), which take the usual shape whole and leave any other to the general loop here.
 *
 *     const machine = new PickleMachine(bytes, 'mem.pickle');
 *     while (!machine.run(1 << 22)) report(machine.position);
 *
 * Nothing in a file is carried out: opcodes that name classes or call are refused by name and offset. All limits are on
 * what a file claims, so a small file cannot ask for much memory or time.
 */
import { say } from '../../../base/said.js';
import { KIND, TAG } from './object-table.js';
import { OP } from './opcodes.js';
import { appendItems, setItems } from './pickle-items.js';
import { bigLong, shortLong, smallLong } from './pickle-numbers.js';
import { PickleState } from './pickle-state.js';
import { readCallStack } from './read-call-stack.js';
import { readFrame } from './read-frame.js';
import { readRecord } from './read-record.js';
import { rare } from './rare-opcodes.js';

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
    let memoTags = state.memoTags;
    let memoValues = state.memoValues;
    let memoNotes = state.memoNotes;
    let memoCount = state.memoCount;
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
          const tag = slot < memoCount ? memoTags[slot]! : TAG.unset;
          if (tag === TAG.unset) throw state.noMemo(slot, start);
          tags[top] = tag;
          values[top++] = memoValues[slot]!;
          break;
        }
        case 0x6a: /* LONG_BINGET */ {
          if (at + 4 > end) throw state.cut(start);
          const slot = view.getUint32(at, true);
          at += 4;
          const tag = slot < memoCount ? memoTags[slot]! : TAG.unset;
          if (tag === TAG.unset) throw state.noMemo(slot, start);
          tags[top] = tag;
          values[top++] = memoValues[slot]!;
          break;
        }
        case 0x94 /* MEMOIZE */:
          if (top === 0) throw state.empty(start);
          if (memoCount === memoTags.length) {
            state.memoCount = memoCount;
            state.growMemo(memoCount + 1);
            memoTags = state.memoTags;
            memoValues = state.memoValues;
            memoNotes = state.memoNotes;
          }
          memoTags[memoCount] = tags[top - 1]!;
          memoValues[memoCount] = values[top - 1]!;
          memoNotes[memoCount++] = 0;
          break;
        case 0x28: /* MARK */ {
          const next = at < end ? data[at] : 0;
          if (
            (next === OP.BINGET || next === OP.LONG_BINGET || next === OP.EMPTY_DICT) &&
            top > 0 &&
            tags[top - 1] === TAG.object
          ) {
            state.memoCount = memoCount;
            const after = readCallStack(state, values[top - 1]!, at);
            memoTags = state.memoTags;
            memoValues = state.memoValues;
            memoNotes = state.memoNotes;
            memoCount = state.memoCount;
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
          const short = shortLong(view, at, length);
          if (short === short) {
            tags[top] = TAG.integer;
            values[top++] = short;
          } else {
            const small = smallLong(data, at, length);
            tags[top] = small === undefined ? TAG.big : TAG.integer;
            values[top++] = small ?? state.bigs.push(bigLong(data, at, length)) - 1;
          }
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
        case 0x7d: /* EMPTY_DICT */ {
          if (at + 1 < end && data[at] === OP.MEMOIZE && data[at + 1] === OP.MARK) {
            state.memoCount = memoCount;
            let after = readFrame(state, at + 2);
            if (after === -1) after = readRecord(state, at + 2);
            memoTags = state.memoTags;
            memoValues = state.memoValues;
            memoNotes = state.memoNotes;
            memoCount = state.memoCount;
            if (after !== -1) {
              at = after;
              tags[top] = TAG.object;
              values[top++] = state.made;
              break;
            }
          }
          tags[top] = TAG.object;
          values[top++] = state.container(KIND.dict, start);
          break;
        }
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
            throw state.bad(start, say`the pickle ends with ${top} values on its stack instead of 1`);
          }
          state.at = at;
          state.top = top;
          return true;
        default:
          state.at = at;
          state.top = top;
          state.memoCount = memoCount;
          rare(state, opcode, start);
          at = state.at;
          top = state.top;
          memoTags = state.memoTags;
          memoValues = state.memoValues;
          memoNotes = state.memoNotes;
          memoCount = state.memoCount;
          tags = state.tags;
          values = state.values;
          room = tags.length;
      }
    }
    state.at = at;
    state.top = top;
    state.memoCount = memoCount;
    if (at >= end) throw state.ended();
    return false;
  }
}
