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

  /** Place of the last value of a key with this role, -1 where the dictionary has none. */
  placeOf(dictionary: number, role: number): number {
    const { objects, strings } = this.tables;
    const { itemTags, itemValues } = objects;
    const pieces = objects.piecesOf(dictionary);
    for (let piece = pieces.length - 2; piece >= 0; piece -= 2) {
      const start = pieces[piece]!;
      for (let at = start + pieces[piece + 1]! - 2; at >= start; at -= 2) {
        if (itemTags[at] === TAG.string && strings.role(itemValues[at]!) === role) return at + 1;
      }
    }
    return -1;
  }

  /** Number of the last list or tuple that a key with this role has, -1 where the dictionary has none. */
  listOf(dictionary: number, role: number): number {
    const at = this.placeOf(dictionary, role);
    return at === -1 ? -1 : this.sequenceAt(at);
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

  /** The last value of a key with this role (`ROLE`), undefined where the dictionary has none. */
  entry(dictionary: Value, role: number): Value | undefined {
    const at = this.placeOf(dictionary.value, role);
    return at === -1 ? undefined : this.valueAt(at);
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
    if (this.kindOf(value) === KIND.pair) return this.pairNumbered(this.tables.objects.payload[value.value]!);
    if (!this.isSequence(value) || this.lengthOf(value) !== 2) return undefined;
    const numbers: number[] = [];
    this.forEachItem(value, (item) => numbers.push(this.number(item) ?? NaN));
    const [first = NaN, second = NaN] = numbers;
    return Number.isNaN(first) || Number.isNaN(second) ? undefined : [first, second];
  }

  /** The pool pair with this number. */
  pairNumbered(pair: number): readonly [number, number] {
    const { pairs } = this.tables;
    return (this.#pairs[pair] ??= [pairs[2 * pair]!, pairs[2 * pair + 1]!]);
  }
}
