/**
 * A call stack (`MARK`, references to known frames and frames met for the first time, `APPENDS`), which are most of a
 * snapshot's bytes. Whoever calls it can take back what an unfinished stack left behind: anything but frames is left to
 * the general loop.
 */
import { KIND, TAG } from './object-table.js';
import { OP } from './opcodes.js';
import { type PickleState } from './pickle-state.js';
import { readFrame } from './read-frame.js';
import { finishedHash } from './stack-table.js';
import { LONGEST_CALL_STACK } from './workbench.js';

/**
 * Reads frames from `from` (after `MARK`) up to `APPENDS`. Gives the position after it, the stack being in
 * `state.scratch` with `state.scratchCount` frames and `state.scratchHash`, and new frames in the memo; or -1, and the
 * frames up to there have to be taken back (`state.takeBack`).
 */
export function scanCallStack(state: PickleState, from: number): number {
  const { data, view, scratch } = state;
  let notes = state.memoNotes;
  let memoCount = state.memoCount;
  const end = data.length - 5;
  let at = from;
  let count = 0;
  let hash = 0;
  while (at < end) {
    const opcode = data[at]!;
    let frame: number;
    if (opcode === OP.BINGET || opcode === OP.LONG_BINGET) {
      // Slots over 2^31 come out negative and are no slot.
      const slot = opcode === OP.BINGET ? data[at + 1]! : view.getInt32(at + 1, true);
      at += opcode === OP.BINGET ? 2 : 5;
      if (slot < 0 || slot >= memoCount) return -1;
      frame = notes[slot]!;
      if (frame <= 0) {
        frame = frameOfMemo(state, slot);
        if (frame === 0) return -1;
      }
    } else if (opcode === OP.APPENDS) {
      state.scratchCount = count;
      state.scratchHash = finishedHash(hash, count);
      return at + 1;
    } else {
      if (opcode !== OP.EMPTY_DICT || data[at + 1] !== OP.MEMOIZE || data[at + 2] !== OP.MARK) return -1;
      at = readFrame(state, at + 3);
      if (at === -1) return -1;
      notes = state.memoNotes;
      memoCount = state.memoCount;
      frame = state.objects.payload[state.made]! + 1;
    }
    if (count === LONGEST_CALL_STACK) return -1;
    scratch[count++] = frame - 1;
    hash = (Math.imul(hash, 31) + frame - 1) | 0;
  }
  return -1;
}

/** The same for the empty list `list`, which becomes the call stack. Gives -1, and nothing has happened. */
export function readCallStack(state: PickleState, list: number, from: number): number {
  const { objects, memoCount } = state;
  if (objects.kinds[list] !== KIND.list || objects.lengths[list] !== 0) return -1;
  const containers = objects.count;
  const after = scanCallStack(state, from);
  if (after === -1) {
    state.takeBack(memoCount, containers);
    return -1;
  }
  objects.kinds[list] = KIND.stack;
  objects.payload[list] = state.stacks.internStack(state.scratch, state.scratchCount, state.scratchHash);
  return after;
}

function frameOfMemo(state: PickleState, slot: number): number {
  if (state.memoTags[slot] !== TAG.object) return 0;
  const id = state.memoValues[slot]!;
  if (state.objects.kinds[id] !== KIND.frame) return 0;
  const frame = state.objects.payload[id]! + 1;
  state.memoNotes[slot] = frame;
  return frame;
}
