/**
 * Rows in order of their addresses, for a hundred thousand of them and millions of changes: a list in chunks of up to
 * 512, so that a change moves a few hundred numbers and a search is two bisections (about 200 ns).
 *
 *     index.insert(address, row); // previous and next are its neighbours now
 */
const CHUNK = 512;

class Chunk {
  readonly keys = new Float64Array(CHUNK);
  readonly rows = new Int32Array(CHUNK);
  length = 0;
}

export class AddressIndex {
  #chunks: Chunk[] = [];
  #length = 0;
  /** Neighbours of the place that the last call was about; -1 where there is none. */
  previous = -1;
  next = -1;

  get length(): number {
    return this.#length;
  }

  /** Adds a row at an address that has none. */
  insert(address: number, row: number): void {
    let at = this.#chunkAt(address);
    let chunk = this.#chunks[at];
    if (chunk === undefined) {
      chunk = new Chunk();
      this.#chunks.push(chunk);
      at = this.#chunks.length - 1;
    }
    if (chunk.length === CHUNK) {
      this.#split(at);
      if (this.#chunks[at + 1]!.keys[0]! <= address) at++;
      chunk = this.#chunks[at]!;
    }
    const place = lowerBound(chunk, address);
    chunk.keys.copyWithin(place + 1, place, chunk.length);
    chunk.rows.copyWithin(place + 1, place, chunk.length);
    chunk.keys[place] = address;
    chunk.rows[place] = row;
    chunk.length++;
    this.#length++;
    this.#look(at, place, place + 1);
  }

  /** Takes the row at an address out and returns it; -1 where there is none. */
  remove(address: number): number {
    const at = this.#chunkAt(address);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return -1;
    const place = lowerBound(chunk, address);
    if (place >= chunk.length || chunk.keys[place] !== address) return -1;
    const row = chunk.rows[place]!;
    chunk.keys.copyWithin(place, place + 1, chunk.length);
    chunk.rows.copyWithin(place, place + 1, chunk.length);
    chunk.length--;
    this.#length--;
    this.#look(at, place, place);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
    return row;
  }

  /** The last row at or before an address, -1 without one. Sets `previous` to it and `next` to the first one after. */
  floor(address: number): number {
    const at = this.#chunkAt(address);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.previous = -1;
      this.next = -1;
      return -1;
    }
    const place = lowerBound(chunk, address);
    const isThere = place < chunk.length && chunk.keys[place] === address;
    this.#look(at, isThere ? place + 1 : place, isThere ? place + 1 : place);
    return this.previous;
  }

  /** Writes all rows in order into `target` from `offset` on. */
  writeTo(target: Int32Array, offset: number): void {
    let at = offset;
    for (const { rows, length } of this.#chunks) {
      target.set(rows.subarray(0, length), at);
      at += length;
    }
  }

  /** Neighbours: the row before place `before` of chunk `at`, and the row at place `after`. */
  #look(at: number, before: number, after: number): void {
    const chunk = this.#chunks[at]!;
    const left = before > 0 ? chunk : this.#chunks[at - 1];
    this.previous = left === undefined ? -1 : left.rows[before > 0 ? before - 1 : left.length - 1]!;
    const right = after < chunk.length ? chunk : this.#chunks[at + 1];
    this.next = right === undefined ? -1 : right.rows[after < chunk.length ? after : 0]!;
  }

  /** The chunk that an address belongs to: the last one that starts at or before it, else the first. */
  #chunkAt(address: number): number {
    const chunks = this.#chunks;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (chunks[middle]!.keys[0]! <= address) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #split(at: number): void {
    const left = this.#chunks[at]!;
    const right = new Chunk();
    const half = CHUNK / 2;
    right.keys.set(left.keys.subarray(half));
    right.rows.set(left.rows.subarray(half));
    right.length = CHUNK - half;
    left.length = half;
    this.#chunks.splice(at + 1, 0, right);
  }
}

function lowerBound({ keys, length }: Chunk, address: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < address) low = middle + 1;
    else high = middle;
  }
  return low;
}
