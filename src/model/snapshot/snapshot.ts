/**
 * A memory snapshot in the layout of PyTorch 2.6 (`torch.cuda.memory._snapshot()`), as plain data: what the pickle
 * writer writes, and what golden data are compared with.
 */
import { type Heap, type HeapBlock, type HeapSegment } from '../allocator/allocator.js';

/** Where CUDA device addresses begin, in the golden data as in most processes. */
export const FIRST_CUDA_ADDRESS = 0x7f00_0000_0000;
/** Handle of stream k is k times this; the default stream's is 0 (golden/pytorch/README.md). */
export const STREAM_HANDLE = 0x1000;

export type BlockState = 'active_allocated' | 'active_pending_free' | 'inactive';

export interface SnapshotBlock {
  readonly address: number;
  readonly size: number;
  /** Of an inactive block: what its last tensor asked for. */
  readonly requested_size: number;
  readonly state: BlockState;
}

export interface SnapshotSegment {
  readonly address: number;
  readonly total_size: number;
  readonly allocated_size: number;
  readonly active_size: number;
  readonly requested_size: number;
  readonly stream: number;
  readonly segment_type: string;
  readonly segment_pool_id: readonly [number, number];
  readonly is_expandable: boolean;
  readonly blocks: readonly SnapshotBlock[];
}

const STATES = { allocated: 'active_allocated', pending: 'active_pending_free', free: 'inactive' } as const;

/** The segments of a heap, in address order; addresses and stream numbers as the model has them. */
export const snapshotSegments = (heap: Heap): SnapshotSegment[] => heap.segments.map(snapshotSegment);

function snapshotSegment(segment: HeapSegment): SnapshotSegment {
  const active = segment.blocks.filter((block) => block.state !== 'free');
  return {
    address: segment.address,
    total_size: segment.size,
    allocated_size: sum(active, (block) => (block.state === 'allocated' ? block.size : 0)),
    active_size: sum(active, (block) => block.size),
    requested_size: sum(active, (block) => block.requested),
    stream: segment.stream,
    segment_type: segment.pool === 'small' ? 'small' : 'large',
    segment_pool_id: [segment.privatePool ?? 0, 0],
    is_expandable: segment.expandable,
    blocks: segment.blocks.map((block) => ({
      address: block.address,
      size: block.size,
      requested_size: block.requested,
      state: STATES[block.state],
    })),
  };
}

const sum = (blocks: readonly HeapBlock[], value: (block: HeapBlock) => number): number =>
  blocks.reduce((total, block) => total + value(block), 0);
