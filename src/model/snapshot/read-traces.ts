/** The traces of a snapshot: rows that the pickle reader put into columns, gathered by device and in order. */
import { badInput } from '../../base/errors.js';
import { type EventTable } from './pickle/event-table.js';
import { KIND, TAG } from './pickle/object-table.js';
import { type PickleDocument, type Value } from './pickle/pickle-document.js';
import { ACTION, ACTIONS, type RecordedTrace } from './recorded-snapshot.js';
import { stackOf } from './snapshot-values.js';

/** Other names of the same action in old versions. */
const SYNONYMS: Readonly<Record<string, number>> = { free: ACTION.freeCompleted };

/** One trace per device, in the order of the file. Throws `AppError` (`bad-input`) naming the entry. */
export function readTraces(document: PickleDocument, list: Value, name: string): readonly RecordedTrace[] {
  if (!document.isSequence(list)) throw badInput(name, `${name}: "device_traces" is no list of traces`);
  const traces: RecordedTrace[] = [];
  const codes = new ActionCodes(document);
  document.forEachItem(list, (entries) => {
    const device = traces.length;
    if (!document.isSequence(entries)) throw badInput(name, `${name}: the trace of device ${device} is no list`);
    traces.push(readTrace(document, entries, device, name, codes));
  });
  return traces;
}

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
  const { objects, events } = document.tables;
  const count = document.lengthOf(entries);
  const rows = new Int32Array(count);
  let at = 0;
  document.forEachItem(entries, (entry) => {
    const kind = document.kindOf(entry);
    const row = kind === KIND.event ? objects.payload[entry.value]! : slowEvent(document, entry, device, at, name);
    rows[at++] = row;
  });
  const action = new Uint8Array(count);
  for (let i = 0; i < count; i++) action[i] = codes.of(events.action[rows[i]!]!);
  return {
    device,
    count,
    action,
    ...(followEachOther(rows) ? run(events, rows[0] ?? 0, count) : gathered(events, rows)),
  };
}

function followEachOther(rows: Int32Array): boolean {
  for (let i = 1; i < rows.length; i++) if (rows[i] !== rows[i - 1]! + 1) return false;
  return true;
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
  const where = `${name}: entry ${index} of the trace of device ${device}`;
  if (!document.isDictionary(entry)) throw badInput(name, `${where} is no dictionary`);
  const { events, objects, pairs } = document.tables;
  const row = events.add();
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
  if (events.action[row] === -1) throw badInput(name, `${where} has no action`);
  return row;
}
