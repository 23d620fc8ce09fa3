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
import { ROLE } from './roles.js';

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
  /** Pairs asked for: all segments have the same few. */
  readonly #pairs: (readonly [number, number])[] = [];

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

  // What follows looks at places in the arena (`at`): nothing is made, for loops over all blocks and entries.

  /** Where keys and values of a dictionary lie, in turn: starts and lengths. */
  pairPieces(dictionary: number): readonly number[] {
    return this.tables.objects.piecesOf(dictionary);
  }

  /** Number of the last list or tuple that a key with this role has, -1 where the dictionary has none. */
  listOf(dictionary: number, role: number): number {
    const { objects, strings } = this.tables;
    const { itemTags, itemValues } = objects;
    const pieces = objects.piecesOf(dictionary);
    for (let piece = pieces.length - 2; piece >= 0; piece -= 2) {
      const start = pieces[piece]!;
      for (let at = start + pieces[piece + 1]! - 2; at >= start; at -= 2) {
        if (itemTags[at] === TAG.string && strings.role(itemValues[at]!) === role) return this.sequenceAt(at + 1);
      }
    }
    return -1;
  }

  /** Number of the list or tuple, -1 for anything else. */
  sequenceAt(at: number): number {
    const id = this.containerAt(at);
    if (id === -1) return -1;
    const kind = this.tables.objects.kinds[id];
    return kind === KIND.list || kind === KIND.tuple ? id : -1;
  }

  valueAt(at: number): Value {
    const { itemTags, itemValues } = this.tables.objects;
    return { tag: itemTags[at]!, value: itemValues[at]! };
  }

  /** What the value is as a key (`ROLE`). */
  roleAt(at: number): number {
    const { itemTags, itemValues } = this.tables.objects;
    return itemTags[at] === TAG.string ? this.tables.strings.role(itemValues[at]!) : ROLE.none;
  }

  /** As `number` does, NaN for anything else. */
  numberAt(at: number): number {
    const { itemTags, itemValues } = this.tables.objects;
    return itemTags[at] === TAG.integer ? itemValues[at]! : (this.number(this.valueAt(at)) ?? NaN);
  }

  /** Number of the string, -1 for anything else. */
  stringAt(at: number): number {
    const { itemTags, itemValues } = this.tables.objects;
    return itemTags[at] === TAG.string ? itemValues[at]! : -1;
  }

  /** Number of the container, -1 for anything else. */
  containerAt(at: number): number {
    const { itemTags, itemValues } = this.tables.objects;
    return itemTags[at] === TAG.object ? itemValues[at]! : -1;
  }

  /** Number of the dictionary, -1 for anything else. */
  dictionaryAt(at: number): number {
    const id = this.containerAt(at);
    return id !== -1 && this.tables.objects.kinds[id] === KIND.dict ? id : -1;
  }

  /** Number of the dictionary that a list or tuple begins with, -1 where it does not. */
  firstDictionary(sequence: number): number {
    const { objects } = this.tables;
    return objects.lengths[sequence] === 0 ? -1 : this.dictionaryAt(objects.piecesOf(sequence)[0]!);
  }

  /** Gives working memory to the next file: containers must not be looked at afterwards; texts and stacks stay. */
  release(): void {
    this.tables.release();
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
      const number = objects.payload[value.value]!;
      const made = (this.#pairs[number] ??= [pairs[2 * number]!, pairs[2 * number + 1]!]);
      return made;
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
    const { objects, stacks, strings, events, blocks } = this.tables;
    const payload = objects.payload[item.value]!;
    const frameOf = (index: number): unknown => {
      const { name, file, line } = stacks.frame(index);
      return Object.assign(bare(), { name: strings.text(name), filename: strings.text(file), line });
    };
    switch (objects.kinds[item.value]) {
      case KIND.dict: {
        const made = bare();
        const numbered: [string, unknown][] = [];
        this.forEachEntry(item, (key, value) => {
          if (isDigit(key.charCodeAt(0))) numbered.push([key, copy(value)]);
          else made[key] = copy(value);
        });
        // From the largest down (`roundup_power2_divisions` has "65536"): the other way V8 grows an array for them.
        for (const [key, value] of numbered.reverse()) if (!(key in made)) made[key] = value;
        return made;
      }
      case KIND.frame:
        return frameOf(payload);
      case KIND.stack:
        return Array.from(stacks.framesOf(payload), frameOf);
      case KIND.pair:
        return this.pair(item);
      case KIND.block:
        return Object.assign(bare(), {
          address: blocks.address[payload],
          size: blocks.size[payload],
          requested_size: blocks.requested[payload],
          state: strings.text(blocks.state[payload]!),
        });
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

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** No prototype: a key such as `__proto__` is a key like any other. */
const bare = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;
