/**
 * A pickle that has been read: looks into its containers by number. Nothing is copied until it is asked for.
 *
 *     const document = readPickle(bytes, 'mem.pickle');
 *     document.forEachEntry(document.root, (key, value) => ...);
 */
import { KIND, TAG } from './object-table.js';
import { PickleMachine } from './pickle-machine.js';
import { addressOf } from './pickle-numbers.js';
import { type PickleState } from './pickle-state.js';

/** A value: its tag, and a number that means what the tag says. */
export interface Value {
  readonly tag: number;
  readonly value: number;
}

/** Bytes between two reports of progress. */
const STEP = 2 ** 22;
/** `plain` goes no deeper and copies no more values than this: a list that holds itself ends, too. */
const DEEPEST_PLAIN = 32;
const MOST_PLAIN = 100_000;

/**
 * Reads a whole pickle. `name` stands in messages; `onProgress` gets bytes done and bytes in all.
 * Throws `AppError` (`bad-input`): one line with the offset.
 */
export function readPickle(
  data: Uint8Array,
  name: string,
  onProgress?: (done: number, total: number) => void,
): PickleDocument {
  const machine = new PickleMachine(data, name);
  while (!machine.run(STEP)) onProgress?.(machine.position, data.length);
  onProgress?.(data.length, data.length);
  return new PickleDocument(machine.tables);
}

export class PickleDocument {
  readonly tables: PickleState;

  constructor(tables: PickleState) {
    this.tables = tables;
  }

  get root(): Value {
    return { tag: this.tables.tags[0]!, value: this.tables.values[0]! };
  }

  /** Kind of a container (`KIND`), undefined for a value that is none. */
  kindOf(value: Value): number | undefined {
    return value.tag === TAG.object ? this.tables.objects.kinds[value.value] : undefined;
  }

  isDictionary(value: Value): boolean {
    return this.kindOf(value) === KIND.dict;
  }

  /** True for a list or tuple whose items can be visited; call stacks are not. */
  isSequence(value: Value): boolean {
    const kind = this.kindOf(value);
    return kind === KIND.list || kind === KIND.tuple;
  }

  /** Visits the text keys of a dictionary in order; of a key given twice both, the later counts. */
  forEachEntry(dictionary: Value, visit: (key: string, value: Value) => void): void {
    const { objects, strings } = this.tables;
    const { itemTags, itemValues } = objects;
    const id = dictionary.value;
    // Nearly all are in one piece, where a key and its value are neighbours.
    if (!objects.pieces.has(id)) {
      const end = objects.payload[id]! + objects.lengths[id]!;
      for (let at = objects.payload[id]!; at + 1 < end; at += 2) {
        if (itemTags[at] !== TAG.string) continue;
        visit(strings.text(itemValues[at]!), { tag: itemTags[at + 1]!, value: itemValues[at + 1]! });
      }
      return;
    }
    const places: number[] = [];
    objects.forEachItem(id, (at) => places.push(at));
    for (let i = 0; i + 1 < places.length; i += 2) {
      const key = places[i]!;
      const item = places[i + 1]!;
      if (itemTags[key] !== TAG.string) continue;
      visit(strings.text(itemValues[key]!), { tag: itemTags[item]!, value: itemValues[item]! });
    }
  }

  /** The last value of a key, undefined where the dictionary has none. */
  entry(dictionary: Value, wanted: string): Value | undefined {
    const { objects, strings } = this.tables;
    const id = dictionary.value;
    if (!objects.pieces.has(id)) {
      const { itemTags, itemValues } = objects;
      const start = objects.payload[id]!;
      for (let at = start + (objects.lengths[id]! & ~1) - 2; at >= start; at -= 2) {
        if (itemTags[at] !== TAG.string || strings.text(itemValues[at]!) !== wanted) continue;
        return { tag: itemTags[at + 1]!, value: itemValues[at + 1]! };
      }
      return undefined;
    }
    let found: Value | undefined;
    this.forEachEntry(dictionary, (key, value) => {
      if (key === wanted) found = value;
    });
    return found;
  }

  forEachItem(sequence: Value, visit: (value: Value) => void): void {
    const { objects } = this.tables;
    objects.forEachItem(sequence.value, (at) => {
      visit({ tag: objects.itemTags[at]!, value: objects.itemValues[at]! });
    });
  }

  /** How many items a sequence has. */
  lengthOf(sequence: Value): number {
    return this.tables.objects.lengths[sequence.value]!;
  }

  /** A whole number or float that a double holds exactly; addresses of the upper half of 64 bits come negative. */
  number(value: Value): number | undefined {
    if (value.tag === TAG.integer || value.tag === TAG.float) return value.value;
    if (value.tag === TAG.false || value.tag === TAG.true) return value.tag === TAG.true ? 1 : 0;
    return value.tag === TAG.big ? addressOf(this.tables.bigs[value.value]!) : undefined;
  }

  text(value: Value): string | undefined {
    return value.tag === TAG.string ? this.tables.strings.text(value.value) : undefined;
  }

  /** Two whole numbers in a tuple or list. */
  pair(value: Value): readonly [number, number] | undefined {
    const kind = this.kindOf(value);
    const { pairs, objects } = this.tables;
    if (kind === KIND.pair) {
      const at = 2 * objects.payload[value.value]!;
      return [pairs[at]!, pairs[at + 1]!];
    }
    if (!this.isSequence(value) || this.lengthOf(value) !== 2) return undefined;
    const numbers: number[] = [];
    this.forEachItem(value, (item) => numbers.push(this.number(item) ?? NaN));
    const [first = NaN, second = NaN] = numbers;
    return Number.isNaN(first) || Number.isNaN(second) ? undefined : [first, second];
  }

  /**
   * A copy as plain data: null-prototype objects, arrays, numbers, bigints beyond 2^53, undefined for None. For small
   * parts such as settings: depth and count are bounded, what lies beyond becomes the text `...`.
   */
  plain(value: Value): unknown {
    let left = MOST_PLAIN;
    const copy = (item: Value, depth: number): unknown => {
      if (--left < 0 || depth > DEEPEST_PLAIN) return '...';
      switch (item.tag) {
        case TAG.none:
          return undefined;
        case TAG.false:
        case TAG.true:
          return item.tag === TAG.true;
        case TAG.string:
          return this.text(item);
        case TAG.big:
          return this.tables.bigs[item.value];
        case TAG.bytes: {
          const offset = this.tables.blobs[2 * item.value]!;
          return this.tables.data.slice(offset, offset + this.tables.blobs[2 * item.value + 1]!);
        }
        case TAG.object:
          return this.#plainContainer(item, (inner) => copy(inner, depth + 1));
        default:
          return item.value;
      }
    };
    return copy(value, 0);
  }

  #plainContainer(item: Value, copy: (inner: Value) => unknown): unknown {
    const { objects, stacks, strings, events } = this.tables;
    const payload = objects.payload[item.value]!;
    const frameOf = (index: number): unknown => {
      const { name, file, line } = stacks.frame(index);
      return Object.assign(bare(), { name: strings.text(name), filename: strings.text(file), line });
    };
    switch (objects.kinds[item.value]) {
      case KIND.dict: {
        const made = bare();
        this.forEachEntry(item, (key, value) => {
          made[key] = copy(value);
        });
        return made;
      }
      case KIND.frame:
        return frameOf(payload);
      case KIND.stack:
        return Array.from(stacks.framesOf(payload), frameOf);
      case KIND.pair:
        return this.pair(item);
      case KIND.event:
        return Object.assign(bare(), {
          action: strings.text(events.action[payload]!),
          addr: events.addr[payload],
          size: events.size[payload],
          stream: events.stream[payload],
        });
      default: {
        const made: unknown[] = [];
        this.forEachItem(item, (value) => made.push(copy(value)));
        return made;
      }
    }
  }
}

/** No prototype: a key such as `__proto__` is a key like any other. */
const bare = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;
