/** Blocks and events of a run as they happen, in columns. */
import { GrowingBytes, GrowingDoubles, GrowingInts } from './growing.js';
import { type BlockColumns, EVENT, type EventColumns, type FailureColumns, NEVER } from './memory-run.js';

export interface NewBlock {
  readonly address: number;
  readonly size: number;
  readonly requested: number;
  readonly category: number;
  readonly id: number;
  readonly name: number;
  readonly stack: number;
  readonly range: number;
}

export class BlockLog {
  readonly #address = new GrowingDoubles();
  readonly #size = new GrowingDoubles();
  readonly #requested = new GrowingDoubles();
  readonly #born = new GrowingInts();
  readonly #freed = new GrowingInts();
  readonly #died = new GrowingInts();
  readonly #category = new GrowingBytes();
  readonly #id = new GrowingDoubles();
  readonly #name = new GrowingInts();
  readonly #stack = new GrowingInts();
  readonly #range = new GrowingInts();
  readonly #kind = new GrowingBytes();
  readonly #subject = new GrowingInts();
  readonly #failureAt = new GrowingInts();
  readonly #failureRequested = new GrowingDoubles();
  readonly #failureDeviceFree = new GrowingDoubles();
  readonly #failureName = new GrowingInts();
  readonly #failureStack = new GrowingInts();

  /** Blocks so far. */
  get count(): number {
    return this.#address.length;
  }

  /** The operation that comes next is about this. */
  event(kind: number, subject: number): void {
    this.#kind.push(kind);
    this.#subject.push(subject);
  }

  /** A block begins to live at operation `at`; its row. */
  open(block: NewBlock, at: number): number {
    this.#size.push(block.size);
    this.#requested.push(block.requested);
    this.#born.push(at);
    this.#freed.push(NEVER);
    this.#died.push(NEVER);
    this.#category.push(block.category);
    this.#id.push(block.id);
    this.#name.push(block.name);
    this.#stack.push(block.stack);
    this.#range.push(block.range);
    return this.#address.push(block.address);
  }

  /** The block is freed by the program. */
  free(row: number, at: number): void {
    this.#freed.values[row] = at;
  }

  /** Its bytes are free from operation `at` on. */
  close(row: number, at: number): void {
    this.#died.values[row] = at;
    if (this.#freed.values[row]! > at) this.#freed.values[row] = at;
  }

  addressOf(row: number): number {
    return this.#address.values[row]!;
  }

  sizeOf(row: number): number {
    return this.#size.values[row]!;
  }

  fail(at: number, requested: number, deviceFree: number, name: number, stack: number): void {
    this.#failureRequested.push(requested);
    this.#failureDeviceFree.push(deviceFree);
    this.#failureName.push(name);
    this.#failureStack.push(stack);
    this.event(EVENT.outOfMemory, this.#failureAt.push(at));
  }

  finish(): {
    readonly blocks: BlockColumns;
    readonly events: EventColumns;
    readonly failures: FailureColumns;
  } {
    const address = this.#address.finish();
    return {
      blocks: {
        count: address.length,
        address,
        rank: ranksOf(address),
        size: this.#size.finish(),
        requested: this.#requested.finish(),
        bornAt: this.#born.finish(),
        freedAt: this.#freed.finish(),
        diedAt: this.#died.finish(),
        category: this.#category.finish(),
        id: this.#id.finish(),
        name: this.#name.finish(),
        stack: this.#stack.finish(),
        range: this.#range.finish(),
      },
      events: { kind: this.#kind.finish(), subject: this.#subject.finish() },
      failures: {
        count: this.#failureAt.length,
        operation: this.#failureAt.finish(),
        requested: this.#failureRequested.finish(),
        deviceFree: this.#failureDeviceFree.finish(),
        name: this.#failureName.finish(),
        stack: this.#failureStack.finish(),
      },
    };
  }
}

/** Place of each address among all, by bisection in the sorted ones. */
function ranksOf(address: Float64Array): Int32Array<ArrayBuffer> {
  const sorted = address.slice().sort();
  return Int32Array.from(address, (each) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < each) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}
