/**
 * Reads a snapshot file into columns: today's dictionary (`_dump_snapshot`), a bare list of segments
 * (`memory_snapshot()`), and the older form in which blocks carry a `history` instead of frames.
 */
import { type AppError, badInput } from '../../base/errors.js';
import { type PickleDocument, type Value, readPickle } from './pickle/pickle-document.js';
import { readTraces } from './read-traces.js';
import { BLOCK, type RecordedBlocks, type RecordedSegment, type RecordedSnapshot } from './recorded-snapshot.js';
import { stackOf } from './snapshot-values.js';

const EXPECTED =
  'expected a file written by torch.cuda.memory._dump_snapshot(), or a pickled torch.cuda.memory_snapshot()';

/** True for bytes that begin like a pickle of any protocol. Never throws. */
export function looksLikePickle(data: Uint8Array): boolean {
  const [first, second] = data;
  if (first === 0x80) return second !== undefined && second <= 5;
  // Protocols 0 and 1 have no mark of their own: a list or dictionary is begun, and STOP ends the file.
  let last = data.length - 1;
  while (last > 0 && (data[last] === 0x0a || data[last] === 0x0d)) last--;
  const opens = (first === 0x28 && (second === 0x64 || second === 0x6c)) || first === 0x5d || first === 0x7d;
  return opens && data[last] === 0x2e;
}

/**
 * Reads a snapshot. `name` stands in messages.
 * Throws `AppError` (`bad-input`): one line with what is wrong, where, and what was expected.
 */
export function readSnapshot(
  data: Uint8Array,
  name: string,
  onProgress?: (done: number, total: number) => void,
): RecordedSnapshot {
  if (!looksLikePickle(data)) throw notASnapshot(name, whatItIs(data));
  const document = readPickle(data, name, onProgress);
  const { root } = document;
  const isDictionary = document.isDictionary(root);
  const list = isDictionary ? document.entry(root, 'segments') : root;
  if (list === undefined || !document.isSequence(list)) {
    throw notASnapshot(
      name,
      isDictionary ? 'a pickled dictionary without a list "segments"' : 'a pickle of something else',
    );
  }
  const { segments, blocks } = readSegments(document, list, name);
  const settings = isDictionary ? document.entry(root, 'allocator_settings') : undefined;
  const annotations = isDictionary ? document.entry(root, 'external_annotations') : undefined;
  const traces = isDictionary ? document.entry(root, 'device_traces') : undefined;
  return {
    name,
    form: isDictionary ? 'snapshot-dict' : 'segments-list',
    segments,
    blocks,
    traces: traces === undefined ? [] : readTraces(document, traces, name),
    settings:
      settings !== undefined && document.isDictionary(settings)
        ? (document.plain(settings) as Readonly<Record<string, unknown>>)
        : undefined,
    annotations:
      annotations !== undefined && document.isSequence(annotations)
        ? (document.plain(annotations) as readonly unknown[])
        : [],
    strings: document.tables.strings,
    stacks: document.tables.stacks,
    poolPairs: document.tables.pairs,
  };
}

const notASnapshot = (name: string, what: string): AppError =>
  badInput(name, `${name}: not a snapshot: ${what}; ${EXPECTED}`);

/** What a file that is no pickle seems to be, in words. */
export function whatItIs(data: Uint8Array): string {
  if (data.length === 0) return 'the file is empty';
  const head = String.fromCharCode(...data.subarray(0, 64));
  if (head.startsWith('\u0089PNG')) return 'a PNG picture';
  if (head.startsWith('PK\u0003\u0004')) return 'a zip archive (torch.save writes those for models)';
  if (head.startsWith('\u001f\u008b')) return 'a gzip file; unpack it first';
  if (head.startsWith('<')) return 'an HTML or XML page';
  if (/^\s*[[{]/.test(head)) return 'a JSON text';
  return /^[\t\n\r\u0020-\u007e]*$/.test(head) ? 'a text' : 'a file of another kind';
}

function readSegments(
  document: PickleDocument,
  list: Value,
  name: string,
): { readonly segments: readonly RecordedSegment[]; readonly blocks: RecordedBlocks } {
  const items: Value[] = [];
  document.forEachItem(list, (item) => items.push(item));
  const blockLists = items.map((item, index) => {
    if (!document.isDictionary(item)) throw badInput(name, `${name}: segment ${index} is no dictionary; ${EXPECTED}`);
    return document.entry(item, 'blocks');
  });
  const count = blockLists.reduce(
    (total, blocks) => total + (blocks !== undefined && document.isSequence(blocks) ? document.lengthOf(blocks) : 0),
    0,
  );
  const blocks = {
    count,
    address: new Float64Array(count),
    size: new Float64Array(count),
    requested: new Float64Array(count).fill(NaN),
    state: new Uint8Array(count).fill(BLOCK.unknown),
    stack: new Int32Array(count).fill(-1),
    segment: new Int32Array(count),
  };
  const segments: RecordedSegment[] = [];
  let row = 0;
  items.forEach((item, index) => {
    const segment = readSegment(document, item, `${name}: segment ${index}`, name, row);
    const list_ = blockLists[index];
    const first = row;
    let address = segment.address;
    if (list_ !== undefined && document.isSequence(list_)) {
      document.forEachItem(list_, (block) => {
        address = readBlock(
          document,
          block,
          blocks,
          row,
          address,
          `${name}: segment ${index}, block ${row - first}`,
          name,
        );
        blocks.segment[row++] = index;
      });
    }
    segments.push({ ...segment, blockCount: row - first });
  });
  return { segments, blocks };
}

function readSegment(
  document: PickleDocument,
  item: Value,
  where: string,
  name: string,
  firstBlock: number,
): Omit<RecordedSegment, 'blockCount'> {
  const numbers: Record<string, number | undefined> = {};
  let type = 'unknown';
  let pool: readonly [number, number] = [0, 0];
  let stack = -1;
  document.forEachEntry(item, (key, value) => {
    if (key === 'segment_type') type = document.text(value) ?? type;
    else if (key === 'segment_pool_id') pool = document.pair(value) ?? pool;
    else if (key === 'frames') stack = stackOf(document, value);
    else if (key !== 'blocks') numbers[key] = document.number(value);
  });
  const need = (key: string): number => {
    const value = numbers[key];
    if (value === undefined || Number.isNaN(value))
      throw badInput(name, `${where} has no usable "${key}"; ${EXPECTED}`);
    return value;
  };
  return {
    device: numbers['device'] ?? 0,
    address: need('address'),
    size: need('total_size'),
    stream: numbers['stream'] ?? 0,
    type,
    pool,
    expandable: numbers['is_expandable'] === 1,
    allocated: numbers['allocated_size'],
    active: numbers['active_size'],
    stack,
    firstBlock,
  };
}

const STATES: Readonly<Record<string, number>> = {
  inactive: BLOCK.inactive,
  active_allocated: BLOCK.allocated,
  active_pending_free: BLOCK.pending,
  active_awaiting_free: BLOCK.pending,
};

/** Fills one row; older versions give no address, blocks then follow each other. Returns the address after it. */
function readBlock(
  document: PickleDocument,
  block: Value,
  columns: RecordedBlocks,
  row: number,
  follows: number,
  where: string,
  name: string,
): number {
  if (!document.isDictionary(block)) throw badInput(name, `${where} is no dictionary; ${EXPECTED}`);
  let address = follows;
  let size: number | undefined;
  document.forEachEntry(block, (key, value) => {
    if (key === 'size') size = document.number(value);
    else if (key === 'address') address = document.number(value) ?? follows;
    else if (key === 'requested_size') columns.requested[row] = document.number(value) ?? NaN;
    else if (key === 'state') columns.state[row] = STATES[document.text(value) ?? ''] ?? BLOCK.unknown;
    else if (key === 'frames') columns.stack[row] = stackOf(document, value);
    else if (key === 'history') readHistory(document, value, columns, row);
  });
  if (size === undefined || !(size >= 0)) throw badInput(name, `${where} has no usable "size"; ${EXPECTED}`);
  columns.address[row] = address;
  columns.size[row] = size;
  return address + size;
}

/** The newest entry of a block's history: what lives in it. */
function readHistory(document: PickleDocument, history: Value, columns: RecordedBlocks, row: number): void {
  if (!document.isSequence(history)) return;
  let isFirst = true;
  document.forEachItem(history, (entry) => {
    if (!isFirst || !document.isDictionary(entry)) return;
    isFirst = false;
    const frames = document.entry(entry, 'frames');
    const asked = document.entry(entry, 'real_size');
    if (frames !== undefined) columns.stack[row] = stackOf(document, frames);
    if (asked !== undefined && Number.isNaN(columns.requested[row]!))
      columns.requested[row] = document.number(asked) ?? NaN;
  });
}
