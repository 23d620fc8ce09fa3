/**
 * Open addressing over 32-bit hashes: slots of a number and its hash, nothing else. Whoever uses it keeps the keys and
 * compares them. A chain is followed for a bounded number of steps, so that a file made of colliding keys costs linear
 * time: beyond that a key is simply not shared.
 */
const LONGEST_CHAIN = 48;
/** A table of up to this many slots is emptied whole: that is cheaper than growing it again. */
const KEPT_SLOTS = 2 ** 11;

export class HashSlots {
  /** Number + 1 and hash of each slot. */
  #slots = new Int32Array(2 * 128);
  #mask = 127;
  #used = 0;

  /** Empties it, with room for about `keys` keys; it grows. Memory of an earlier use is taken again. */
  clear(keys: number): void {
    const kept = Math.min(KEPT_SLOTS, this.#slots.length >> 1);
    const count = Math.max(kept, 2 ** (33 - Math.clz32(Math.max(keys, 64) - 1)));
    if (this.#slots.length < 2 * count) this.#slots = new Int32Array(2 * count);
    else this.#slots.fill(0, 0, 2 * count);
    this.#mask = count - 1;
    this.#used = 0;
  }

  /** Bytes of memory that it holds. */
  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** The first slot to look at. */
  first(hash: number): number {
    return (hash ^ (hash >>> 15)) & this.#mask;
  }

  /** The slot after `slot`, at step `step` of the chain; -1 when the chain ends here. */
  next(slot: number, step: number): number {
    return step >= LONGEST_CHAIN ? -1 : (slot + 1) & this.#mask;
  }

  /** The number in a slot, -1 when it is empty. */
  at(slot: number): number {
    return this.#slots[2 * slot]! - 1;
  }

  hashAt(slot: number): number {
    return this.#slots[2 * slot + 1]!;
  }

  /** Puts a number in an empty slot. */
  put(slot: number, value: number, hash: number): void {
    this.#slots[2 * slot] = value + 1;
    this.#slots[2 * slot + 1] = hash;
    if (++this.#used * 2 > this.#mask) this.#grow();
  }

  #grow(): void {
    const old = this.#slots;
    const count = this.#mask + 1;
    this.#slots = new Int32Array(4 * count);
    this.#mask = 2 * count - 1;
    for (let from = 0; from < count; from++) {
      const entry = old[2 * from]!;
      if (entry === 0) continue;
      const hash = old[2 * from + 1]!;
      let slot = this.first(hash);
      for (let step = 0; this.#slots[2 * slot] !== 0; step++) {
        const next = this.next(slot, step);
        if (next === -1) break;
        slot = next;
      }
      if (this.#slots[2 * slot] !== 0) continue;
      this.#slots[2 * slot] = entry;
      this.#slots[2 * slot + 1] = hash;
    }
  }
}
