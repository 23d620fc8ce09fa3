/**
 * The largest of a changing bag of sizes: two heaps, one of what was added and one of what was taken out; what both have
 * on top cancels. Changes among small sizes stay at the bottom, so a change costs a step or two.
 */
export class LargestSize {
  readonly #added = new SizeHeap();
  readonly #removed = new SizeHeap();

  add(size: number): void {
    this.#added.push(size);
  }

  /** Takes out a size that is in the bag. */
  remove(size: number): void {
    this.#removed.push(size);
  }

  /** 0 when the bag is empty. */
  get largest(): number {
    while (this.#removed.length > 0 && this.#removed.top === this.#added.top) {
      this.#removed.pop();
      this.#added.pop();
    }
    return this.#added.length === 0 ? 0 : this.#added.top;
  }
}

class SizeHeap {
  #sizes = new Float64Array(1024);
  length = 0;

  get top(): number {
    return this.#sizes[0]!;
  }

  push(size: number): void {
    if (this.length === this.#sizes.length) {
      const grown = new Float64Array(2 * this.length);
      grown.set(this.#sizes);
      this.#sizes = grown;
    }
    const sizes = this.#sizes;
    let at = this.length++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (sizes[parent]! >= size) break;
      sizes[at] = sizes[parent]!;
      at = parent;
    }
    sizes[at] = size;
  }

  pop(): void {
    const sizes = this.#sizes;
    const last = sizes[--this.length]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.length) break;
      if (child + 1 < this.length && sizes[child + 1]! > sizes[child]!) child++;
      if (sizes[child]! <= last) break;
      sizes[at] = sizes[child]!;
      at = child;
    }
    sizes[at] = last;
  }
}
