/** The traces of a snapshot: rows that the pickle reader put into columns, gathered by device and in order. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { KIND, TAG } from './pickle/object-table.js';
import { type PickleDocument, type Value } from './pickle/pickle-document.js';
import { type EventTable } from './pickle/record-tables.js';
import { ACTION, ACTIONS, type RecordedTrace } from './recorded-snapshot.js';
import { isWhole, stackOf } from './snapshot-values.js';

/** Other names of the same action in old versions. */
const SYNONYMS: Readonly<Record<string, number>> = { free: ACTION.freeCompleted };

const REMEDY = say`Save the snapshot again, or paste the OOM text.`;

const entryOf = (name: string, index: number, device: number): string =>
  say`${name}: entry ${index} of the trace of device ${device}`;

/** One trace per device, in the order of the file. Throws `AppError` (`bad-input`) naming the entry. */
export function readTraces(document: PickleDocument, list: Value, name: string): readonly RecordedTrace[] {
  if (!document.isSequence(list)) throw badInput(name, say`${name}: "device_traces" is no list of traces. ${REMEDY}`);
  const traces: RecordedTrace[] = [];
  const codes = new ActionCodes(document);
  document.forEachItem(list, (entries) => {
    const device = traces.length;
    if (!document.isSequence(entries))
      throw badInput(name, say`${name}: the trace of device ${device} is no list. ${REMEDY}`);
    traces.push(readTrace(document, entries, device, name, codes));
  });
  return traces;
}

/** Codes of actions by string number; a trace has about six. */
class ActionCodes {
  readonly #document: PickleDocument;
  readonly #codes = new Map<number, number>();

  constructor(document: PickleDocument) {
    this.#document = document;
  }

  of(text: number): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const action = this.#document.tables.strings.text(text);
    const index = (ACTIONS as readonly string[]).indexOf(action);
    const code = index === -1 ? (SYNONYMS[action] ?? ACTION.other) : index;
    this.#codes.set(text, code);
    return code;
  }
}

function readTrace(
  document: PickleDocument,
  entries: Value,
  device: number,
  name: string,
  codes: ActionCodes,
): RecordedTrace {
  const { events } = document.tables;
  const count = document.lengthOf(entries);
  const first = firstOfRun(document, entries);
  const rows = first === -1 ? rowsOf(document, entries, device, name) : undefined;
  const action = new Uint8Array(count);
  let lastText = -1;
  let lastCode = 0;
  for (let i = 0; i < count; i++) {
    const text = events.action[rows === undefined ? first + i : rows[i]!]!;
    if (text !== lastText) {
      lastText = text;
      lastCode = codes.of(text);
    }
    action[i] = lastCode;
  }
  const columns = rows === undefined ? run(events, first, count) : gathered(events, rows);
  for (let i = 0; i < count; i++) {
    if (action[i]! < ACTION.snapshot && !isWhole(columns.size[i]!)) {
      throw badInput(name, say`${entryOf(name, i, device)} has no usable "size". ${REMEDY}`);
    }
  }
  return { device, count, action, ...columns };
}

/** The first row of entries whose rows follow each other, as a reader leaves them; -1 for any others. */
function firstOfRun(document: PickleDocument, entries: Value): number {
  const { objects } = document.tables;
  const { kinds, payload } = objects;
  let first = -1;
  let next = -1;
  const pieces = objects.piecesOf(entries.value);
  for (let piece = 0; piece < pieces.length; piece += 2) {
    const end = pieces[piece]! + pieces[piece + 1]!;
    for (let at = pieces[piece]!; at < end; at++) {
      const id = document.containerAt(at);
      if (id === -1 || kinds[id] !== KIND.event) return -1;
      if (first === -1) next = first = payload[id]!;
      else if (payload[id] !== next) return -1;
      next++;
    }
  }
  return first;
}

/** The row of every entry; entries that the pickle reader did not see as such get one now. */
function rowsOf(document: PickleDocument, entries: Value, device: number, name: string): Int32Array {
  const { objects } = document.tables;
  const rows = new Int32Array(document.lengthOf(entries));
  const pieces = objects.piecesOf(entries.value);
  let next = 0;
  for (let piece = 0; piece < pieces.length; piece += 2) {
    const end = pieces[piece]! + pieces[piece + 1]!;
    for (let at = pieces[piece]!; at < end; at++) {
      const id = document.containerAt(at);
      rows[next] =
        id !== -1 && objects.kinds[id] === KIND.event
          ? objects.payload[id]!
          : slowEvent(document, document.valueAt(at), device, next, name);
      next++;
    }
  }
  return rows;
}

type Columns = Omit<RecordedTrace, 'device' | 'count' | 'action'>;

/** Rows that follow each other are views of the columns: nothing is copied. */
function run(events: EventTable, first: number, count: number): Columns {
  const end = first + count;
  return {
    addr: events.addr.subarray(first, end),
    size: events.size.subarray(first, end),
    stream: events.stream.subarray(first, end),
    time: events.time.subarray(first, end),
    stack: events.stack.subarray(first, end),
    metadata: events.metadata.subarray(first, end),
    context: events.context.subarray(first, end),
    pool: events.pool.subarray(first, end),
  };
}

function gathered(events: EventTable, rows: Int32Array): Columns {
  const doubles = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row]!);
  const numbers = (column: Int32Array): Int32Array => Int32Array.from(rows, (row) => column[row]!);
  return {
    addr: doubles(events.addr),
    size: doubles(events.size),
    stream: doubles(events.stream),
    time: doubles(events.time),
    stack: numbers(events.stack),
    metadata: numbers(events.metadata),
    context: numbers(events.context),
    pool: numbers(events.pool),
  };
}

/** An entry that the pickle reader did not see as one (protocol 0 builds dictionaries key by key): a row is made now. */
function slowEvent(document: PickleDocument, entry: Value, device: number, index: number, name: string): number {
  const where = entryOf(name, index, device);
  if (!document.isDictionary(entry)) throw badInput(name, say`${where} is no dictionary. ${REMEDY}`);
  const { events, objects, pairs } = document.tables;
  const row = events.add();
  events.action[row] = -1;
  events.addr[row] = NaN;
  events.size[row] = NaN;
  events.stream[row] = 0;
  events.time[row] = NaN;
  events.stack[row] = -1;
  events.metadata[row] = -1;
  events.context[row] = -1;
  events.pool[row] = -1;
  document.forEachEntry(entry, (key, value) => {
    const number = document.number(value);
    if (key === 'action' && value.tag === TAG.string) events.action[row] = value.value;
    else if (key === 'addr' || key === 'device_free') events.addr[row] = number ?? NaN;
    else if (key === 'size') events.size[row] = number ?? NaN;
    else if (key === 'stream') events.stream[row] = number ?? 0;
    else if (key === 'time_us') events.time[row] = number ?? NaN;
    else if (key === 'frames') events.stack[row] = stackOf(document, value);
    else if (key === 'compile_context' && value.tag === TAG.string) events.context[row] = value.value;
    else if (key === 'user_metadata' && value.tag === TAG.string) events.metadata[row] = value.value;
    else if (key === 'pool_id') {
      const pair = document.pair(value);
      if (document.kindOf(value) === KIND.pair) events.pool[row] = objects.payload[value.value]!;
      else if (pair !== undefined) events.pool[row] = pairs.push(...pair) / 2 - 1;
    }
  });
  if (events.action[row] === -1) throw badInput(name, say`${where} has no action. ${REMEDY}`);
  return row;
}
