/**
 * Open addressing over 32-bit hashes: slots of numbers, nothing else. Whoever uses it keeps the keys and compares them.
 * A chain is followed for a bounded number of steps, so that a file made of colliding keys costs linear time: beyond
 * that a key is simply not shared.
 */
const LONGEST_CHAIN = 48;

export class HashSlots {
  #slots: Int32Array;
  #mask: number;
  #used = 0;

  /** Room for about `keys` keys; it grows. */
  constructor(keys: number) {
    this.#slots = new Int32Array(2 ** (33 - Math.clz32(Math.max(keys, 64) - 1)));
    this.#mask = this.#slots.length - 1;
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
    return this.#slots[slot]! - 1;
  }

  /** Puts a number in an empty slot. `hashOf` gives the hash of any number put before, for growing. */
  put(slot: number, value: number, hashOf: (value: number) => number): void {
    this.#slots[slot] = value + 1;
    if (++this.#used * 2 > this.#slots.length) this.#grow(hashOf);
  }

  #grow(hashOf: (value: number) => number): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    this.#mask = this.#slots.length - 1;
    for (const entry of old) {
      if (entry === 0) continue;
      let slot = this.first(hashOf(entry - 1));
      for (let step = 0; this.#slots[slot] !== 0; step++) {
        const next = this.next(slot, step);
        if (next === -1) break;
        slot = next;
      }
      if (this.#slots[slot] === 0) this.#slots[slot] = entry;
    }
  }
}
