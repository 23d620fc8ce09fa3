/**
 * Which tensor an id of a program means now. Ids that count up, as most do, live in a table (10 ns a look-up); any
 * others, addresses for instance, in a map that holds the living only, so that memory stays bounded.
 */
const FIRST_TABLE = 1 << 12;
const LARGEST_TABLE = 2 ** 27;

export class TensorIds {
  /** By id: 0 never seen, -1 freed, otherwise tensor + 1. */
  #table = new Int32Array(FIRST_TABLE);
  readonly #sparse = new Map<number, number>();
  #count = 0;

  /** Tensor number of a new id; -1 when the id is alive. */
  add(id: number): number {
    if (this.find(id) !== -1) return -1;
    const tensor = this.#count++;
    if (id >= this.#table.length && this.#isDense(id)) this.#grow(id);
    if (id < this.#table.length) this.#table[id] = tensor + 1;
    else this.#sparse.set(id, tensor);
    return tensor;
  }

  /** Tensor of a living id, -1 otherwise. */
  find(id: number): number {
    const entry = id < this.#table.length ? (this.#table[id] ?? 0) : 0;
    if (entry > 0) return entry - 1;
    if (this.#sparse.size === 0) return -1;
    return this.#sparse.get(id) ?? -1;
  }

  /** Tensor of an id that dies now, -1 when it was not alive. */
  remove(id: number): number {
    const tensor = this.find(id);
    if (tensor === -1) return -1;
    if (this.#sparse.size === 0 || !this.#sparse.delete(id)) this.#table[id] = -1;
    return tensor;
  }

  /** What is known of an id that is not alive; `unknown` for ids outside the table. */
  stateOf(id: number): 'freed' | 'unseen' | 'unknown' {
    if (id >= this.#table.length) return this.#isDense(id) ? 'unseen' : 'unknown';
    return this.#table[id] === -1 ? 'freed' : 'unseen';
  }

  /** Ids alive now, in order of the table, then of the map. */
  live(): number[] {
    const ids: number[] = [];
    for (let id = 0; id < this.#table.length; id++) if ((this.#table[id] ?? 0) > 0) ids.push(id);
    ids.push(...this.#sparse.keys());
    return ids;
  }

  /** A table up to this id would be at least an eighth full. */
  #isDense(id: number): boolean {
    return id < LARGEST_TABLE && id < 8 * this.#count + FIRST_TABLE;
  }

  #grow(id: number): void {
    const grown = new Int32Array(Math.min(LARGEST_TABLE, Math.max(id + 1, 2 * this.#table.length)));
    grown.set(this.#table);
    this.#table = grown;
  }
}
