/** Parts of a pickle as plain data, for what is small or looked at whole: notes of a snapshot, golden data. */
import { KIND, TAG } from './object-table.js';
import { type PickleDocument, type Value } from './pickle-document.js';

/** A copy goes no deeper and takes no more values than this: a list that holds itself ends, too. */
const DEEPEST = 32;
const MOST_VALUES = 100_000;

/**
 * A copy as plain data: null-prototype objects, arrays, numbers, bigints beyond 2^53, undefined for None. Depth and
 * count are bounded, what lies beyond becomes the text `...`.
 */
export function plainCopy(document: PickleDocument, value: Value): unknown {
  return new PlainCopy(document).of(value, 0);
}

class PlainCopy {
  readonly #document: PickleDocument;
  #left = MOST_VALUES;

  constructor(document: PickleDocument) {
    this.#document = document;
  }

  of(item: Value, depth: number): unknown {
    if (--this.#left < 0 || depth > DEEPEST) return '...';
    const { bigs, blobs, data } = this.#document.tables;
    switch (item.tag) {
      case TAG.none:
        return undefined;
      case TAG.false:
      case TAG.true:
        return item.tag === TAG.true;
      case TAG.string:
        return this.#document.text(item);
      case TAG.big:
        return bigs[item.value];
      case TAG.bytes: {
        const offset = blobs[2 * item.value]!;
        return data.slice(offset, offset + blobs[2 * item.value + 1]!);
      }
      case TAG.object:
        return this.#container(item, depth + 1);
      default:
        return item.value;
    }
  }

  #container(item: Value, depth: number): unknown {
    const { objects, events } = this.#document.tables;
    const payload = objects.payload[item.value]!;
    switch (objects.kinds[item.value]) {
      case KIND.dict:
        return this.#dictionary(item, depth);
      case KIND.frame:
        return this.#frame(payload);
      case KIND.stack:
        return this.#stack(payload);
      case KIND.pair:
        return this.#document.pair(item);
      case KIND.block:
        return this.#block(payload);
      case KIND.segment:
        return this.#segment(payload, depth);
      case KIND.event:
        return bare({
          action: this.#text(events.action[payload]!),
          addr: events.addr[payload],
          size: events.size[payload],
          stream: events.stream[payload],
        });
      default:
        return this.#items(item, depth);
    }
  }

  #items(sequence: Value, depth: number): unknown[] {
    const made: unknown[] = [];
    this.#document.forEachItem(sequence, (value) => made.push(this.of(value, depth)));
    return made;
  }

  #dictionary(dictionary: Value, depth: number): unknown {
    const made = bare({});
    this.#document.forEachEntry(dictionary, (key, value) => {
      made[key] = this.of(value, depth);
    });
    return made;
  }

  #frame(index: number): unknown {
    const { name, file, line } = this.#document.tables.stacks.frame(index);
    return bare({ name: this.#text(name), filename: this.#text(file), line });
  }

  #stack(stack: number): unknown[] {
    const frames = stack === -1 ? [] : this.#document.tables.stacks.framesOf(stack);
    return Array.from(frames, (frame) => this.#frame(frame));
  }

  #block(row: number): unknown {
    const { blocks } = this.#document.tables;
    return bare({
      address: blocks.address[row],
      size: blocks.size[row],
      requested_size: blocks.requested[row],
      state: this.#text(blocks.state[row]!),
    });
  }

  #segment(row: number, depth: number): unknown {
    const { segments } = this.#document.tables;
    const type = segments.type[row]!;
    const pool = segments.pool[row]!;
    const expandable = segments.expandable[row]!;
    return bare({
      device: segments.device[row],
      address: segments.address[row],
      total_size: segments.size[row],
      allocated_size: segments.allocated[row],
      active_size: segments.active[row],
      requested_size: segments.requested[row],
      stream: segments.stream[row],
      segment_type: type === -1 ? undefined : this.#text(type),
      segment_pool_id: pool === -1 ? undefined : this.#document.pairNumbered(pool),
      is_expandable: expandable === -1 ? undefined : expandable === 1,
      frames: this.#stack(segments.stack[row]!),
      blocks: this.#items({ tag: TAG.object, value: segments.blocks[row]! }, depth),
    });
  }

  #text(index: number): string {
    return this.#document.tables.strings.text(index);
  }
}

/** No prototype: a key such as `__proto__` is a key like any other. */
const bare = (members: object): Record<string, unknown> =>
  Object.assign(Object.create(null) as Record<string, unknown>, members);
