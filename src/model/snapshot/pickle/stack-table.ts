/**
 * Call frames and call stacks by number, equal ones once: a frame is (name, file, line), a stack a list of frames. 19,136
 * events of a real snapshot have 215 stacks.
 */
import { grownInts } from './grow.js';
import { type HashSlots } from './hash-slots.js';

const FRAME_WIDTH = 3;
const FIRST_FRAMES = 512;
const FIRST_STACKS = 128;

export class StackTable {
  readonly #frameSlots: HashSlots;
  /** Name, file and line of each frame. */
  #frameFields: Int32Array<ArrayBuffer>;
  #frameCount = 0;

  readonly #stackSlots: HashSlots;
  /** Where the frames of each stack begin; the next stack's start is where they end. */
  #starts: Int32Array<ArrayBuffer>;
  #stackCount = 0;
  #frames: Int32Array<ArrayBuffer>;

  /** `fileBytes` of the pickle. The slots have to be empty, and are used only until the last frame or stack is interned. */
  constructor(frameSlots: HashSlots, stackSlots: HashSlots, fileBytes: number) {
    const rows = Math.min(2 ** 14, Math.max(256, fileBytes >> 5));
    // One buffer for all three until one of them grows: making an array costs more than filling it.
    const fields = FRAME_WIDTH * FIRST_FRAMES;
    const buffer = new ArrayBuffer(4 * (fields + FIRST_STACKS + rows));
    this.#frameFields = new Int32Array(buffer, 0, fields);
    this.#starts = new Int32Array(buffer, 4 * fields, FIRST_STACKS);
    this.#frames = new Int32Array(buffer, 4 * (fields + FIRST_STACKS), rows);
    this.#frameSlots = frameSlots;
    this.#stackSlots = stackSlots;
  }

  get frameCount(): number {
    return this.#frameCount;
  }

  get stackCount(): number {
    return this.#stackCount;
  }

  /** Number of a frame; name and file are string numbers. */
  internFrame(name: number, file: number, line: number): number {
    const hash = Math.imul(Math.imul(Math.imul(name + 1, 0x85ebca6b) ^ file, 0xc2b2ae35) ^ line, 0x27d4eb2f);
    const fields = this.#frameFields;
    const slots = this.#frameSlots;
    let slot = slots.first(hash);
    for (let step = 0; slot !== -1; step++) {
      const known = slots.at(slot);
      if (known === -1) break;
      const at = FRAME_WIDTH * known;
      if (fields[at] === name && fields[at + 1] === file && fields[at + 2] === line) return known;
      slot = slots.next(slot, step);
    }
    const made = this.#frameCount++;
    const row = FRAME_WIDTH * made;
    if (row === fields.length) this.#frameFields = grownInts(fields, 0);
    const into = this.#frameFields;
    into[row] = name;
    into[row + 1] = file;
    into[row + 2] = line;
    if (slot !== -1) slots.put(slot, made, hash);
    return made;
  }

  /** Number of the stack of the first `count` frames in `frames`, the innermost first. `hash` as `stackHash` gives it. */
  internStack(frames: Int32Array, count: number, hash: number): number {
    const slots = this.#stackSlots;
    let slot = slots.first(hash);
    for (let step = 0; slot !== -1; step++) {
      const known = slots.at(slot);
      if (known === -1) break;
      if (slots.hashAt(slot) === hash && this.#sameStack(known, frames, count)) return known;
      slot = slots.next(slot, step);
    }
    const made = this.#stackCount++;
    if (made + 1 === this.#starts.length) this.#starts = grownInts(this.#starts, 0);
    const start = this.#starts[made]!;
    if (start + count > this.#frames.length) this.#frames = grownInts(this.#frames, start + count);
    for (let i = 0; i < count; i++) this.#frames[start + i] = frames[i]!;
    this.#starts[made + 1] = start + count;
    if (slot !== -1) slots.put(slot, made, hash);
    return made;
  }

  /** The frames of a stack, innermost first: a view, valid until the next `internStack`. */
  framesOf(stack: number): Int32Array {
    return this.#frames.subarray(this.#starts[stack], this.#starts[stack + 1]);
  }

  /** String numbers of name and file, and the line. */
  frame(index: number): { readonly name: number; readonly file: number; readonly line: number } {
    const at = FRAME_WIDTH * index;
    return { name: this.#frameFields[at]!, file: this.#frameFields[at + 1]!, line: this.#frameFields[at + 2]! };
  }

  #sameStack(known: number, frames: Int32Array, count: number): boolean {
    const start = this.#starts[known]!;
    if (this.#starts[known + 1]! - start !== count) return false;
    for (let i = 0; i < count; i++) if (this.#frames[start + i] !== frames[i]) return false;
    return true;
  }
}

/** Hash of a list of frames: what the reading loop computes on its way, in one place for all others. */
export function stackHash(frames: Int32Array, count: number): number {
  let hash = 0;
  for (let i = 0; i < count; i++) hash = (Math.imul(hash, 31) + frames[i]!) | 0;
  return finishedHash(hash, count);
}

/** The running value `hash * 31 + frame` of `count` frames, mixed. */
export const finishedHash = (hash: number, count: number): number => Math.imul((hash + count) | 0, 0x9e3779b1);
