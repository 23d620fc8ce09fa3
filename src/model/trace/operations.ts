/**
 * One operation of a trace file, read into a builder. Two dialects meet here: arrays (`["a",1,512,0]`), which
 * `vramlab-trace` and PyTorch's golden files use, and the strings of BFC's golden files (`"a 1 512 A=256"`), where `s`
 * means another thing.
 */
import { say } from '../../base/said.js';
import { CATEGORY, CATEGORY_NAMES, type CategoryName, OPERATION } from './trace.js';
import { type PlacementOptions } from '../allocator/allocator.js';
import { type TraceBuilder } from './trace-builder.js';

interface OperationKind {
  /** How many arguments follow the letter, at least and at most. */
  readonly arguments: readonly [number, number];
  readonly add: (builder: TraceBuilder, operation: readonly unknown[]) => void;
}

const plain = (kind: number): OperationKind => ({ arguments: [0, 0], add: (builder) => builder.control(kind) });
const numbered = (kind: number): OperationKind => ({
  arguments: [1, 1],
  add: (builder, operation) => builder.control(kind, numberAt(builder, operation, 1)),
});

const KINDS: ReadonlyMap<unknown, OperationKind> = new Map<string, OperationKind>([
  ['a', { arguments: [2, 5], add: addAllocation }],
  ['f', { arguments: [1, 1], add: (builder, operation) => builder.free(numberAt(builder, operation, 1)) }],
  [
    'r',
    {
      arguments: [2, 2],
      add: (builder, operation) =>
        builder.recordStream(numberAt(builder, operation, 1), numberAt(builder, operation, 2)),
    },
  ],
  ['e', { arguments: [0, 0], add: (builder) => builder.emptyCache() }],
  ['y', { arguments: [0, 1], add: addSynchronize }],
  ['m', { arguments: [1, 1], add: (builder, operation) => builder.mark(textAt(builder, operation, 1)) }],
  ['s', plain(OPERATION.snapshot)],
  ['p', plain(OPERATION.resetPeakStats)],
  ['z', plain(OPERATION.resetAccumulatedStats)],
  ['C', { arguments: [1, 1], add: (builder, operation) => builder.setSettings(textAt(builder, operation, 1)) }],
  ['F', numbered(OPERATION.setMemoryFraction)],
  ['B', numbered(OPERATION.beginPool)],
  ['E', numbered(OPERATION.endPool)],
  ['R', numbered(OPERATION.releasePool)],
]);

/**
 * Adds `["a",id,size,stream,category?,label?]`, `["f",id]`, `["r",id,stream]`, `["e"]`, `["y",stream?]`, `["m",label]`
 * or one of PyTorch's golden operations. Throws `AppError` (`bad-input`) with the place and the operation as written.
 */
export function addOperation(builder: TraceBuilder, operation: readonly unknown[]): void {
  const kind = KINDS.get(operation[0]);
  if (kind === undefined) {
    builder.refuse(say`${shown(operation)} is no operation; one of ${[...KINDS.keys()].join(' ')} is known`);
  }
  const count = operation.length - 1;
  const [least, most] = kind.arguments;
  if (count < least || count > most) {
    builder.refuse(
      least === most
        ? say`${shown(operation)} has ${count} arguments; this operation takes ${least}`
        : say`${shown(operation)} has ${count} arguments; this operation takes ${least} to ${most}`,
    );
  }
  kind.add(builder, operation);
}

function addAllocation(builder: TraceBuilder, operation: readonly unknown[]): void {
  const id = numberAt(builder, operation, 1);
  const size = numberAt(builder, operation, 2);
  const stream = operation[3] === undefined ? 0 : numberAt(builder, operation, 3);
  const category = operation[4] === undefined ? 'unknown' : textAt(builder, operation, 4);
  const label = operation[5] === undefined ? undefined : textAt(builder, operation, 5);
  if (!isCategory(category)) {
    builder.refuse(say`"${category}" is no category of tensors; one of ${CATEGORY_NAMES.join(', ')} is known`);
  }
  builder.allocate(id, size, stream, CATEGORY[category], label);
}

function addSynchronize(builder: TraceBuilder, operation: readonly unknown[]): void {
  const stream = operation.length === 1 ? -1 : numberAt(builder, operation, 1);
  if (operation.length > 1 && stream < 0) builder.refuse(say`${shown(operation)}: stream ${stream} is negative`);
  builder.synchronize(stream);
}

/**
 * Adds `a ID SIZE [A=align] [F=freed_before] [U]`, `f ID`, `s N` or `c` (golden/bfc/README.md).
 * Throws `AppError` (`bad-input`) with the place and the operation as written.
 */
export function addBfcOperation(builder: TraceBuilder, text: string): void {
  const [letter, ...words] = text.split(' ');
  const wrong = (): never =>
    builder.refuse(say`"${text}" is no BFC operation; "a ID SIZE [A=n] [F=n] [U]", "f ID", "s N" and "c" are known`);
  const whole = (word: string | undefined): number =>
    word !== undefined && /^-?[0-9]+$/.test(word) ? Number(word) : wrong();
  if (letter === 'a' && words.length >= 2) {
    const place = placementOf(words.slice(2), whole, wrong);
    if (words.length === 2) builder.allocate(whole(words[0]), whole(words[1]));
    else builder.allocatePlaced(whole(words[0]), whole(words[1]), place);
  } else if (letter === 'f' && words.length === 1) builder.free(whole(words[0]));
  else if (letter === 's' && words.length === 1) builder.control(OPERATION.setSafeFrontier, whole(words[0]));
  else if (letter === 'c' && words.length === 0) builder.control(OPERATION.clearStats);
  else wrong();
}

function placementOf(words: readonly string[], whole: (word: string) => number, wrong: () => never): PlacementOptions {
  const place: { alignment?: number; freedBefore?: number; upperEnd?: boolean } = {};
  for (const word of words) {
    if (word.startsWith('A=')) place.alignment = whole(word.slice(2));
    else if (word.startsWith('F=')) place.freedBefore = whole(word.slice(2));
    else if (word === 'U') place.upperEnd = true;
    else wrong();
  }
  return place;
}

function numberAt(builder: TraceBuilder, operation: readonly unknown[], at: number): number {
  const value = operation[at];
  if (typeof value !== 'number') return builder.refuse(say`${shown(operation)}: argument ${at} is not a number`);
  return value;
}

function textAt(builder: TraceBuilder, operation: readonly unknown[], at: number): string {
  const value = operation[at];
  if (typeof value !== 'string') return builder.refuse(say`${shown(operation)}: argument ${at} is not a text`);
  return value;
}

const isCategory = (text: string): text is CategoryName => Object.hasOwn(CATEGORY, text);

/** An operation as the file has it, at most 80 characters of it. */
function shown(operation: readonly unknown[]): string {
  const text = JSON.stringify(operation);
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}
