/** Rows of one length with things on them: the first gap that is long enough, in the first row that has one. */
export class RowShelf {
  readonly #rows: ShelfRow[] = [];

  /** `gap`: bytes between two things in a row. */
  constructor(
    private readonly length: number,
    private readonly gap: number,
  ) {}

  get rows(): number {
    return this.#rows.length;
  }

  /** Puts a thing of `size` bytes, at most a row's length, down. */
  place(thing: number, size: number): { readonly row: number; readonly offset: number } {
    for (let row = 0; ; row++) {
      const shelf = (this.#rows[row] ??= new ShelfRow(this.length, this.gap));
      const offset = shelf.put(thing, size);
      if (offset !== undefined) return { row, offset };
    }
  }

  remove(row: number, thing: number): void {
    this.#rows[row]?.remove(thing);
  }
}

class ShelfRow {
  readonly #things: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** No gap is longer than this. */
  #mostRoom: number;

  constructor(
    private readonly length: number,
    private readonly gap: number,
  ) {
    this.#mostRoom = length;
  }

  put(thing: number, size: number): number | undefined {
    if (size > this.#mostRoom) return undefined;
    let from = 0;
    let most = 0;
    for (let i = 0; i <= this.#things.length; i++) {
      const isLast = i === this.#things.length;
      const room = (isLast ? this.length : this.#starts[i]! - this.gap) - from;
      if (size <= room) {
        this.#things.splice(i, 0, thing);
        this.#starts.splice(i, 0, from);
        this.#ends.splice(i, 0, from + size);
        return from;
      }
      most = Math.max(most, room);
      if (!isLast) from = this.#ends[i]! + this.gap;
    }
    this.#mostRoom = most;
    return undefined;
  }

  remove(thing: number): void {
    const at = this.#things.indexOf(thing);
    if (at < 0) return;
    this.#things.splice(at, 1);
    this.#starts.splice(at, 1);
    this.#ends.splice(at, 1);
    const from = at === 0 ? 0 : this.#ends[at - 1]! + this.gap;
    const to = at === this.#starts.length ? this.length : this.#starts[at]! - this.gap;
    this.#mostRoom = Math.max(this.#mostRoom, to - from);
  }
}
