/**
 * A hash table whose order is that of `ska::flat_hash_map`, which the original uses where order shows: streams with
 * outstanding events, and private pools to flush. Robin Hood hashing over powers of two of slots, at most half full;
 * entries lie in the order of their slots (Skarupke, "I wrote the fastest hashtable", 2017).
 *
 *     const table = new FlatHashTable<Queue>(streamHash);
 *     table.sweep((stream, queue) => queue.length > 0); // in order; drops those that answer false
 */
const FIBONACCI = 11400714819323198485n;
const MIN_SLOTS = 4;
const MIN_LOOKUPS = 4;

/** Upper 32 bits of the hash's product, which the slot is taken from. `hash`: 64 bits. */
const spread = (hash: bigint): number => Number(BigInt.asUintN(64, hash * FIBONACCI) >> 32n);

/** Hash of a CUDA stream: device type 1, device 0, and the handle, which is the stream's number times 0x1000. */
export const streamHash = (stream: number): number => spread((1n << 56n) | (BigInt(stream) * 0x1000n));
/** Hash of a private pool: its number. */
export const poolHash = (pool: number): number => spread(BigInt.asUintN(64, BigInt(pool)));

interface Entry<V> {
  readonly key: number;
  readonly value: V;
  /** Slots between where it would be alone and where it is. */
  distance: number;
}

export class FlatHashTable<V> {
  #slots = 0;
  #maxLookups = MIN_LOOKUPS - 1;
  #entries: (Entry<V> | undefined)[] = [];
  #size = 0;

  constructor(private readonly hash: (key: number) => number) {}

  get size(): number {
    return this.#size;
  }

  get(key: number): V | undefined {
    for (const entry of this.#entries) if (entry?.key === key) return entry.value;
    return undefined;
  }

  /** Adds a key that is not there. */
  add(key: number, value: V): void {
    this.#insert({ key, value, distance: 0 });
  }

  /** Visits all in order; those that answer false go. What is added meanwhile may be visited or not. */
  sweep(keep: (key: number, value: V) => boolean): void {
    let place = 0;
    while (place < this.#entries.length) {
      const entry = this.#entries[place];
      if (entry !== undefined && !keep(entry.key, entry.value)) this.#removeAt(place);
      else place += 1;
    }
  }

  clear(): void {
    this.#entries.fill(undefined);
    this.#size = 0;
  }

  #insert(added: Entry<V>): void {
    if (this.#slots === 0 || this.#size + 1 > this.#slots / 2) this.#grow();
    let carried = added;
    carried.distance = 0;
    let place = this.#home(carried.key);
    for (;;) {
      const there = this.#entries[place];
      if (there === undefined && carried.distance < this.#maxLookups) {
        this.#entries[place] = carried;
        this.#size += 1;
        return;
      }
      if (carried.distance >= this.#maxLookups) {
        // Too far from home: a larger table, and the one that is in the air again.
        this.#grow();
        carried.distance = 0;
        place = this.#home(carried.key);
        continue;
      }
      if (there !== undefined && there.distance < carried.distance) {
        this.#entries[place] = carried;
        carried = there;
      }
      place += 1;
      carried.distance += 1;
    }
  }

  #home(key: number): number {
    return this.hash(key) >>> (32 - Math.log2(this.#slots));
  }

  /** Entries after it that are not at home move one back. */
  #removeAt(place: number): void {
    this.#size -= 1;
    let at = place;
    for (let next = this.#entries[at + 1]; next !== undefined && next.distance > 0; next = this.#entries[at + 1]) {
      next.distance -= 1;
      this.#entries[at] = next;
      at += 1;
    }
    this.#entries[at] = undefined;
  }

  #grow(): void {
    const old = this.#entries;
    this.#slots = Math.max(MIN_SLOTS, this.#slots * 2);
    this.#maxLookups = Math.max(MIN_LOOKUPS, Math.log2(this.#slots));
    this.#entries = new Array<Entry<V> | undefined>(this.#slots + this.#maxLookups).fill(undefined);
    this.#size = 0;
    for (const entry of old) if (entry !== undefined) this.#insert(entry);
  }
}
