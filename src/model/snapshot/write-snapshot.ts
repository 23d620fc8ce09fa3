/**
 * Writes a modelled run as a memory snapshot, so that it opens in PyTorch's own tools (memory_viz, `_memory_viz.py`):
 * the segments now, and the history of what led there.
 *
 *     const bytes = writeSnapshot({ heap: allocator.heap(), history: allocator.history, settings });
 */
import { type Heap } from '../allocator/allocator.js';
import { ALLOC, type History, HISTORY_ACTIONS, SEGMENT_ALLOC } from '../allocator/caching/history.js';
import { PickleFloat, PickleTuple, PickleWriter } from './pickle-writer.js';
import { FIRST_CUDA_ADDRESS, type SnapshotSegment, snapshotSegments, STREAM_HANDLE } from './snapshot.js';

/** What a snapshot says under `allocator_settings`. */
export interface SnapshotSettings {
  /** The settings string as it was given. */
  readonly conf: string;
  /** Bytes; -1 where there is no limit. */
  readonly maxSplitSize: number;
  readonly garbageCollectionThreshold: number;
  readonly expandableSegments: boolean;
  /** Divisions for sizes of 1, 2, 4, ... 32768 MiB. */
  readonly roundupDivisions: ArrayLike<number>;
}

export interface SnapshotSource {
  readonly heap: Heap;
  /** Entries of what happened; absent where none was kept. */
  readonly history?: History | undefined;
  readonly settings: SnapshotSettings;
  /** Address in the pickle of the model's address 0. */
  readonly firstAddress?: number;
  /** What a model does not know by itself: call stacks and times. Absent: stacks are empty, times 0. */
  readonly circumstances?: SnapshotCircumstances | undefined;
}

/** One frame of a call stack, as PyTorch writes it. */
export type SnapshotFrame = {
  readonly name: string;
  readonly filename: string;
  readonly line: number;
};

export interface SnapshotCircumstances {
  /** Call stack of a history entry, innermost frame first. Frames that are the same object are written once. */
  readonly stackOf: (entry: number) => readonly SnapshotFrame[];
  /** Microseconds of a history entry. */
  readonly timeOf: (entry: number) => number;
}

const OOM = HISTORY_ACTIONS.indexOf('oom');
const SNAPSHOT = HISTORY_ACTIONS.indexOf('snapshot');

/** The bytes of the pickle, protocol 4, device 0. */
export function writeSnapshot(source: SnapshotSource): Uint8Array {
  const { heap, settings, firstAddress = FIRST_CUDA_ADDRESS } = source;
  const pickle = new PickleWriter();
  const stacks = blockStacks(source);
  pickle.beginDict();
  pickle.text('segments');
  pickle.beginList();
  for (const segment of snapshotSegments(heap)) writeSegment(pickle, segment, firstAddress, stacks);
  pickle.endList();
  pickle.text('device_traces');
  pickle.beginList();
  writeHistory(pickle, source, firstAddress);
  pickle.endList();
  pickle.text('allocator_settings');
  writeSettings(pickle, settings);
  pickle.text('external_annotations');
  pickle.value([]);
  pickle.endDict();
  return pickle.finish();
}

/** The stack of the last allocation at each address: that of the block which lies there. */
function blockStacks({ history, circumstances }: SnapshotSource): ReadonlyMap<number, readonly SnapshotFrame[]> {
  const stacks = new Map<number, readonly SnapshotFrame[]>();
  if (history === undefined || circumstances === undefined) return stacks;
  for (let i = 0; i < history.length; i++) {
    const action = history.actionAt(i);
    if (action === ALLOC || action === SEGMENT_ALLOC) stacks.set(history.addressAt(i), circumstances.stackOf(i));
  }
  return stacks;
}

function writeStack(pickle: PickleWriter, frames: readonly SnapshotFrame[]): void {
  pickle.text('frames');
  if (frames.length === 0) {
    pickle.value([]);
    return;
  }
  pickle.beginList();
  for (const frame of frames) pickle.shared(frame);
  pickle.endList();
}

function writeSegment(
  pickle: PickleWriter,
  segment: SnapshotSegment,
  firstAddress: number,
  stacks: ReadonlyMap<number, readonly SnapshotFrame[]>,
): void {
  pickle.beginDict();
  const fields = {
    device: 0,
    address: firstAddress + segment.address,
    total_size: segment.total_size,
    allocated_size: segment.allocated_size,
    active_size: segment.active_size,
    requested_size: segment.requested_size,
    stream: segment.stream * STREAM_HANDLE,
    segment_type: segment.segment_type,
    segment_pool_id: new PickleTuple(segment.segment_pool_id),
    is_expandable: segment.is_expandable,
  };
  for (const [key, value] of Object.entries(fields)) {
    pickle.text(key);
    pickle.value(value);
  }
  writeStack(pickle, stacks.get(segment.address) ?? []);
  pickle.text('blocks');
  pickle.beginList();
  for (const block of segment.blocks) {
    pickle.beginDict();
    pickle.text('address');
    pickle.int(firstAddress + block.address);
    pickle.text('size');
    pickle.int(block.size);
    pickle.text('requested_size');
    pickle.int(block.requested_size);
    pickle.text('state');
    pickle.text(block.state);
    writeStack(pickle, block.state === 'inactive' ? [] : (stacks.get(block.address) ?? []));
    pickle.endDict();
  }
  pickle.endList();
  pickle.endDict();
}

/** One dict an entry. An out of memory has `device_free` where the others have `addr`. */
function writeHistory(pickle: PickleWriter, { history, circumstances }: SnapshotSource, firstAddress: number): void {
  pickle.beginList();
  for (let i = 0; history !== undefined && i < history.length; i++) {
    const action = history.actionAt(i);
    const address = history.addressAt(i);
    pickle.beginDict();
    pickle.text('action');
    pickle.text(HISTORY_ACTIONS[action] ?? '');
    pickle.text(action === OOM ? 'device_free' : 'addr');
    pickle.int(action === OOM || action === SNAPSHOT ? address : firstAddress + address);
    pickle.text('size');
    pickle.int(history.sizeAt(i));
    pickle.text('stream');
    pickle.int(history.streamAt(i) * STREAM_HANDLE);
    pickle.text('time_us');
    pickle.int(circumstances?.timeOf(i) ?? 0);
    if (circumstances !== undefined) writeStack(pickle, circumstances.stackOf(i));
    pickle.endDict();
  }
  pickle.endList();
}

function writeSettings(pickle: PickleWriter, settings: SnapshotSettings): void {
  const divisions: Record<string, number> = {};
  for (let i = 0; i < settings.roundupDivisions.length; i++) divisions[String(2 ** i)] = settings.roundupDivisions[i]!;
  pickle.value({
    PYTORCH_CUDA_ALLOC_CONF: settings.conf,
    max_split_size: settings.maxSplitSize,
    garbage_collection_threshold: new PickleFloat(settings.garbageCollectionThreshold),
    expandable_segments: settings.expandableSegments,
    pinned_num_register_threads: 1,
    release_lock_on_cudamalloc: false,
    pinned_use_cuda_host_register: false,
    roundup_power2_divisions: divisions,
  });
}
