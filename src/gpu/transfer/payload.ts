/** Words to send: incompressible, known without the GPU, and a different stretch for each repetition. */
import { mulberry32, type Random } from '../../base/random.js';

const WORD = 4;
/** Repetition r sends from word r mod SHIFTS on, so that a transfer that did not happen shows. */
const SHIFTS = 16;

export class Payload {
  #words = new Uint32Array(0);
  readonly #random: Random;

  constructor(readonly seed: number) {
    this.#random = mulberry32(seed);
  }

  /** The words that repetition `repeat` sends: `bytes` of them, a multiple of 4. */
  words(bytes: number, repeat: number): Uint32Array<ArrayBuffer> {
    const count = bytes / WORD;
    this.#grow(count + SHIFTS);
    const first = repeat % SHIFTS;
    return this.#words.subarray(first, first + count);
  }

  /** Draws what is missing; what is there stays, so that the words do not depend on the order of sizes. */
  #grow(length: number): void {
    const known = this.#words;
    if (known.length >= length) return;
    const words = new Uint32Array(length);
    words.set(known);
    for (let i = known.length; i < length; i++) words[i] = this.#random();
    this.#words = words;
  }
}
