/**
 * The largest of many numbers that come and go: a binary heap. A number that has gone stays until it is on top, where
 * `largest` drops it; each number is held once.
 */
export class LargestFirst {
  readonly #heap: number[] = [];
  readonly #held = new Set<number>();

  add(value: number): void {
    if (this.#held.has(value)) return;
    this.#held.add(value);
    const heap = this.#heap;
    let at = heap.length;
    heap.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] ?? 0;
      if (above >= value) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = value;
  }

  /** The largest number that `isThere` still; undefined for none. */
  largest(isThere: (value: number) => boolean): number | undefined {
    while (true) {
      const top = this.#heap[0];
      if (top === undefined || isThere(top)) return top;
      this.#held.delete(top);
      this.#dropTop();
    }
  }

  #dropTop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    while (true) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = (heap[right] ?? 0) > (heap[left] ?? 0) ? right : left;
      const value = heap[child] ?? 0;
      if (value <= last) break;
      heap[at] = value;
      at = child;
    }
    heap[at] = last;
  }
}
