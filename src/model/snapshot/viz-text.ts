/**
 * The two texts that PyTorch's `_memory_viz.py` makes of a snapshot, to the letter: `segsum`, how the segments are filled,
 * and `trace`, the history as a program (facts: golden/pytorch, memory_viz_text).
 */
import { fixedHalfEven } from '../../base/half-even.js';
import { type History, HISTORY_ACTIONS } from '../allocator/caching/history.js';
import { FIRST_CUDA_ADDRESS, type SnapshotSegment, STREAM_HANDLE } from './snapshot.js';

const PAGE = 20 * 2 ** 20;

/** Its sizes: one decimal, units from B up. */
function vizBytes(size: number): string {
  let value = size;
  for (const unit of ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'Zi']) {
    if (Math.abs(value) < 1024) return `${fixedHalfEven(value, 1)}${unit}B`;
    value /= 1024;
  }
  return `${fixedHalfEven(value, 1)}YiB`;
}

/** Free bytes, with the share of them that is lost inside blocks. */
function freeText(external: number, internal: number): string {
  const total = external + internal;
  const share = total === 0 ? '' : ` (${fixedHalfEven((internal / total) * 100, 1)}% internal)`;
  return vizBytes(total) + share;
}

const LEGEND = [
  '',
  'Legend:',
  '    [a     ] - a segment in the allocator',
  `     ^-- a page ${vizBytes(PAGE)} of memory in the segment`,
  "    a-z: pages filled with a single block's content",
  "    ' ': page is completely free",
  '    *: page if completely full with multiple blocks',
  '    0-9: page is partially full with tensors of multiple blocks (9 == 90% full)',
  '    (X% internal) - of the free memory, X% is free because we rounded the size of the allocation.',
  '',
];

/** `segsum`: a line for each segment of at least a page, then the sums. */
export function segmentSummary(segments: readonly SnapshotSegment[]): string {
  const lines = [`Summary of segments >= ${vizBytes(PAGE)} in size`];
  const sums = { reserved: 0, allocated: 0, external: 0, internal: 0 };
  const bySize = [...segments].sort((a, b) => a.total_size - b.total_size || a.allocated_size - b.allocated_size);
  for (const segment of bySize) {
    const { pages, allocated } = fillOf(segment);
    const internal = segment.allocated_size - allocated;
    const external = segment.total_size - segment.allocated_size;
    sums.reserved += segment.total_size;
    sums.allocated += allocated;
    sums.external += external;
    sums.internal += internal;
    if (segment.total_size < PAGE) continue;
    const stream = segment.stream === 0 ? '' : ` stream_${segment.stream * STREAM_HANDLE}`;
    lines.push(`[${pages}] ${vizBytes(segment.total_size)} allocated, ${freeText(external, internal)} free${stream}`);
  }
  lines.push(
    `segments: ${segments.length}`,
    `total_reserved: ${vizBytes(sums.reserved)}`,
    `total_allocated: ${vizBytes(sums.allocated)}`,
    `total_free: ${freeText(sums.external, sums.internal)}`,
    ...LEGEND,
  );
  return lines.join('\n');
}

/** One sign a page, and the bytes that the tensors in the segment asked for. */
function fillOf(segment: SnapshotSegment): { readonly pages: string; readonly allocated: number } {
  const count = Math.ceil(segment.total_size / PAGE);
  const pages = new Array<string>(count).fill(' ');
  const filled = new Array<number>(count).fill(0);
  let allocated = 0;
  let tensors = 0;
  for (const block of segment.blocks) {
    if (block.state !== 'active_allocated') continue;
    const begin = block.address - segment.address;
    const end = begin + block.requested_size;
    const letter = String.fromCharCode(97 + (tensors++ % 26));
    allocated += block.requested_size;
    for (let page = Math.floor(begin / PAGE); page * PAGE < end; page++) {
      const share = (Math.min(end, (page + 1) * PAGE) - Math.max(begin, page * PAGE)) / PAGE;
      filled[page] = (filled[page] ?? 0) + share;
      pages[page] = pages[page] === ' ' ? letter : ('0123456789*'[Math.trunc((filled[page] ?? 0) * 10)] ?? '*');
    }
  }
  return { pages: pages.join(''), allocated };
}

/** `trace`: the first `count` entries of the history of device 0, one line each. */
export function traceListing(
  segments: readonly SnapshotSegment[],
  history: History | undefined,
  count: number,
): string {
  if (history === undefined || count === 0) return '';
  const names = new Names(segments);
  const lines = ['Device 0 ----------------', `${count} entries`];
  let total = 0;
  for (let i = 0; i < count; i++) {
    const action = HISTORY_ACTIONS[history.actionAt(i)];
    const size = history.sizeAt(i);
    // The original uses one variable for the entry's number and for this sum, so only the last entry counts.
    total = i + (action === 'alloc' ? size : action === 'free_completed' ? -size : 0);
    lines.push(entryLine(names, action, history.addressAt(i), size, history.streamAt(i)));
  }
  return [...lines, `TOTAL MEM: ${vizBytes(total)}`].join('\n');
}

function entryLine(
  names: Names,
  action: (typeof HISTORY_ACTIONS)[number] | undefined,
  offset: number,
  size: number,
  stream: number,
): string {
  const address = FIRST_CUDA_ADDRESS + offset;
  switch (action) {
    case 'alloc':
      return names.allocate(offset, size);
    case 'free_requested':
      return `del ${names.tensorAt(offset)} # ${vizBytes(size)}`;
    case 'free_completed':
      return `# free completed for ${names.tensorAt(offset)} ${vizBytes(size)}`;
    case 'segment_alloc':
      return names.openSegment(offset, size);
    case 'segment_free':
      return `cudaFree(${names.segmentAt(offset)}) # ${vizBytes(size)}`;
    case 'oom':
      return `raise OutOfMemoryError # ${vizBytes(size)} requested, ${vizBytes(offset)} free in CUDA`;
    default:
      return (
        `{'action': '${action ?? ''}', 'addr': ${action === 'snapshot' ? offset : address}, 'size': ${size}, ` +
        `'stream': ${stream * STREAM_HANDLE}, 'time_us': 0}`
      );
  }
}

/** Letters for tensors and segments in the order of their appearance; none is used twice. */
class Names {
  readonly #tensors = new Map<number, string>();
  readonly #segments = new Map<number, string>();
  readonly #ranges: { readonly name: string; readonly begin: number; readonly end: number }[] = [];
  #next = 0;

  constructor(private readonly last: readonly SnapshotSegment[]) {}

  allocate(offset: number, size: number): string {
    const name = this.#name();
    this.#tensors.set(offset, name);
    const inside = this.#rangeOf(offset);
    const place =
      inside === undefined ? `MEM[${FIRST_CUDA_ADDRESS + offset}` : `${inside.name}[${offset - inside.begin}`;
    return `${name} = ${place}:${vizBytes(size)}]`;
  }

  openSegment(offset: number, size: number): string {
    const name = this.#name();
    this.#segments.set(offset, name);
    this.#ranges.push({ name, begin: offset, end: offset + size });
    return `${name} = cudaMalloc(${FIRST_CUDA_ADDRESS + offset}, ${vizBytes(size)})`;
  }

  tensorAt(offset: number): string {
    return this.#tensors.get(offset) ?? String(FIRST_CUDA_ADDRESS + offset);
  }

  segmentAt(offset: number): string {
    return this.#segments.get(offset) ?? String(FIRST_CUDA_ADDRESS + offset);
  }

  /** The segment of the history, or else the one in the snapshot as far as it is in use, that an address lies in. */
  #rangeOf(offset: number): { readonly name: string; readonly begin: number } | undefined {
    const range = this.#ranges.find(({ begin, end }) => offset >= begin && offset < end);
    if (range !== undefined) return range;
    const index = this.last.findIndex(
      ({ address, allocated_size: used }) => offset >= address && offset < address + used,
    );
    const segment = this.last[index];
    return segment === undefined ? undefined : { name: `seg_${index}`, begin: segment.address };
  }

  #name(): string {
    const round = Math.floor(this.#next / 26);
    const letter = String.fromCharCode(97 + (this.#next++ % 26));
    return round === 0 ? letter : `${letter}${round}`;
  }
}
