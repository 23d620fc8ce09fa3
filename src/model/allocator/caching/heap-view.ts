/** All segments and blocks as plain objects, in address order (torch.cuda.memory_snapshot). */
import { type Heap, type HeapBlock, type HeapSegment } from '../allocator.js';
import {
  ALLOCATED,
  AWAITING,
  DOUBLES,
  INTS,
  NEXT,
  PREV,
  REQUESTED,
  SEGMENT,
  STATE,
  UNMAPPED,
  UNUSED,
} from './block-table.js';
import { type AllocatorState } from './state.js';

/** An expandable segment is shown as one segment for each contiguous mapped range. */
export function viewHeap(state: AllocatorState): Heap {
  const { i32, used } = state.table;
  const segments: HeapSegment[] = [];
  for (let block = 1; block < used; block += 1) {
    const at = block << INTS;
    if (i32[at + STATE] === UNUSED || i32[at + STATE] === UNMAPPED) continue;
    const previous = i32[at + PREV]!;
    if (previous === 0 || i32[(previous << INTS) + STATE] === UNMAPPED) segments.push(viewSegment(state, block));
  }
  return { segments: segments.sort((a, b) => a.address - b.address) };
}

function viewSegment(state: AllocatorState, head: number): HeapSegment {
  const { i32 } = state.table;
  const { pool, stream } = state.shelfOf(head);
  const blocks: HeapBlock[] = [];
  let size = 0;
  for (
    let block = head;
    block !== 0 && i32[(block << INTS) + STATE] !== UNMAPPED;
    block = i32[(block << INTS) + NEXT]!
  ) {
    blocks.push(viewBlock(state, block));
    size += state.sizeOf(block);
  }
  return {
    address: state.addressOf(head),
    size,
    stream,
    pool: pool.isSmall ? 'small' : 'large',
    ...(pool.owner === undefined ? {} : { privatePool: pool.owner.id }),
    expandable: i32[(head << INTS) + SEGMENT] !== 0,
    blocks,
  };
}

function viewBlock(state: AllocatorState, block: number): HeapBlock {
  const is = state.table.i32[(block << INTS) + STATE]!;
  return {
    address: state.addressOf(block),
    size: state.sizeOf(block),
    requested: state.table.f64[(block << DOUBLES) + REQUESTED]!,
    state: is === ALLOCATED ? 'allocated' : is === AWAITING ? 'pending' : 'free',
    handle: is === ALLOCATED ? block - 1 : -1,
  };
}
