/**
 * Segments and blocks of a snapshot into columns. Keys are known by role and values are read where they lie in the
 * reader's arena: an object or a closure for each of a hundred thousand blocks would cost more than the reading.
 */
import { type AppError, badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { KIND, TAG } from './pickle/object-table.js';
import { type PickleDocument, type Value } from './pickle/pickle-document.js';
import { ROLE } from './pickle/roles.js';
import { BLOCK_STATES, blockColumns } from './block-columns.js';
import { BLOCK, type RecordedBlocks, type RecordedSegment } from './recorded-snapshot.js';
import { isWhole, stackAt } from './snapshot-values.js';

/** Segments in the order of the file, and their blocks. `expected` ends messages: what a file should have been. */
export function readSegments(
  document: PickleDocument,
  list: Value,
  name: string,
  expected: string,
): { readonly segments: readonly RecordedSegment[]; readonly blocks: RecordedBlocks } {
  return new SegmentReader(document, name, expected).read(list);
}

/** No container, in places where one is looked for. */
const NONE = -1;

class SegmentReader {
  readonly #document: PickleDocument;
  readonly #name: string;
  readonly #expected: string;
  #blocks: RecordedBlocks = blockColumns(0);
  #row = 0;
  /** The block state last met, by string number: most blocks are in the state of their neighbour. */
  #lastText = -1;
  #lastState: number = BLOCK.unknown;

  constructor(document: PickleDocument, name: string, expected: string) {
    this.#document = document;
    this.#name = name;
    this.#expected = expected;
  }

  read(list: Value): { readonly segments: readonly RecordedSegment[]; readonly blocks: RecordedBlocks } {
    const document = this.#document;
    const pieces = document.tables.objects.piecesOf(list.value);
    let count = 0;
    for (let piece = 0; piece < pieces.length; piece += 2) {
      const end = pieces[piece]! + pieces[piece + 1]!;
      for (let at = pieces[piece]!; at < end; at++) count += this.#blockCount(at);
    }
    this.#blocks = blockColumns(count);
    const segments: RecordedSegment[] = [];
    for (let piece = 0; piece < pieces.length; piece += 2) {
      const end = pieces[piece]! + pieces[piece + 1]!;
      for (let at = pieces[piece]!; at < end; at++) {
        segments.push(this.#checked(this.#segment(at, segments.length), segments.length));
      }
    }
    return { segments, blocks: this.#blocks };
  }

  /** Blocks of the segment at a place of the arena. */
  #blockCount(at: number): number {
    const { objects, segments } = this.#document.tables;
    const id = this.#document.containerAt(at);
    if (id === NONE) return 0;
    const kind = objects.kinds[id];
    if (kind === KIND.segment) return objects.lengths[segments.blocks[objects.payload[id]!]!]!;
    const list = kind === KIND.dict ? this.#document.listOf(id, ROLE.blocks) : NONE;
    return list === NONE ? 0 : objects.lengths[list]!;
  }

  /** A segment that the pickle reader put into columns. */
  #copySegment(from: number, index: number): RecordedSegment {
    const { objects, segments, strings } = this.#document.tables;
    const address = segments.address[from]!;
    const type = segments.type[from]!;
    const pool = segments.pool[from]!;
    const firstBlock = this.#row;
    this.#readBlocks(objects.piecesOf(segments.blocks[from]!), address, index);
    return {
      device: segments.device[from]!,
      address,
      size: segments.size[from]!,
      stream: segments.stream[from]!,
      type: type === -1 ? 'unknown' : strings.text(type),
      pool: pool === -1 ? [0, 0] : this.#document.pairNumbered(pool),
      expandable: segments.expandable[from] === 1,
      allocated: knownOf(segments.allocated[from]!),
      active: knownOf(segments.active[from]!),
      stack: segments.stack[from]!,
      firstBlock,
      blockCount: this.#row - firstBlock,
    };
  }

  #segment(at: number, index: number): RecordedSegment {
    const document = this.#document;
    const { objects, strings } = document.tables;
    const dictionary = document.containerAt(at);
    const kind = dictionary === NONE ? undefined : objects.kinds[dictionary];
    if (kind === KIND.segment) return this.#copySegment(objects.payload[dictionary]!, index);
    if (kind !== KIND.dict) throw this.#refuse(say`segment ${index} is no dictionary`);
    const { itemTags, itemValues } = objects;
    let type = 'unknown';
    let pool: readonly [number, number] = [0, 0];
    let stack = -1;
    let device = 0;
    let address = NaN;
    let size = NaN;
    let stream = 0;
    let expandable = 0;
    let allocated = NaN;
    let active = NaN;
    const pieces = document.pairPieces(dictionary);
    for (let piece = 0; piece < pieces.length; piece += 2) {
      const end = pieces[piece]! + pieces[piece + 1]!;
      for (let key = pieces[piece]!; key + 1 < end; key += 2) {
        switch (itemTags[key] === TAG.string ? strings.role(itemValues[key]!) : ROLE.none) {
          case ROLE.device:
            device = document.numberAt(key + 1);
            break;
          case ROLE.address:
            address = document.numberAt(key + 1);
            break;
          case ROLE.totalSize:
            size = document.numberAt(key + 1);
            break;
          case ROLE.stream:
            stream = document.numberAt(key + 1);
            break;
          case ROLE.isExpandable:
            expandable = document.numberAt(key + 1);
            break;
          case ROLE.allocatedSize:
            allocated = document.numberAt(key + 1);
            break;
          case ROLE.activeSize:
            active = document.numberAt(key + 1);
            break;
          case ROLE.segmentType:
            if (document.stringAt(key + 1) !== -1) type = strings.text(document.stringAt(key + 1));
            break;
          case ROLE.segmentPool:
            pool = document.pair(document.valueAt(key + 1)) ?? pool;
            break;
          case ROLE.frames:
            stack = stackAt(document, key + 1);
            break;
          default:
        }
      }
    }
    const firstBlock = this.#row;
    const blockList = document.listOf(dictionary, ROLE.blocks);
    if (blockList !== NONE) this.#readBlocks(objects.piecesOf(blockList), address, index);
    return {
      device: Number.isNaN(device) ? 0 : device,
      address,
      size,
      stream: Number.isNaN(stream) ? 0 : stream,
      type,
      pool,
      expandable: expandable === 1,
      allocated: knownOf(allocated),
      active: knownOf(active),
      stack,
      firstBlock,
      blockCount: this.#row - firstBlock,
    };
  }

  /** Sums of other figures would come out as nonsense. */
  #checked(segment: RecordedSegment, index: number): RecordedSegment {
    if (!Number.isFinite(segment.address)) throw this.#unusable(index, 'address');
    if (!isWhole(segment.size)) throw this.#unusable(index, 'total_size');
    if (!isWhole(segment.device)) throw this.#unusable(index, 'device');
    if (!segment.pool.every(isWhole)) throw this.#unusable(index, 'segment_pool_id');
    return segment;
  }

  /** Older versions give no address: blocks then follow each other. */
  #readBlocks(pieces: readonly number[], from: number, segment: number): void {
    const columns = this.#blocks;
    const document = this.#document;
    const { kinds, payload } = document.tables.objects;
    let address = from;
    for (let piece = 0; piece < pieces.length; piece += 2) {
      const end = pieces[piece]! + pieces[piece + 1]!;
      for (let at = pieces[piece]!; at < end; at++) {
        columns.segment[this.#row] = segment;
        columns.address[this.#row] = address;
        const id = document.containerAt(at);
        if (id !== NONE && kinds[id] === KIND.block) this.#copyBlock(payload[id]!);
        else this.#readBlock(at, segment);
        if (!isWhole(columns.size[this.#row]!)) {
          throw this.#badBlock(segment, (block) => say`segment ${segment}, block ${block} has no usable "size"`);
        }
        address = columns.address[this.#row]! + columns.size[this.#row]!;
        this.#row++;
      }
    }
  }

  /** A block that the pickle reader put into columns. */
  #copyBlock(from: number): void {
    const { blocks } = this.#document.tables;
    const columns = this.#blocks;
    const row = this.#row;
    const address = blocks.address[from]!;
    if (Number.isFinite(address)) columns.address[row] = address;
    columns.size[row] = blocks.size[from]!;
    columns.requested[row] = blocks.requested[from]!;
    columns.state[row] = this.#state(blocks.state[from]!);
    columns.stack[row] = blocks.stack[from]!;
  }

  /** A block that it did not see as one: old forms, and protocol 0. */
  #readBlock(at: number, segment: number): void {
    const document = this.#document;
    const row = this.#row;
    const columns = this.#blocks;
    const dictionary = document.dictionaryAt(at);
    if (dictionary === NONE)
      throw this.#badBlock(segment, (block) => say`segment ${segment}, block ${block} is no dictionary`);
    let size = NaN;
    const pieces = document.pairPieces(dictionary);
    for (let piece = 0; piece < pieces.length; piece += 2) {
      const end = pieces[piece]! + pieces[piece + 1]!;
      for (let key = pieces[piece]!; key + 1 < end; key += 2) {
        switch (document.roleAt(key)) {
          case ROLE.size:
            size = document.numberAt(key + 1);
            break;
          case ROLE.address: {
            const address = document.numberAt(key + 1);
            if (Number.isFinite(address)) columns.address[row] = address;
            break;
          }
          case ROLE.requestedSize:
            columns.requested[row] = document.numberAt(key + 1);
            break;
          case ROLE.state:
            columns.state[row] = this.#state(document.stringAt(key + 1));
            break;
          case ROLE.frames:
            columns.stack[row] = stackAt(document, key + 1);
            break;
          case ROLE.history:
            this.#readHistory(key + 1);
            break;
          default:
        }
      }
    }
    columns.size[row] = size;
  }

  /** The newest entry of a block's history: what lives in it. */
  #readHistory(at: number): void {
    const document = this.#document;
    const list = document.sequenceAt(at);
    const entry = list === NONE ? NONE : document.firstDictionary(list);
    if (entry === NONE) return;
    const row = this.#row;
    const columns = this.#blocks;
    const pieces = document.pairPieces(entry);
    for (let piece = 0; piece < pieces.length; piece += 2) {
      const end = pieces[piece]! + pieces[piece + 1]!;
      for (let key = pieces[piece]!; key + 1 < end; key += 2) {
        const role = document.roleAt(key);
        if (role === ROLE.frames) columns.stack[row] = stackAt(document, key + 1);
        else if (role === ROLE.realSize && Number.isNaN(columns.requested[row]!))
          columns.requested[row] = document.numberAt(key + 1);
      }
    }
  }

  #state(text: number): number {
    if (text === this.#lastText) return this.#lastState;
    this.#lastText = text;
    this.#lastState =
      text === -1 ? BLOCK.unknown : (BLOCK_STATES.get(this.#document.tables.strings.text(text)) ?? BLOCK.unknown);
    return this.#lastState;
  }

  #unusable(segment: number, key: string): AppError {
    return this.#refuse(say`segment ${segment} has no usable "${key}"`);
  }

  #badBlock(segment: number, what: (block: number) => string): AppError {
    const { segment: owners } = this.#blocks;
    let first = this.#row;
    while (first > 0 && owners[first - 1] === segment) first--;
    return this.#refuse(what(this.#row - first));
  }

  #refuse(what: string): AppError {
    return badInput(this.#name, say`${this.#name}: ${`${what}; ${this.#expected}`}`);
  }
}

/** Sums that no allocator writes count as not given: the blocks tell. */
const knownOf = (sum: number): number | undefined => (isWhole(sum) ? sum : undefined);
