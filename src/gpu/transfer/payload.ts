/** Words to send: incompressible, known without the GPU, and a different stretch for each repetition. */
import { mulberry32 } from '../../base/random.js';

const WORD = 4;
/** Repetition r sends from word r mod SHIFTS on, so that a transfer that did not happen shows. */
const SHIFTS = 16;

export class Payload {
  #words = new Uint32Array(0);

  constructor(readonly seed: number) {}

  /** The words that repetition `repeat` sends: `bytes` of them, a multiple of 4. */
  words(bytes: number, repeat: number): Uint32Array<ArrayBuffer> {
    const count = bytes / WORD;
    if (this.#words.length < count + SHIFTS) {
      const random = mulberry32(this.seed);
      this.#words = Uint32Array.from({ length: count + SHIFTS }, random);
    }
    const first = repeat % SHIFTS;
    return this.#words.subarray(first, first + count);
  }
}
