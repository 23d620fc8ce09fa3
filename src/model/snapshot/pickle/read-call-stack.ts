/**
 * A call stack of known frames (`MARK`, references, `APPENDS`), which are most of a snapshot's bytes. It looks first and
 * acts only when the whole shape is there; anything else is left to the general loop.
 */
import { KIND, TAG } from './object-table.js';
import { OP } from './opcodes.js';
import { type PickleState } from './pickle-state.js';
import { finishedHash } from './stack-table.js';
import { LONGEST_CALL_STACK } from './workbench.js';

/**
 * Reads references to frames from `from` (after `MARK`) up to `APPENDS`. Gives the position after it, the stack being in
 * `state.scratch` with `state.scratchCount` frames and `state.scratchHash`; or -1, and nothing has happened.
 */
export function scanCallStack(state: PickleState, from: number, memoCount: number): number {
  const { data, view, scratch } = state;
  const frames = state.memoFrames;
  const end = data.length - 5;
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
      slot = view.getInt32(at + 1, true);
      at += 5;
    } else if (opcode === OP.APPENDS) {
      state.scratchCount = count;
      state.scratchHash = finishedHash(hash, count);
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

/** The same for the empty list `list`, which becomes the call stack. */
export function readCallStack(state: PickleState, list: number, from: number, memoCount: number): number {
  const { objects } = state;
  if (objects.kinds[list] !== KIND.list || objects.lengths[list] !== 0) return -1;
  const after = scanCallStack(state, from, memoCount);
  if (after === -1) return -1;
  objects.kinds[list] = KIND.stack;
  objects.payload[list] = state.stacks.internStack(state.scratch, state.scratchCount, state.scratchHash);
  return after;
}

function frameOfMemo(state: PickleState, slot: number): number {
  if (state.memoTags[slot] !== TAG.object) return 0;
  const id = state.memoValues[slot]!;
  if (state.objects.kinds[id] !== KIND.frame) return 0;
  const frame = state.objects.payload[id]! + 1;
  state.memoFrames[slot] = frame;
  return frame;
}
