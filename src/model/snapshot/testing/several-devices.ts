/**
 * One file of a process with several devices: seeded runs on the model, each with its own trace, whose addresses overlap as
 * those of two cards may. What each allocator had at its failures comes with it.
 */
import { mulberry32 } from '../../../base/random.js';
import { CachingAllocator } from '../../allocator/caching/caching-allocator.js';
import { type History, HISTORY_ACTIONS } from '../../allocator/caching/history.js';
import { FIRST_CUDA_ADDRESS, snapshotSegments } from '../snapshot.js';
import { pythonPickle, Tuple } from './python-pickle.js';

const MIB = 2 ** 20;

export interface DeviceRun {
  readonly seed: number;
  readonly steps: number;
  readonly capacity: number;
  /** Entries that the ring has lost at its start. */
  readonly lost: number;
}

/** Reserved, allocated, free bytes, free blocks and the largest of them at a failure. */
export type FailureFigures = readonly [number, number, number, number, number];

/** The pickle, and the figures of each device at those of its failures that are still in its trace. */
export function severalDevices(
  runs: readonly DeviceRun[],
  conf: string,
): { readonly bytes: Uint8Array; readonly failures: readonly (readonly FailureFigures[])[] } {
  const done = runs.map((run) => runOne(run, conf));
  const bytes = pythonPickle(
    {
      segments: done.flatMap(({ allocator }, device) =>
        snapshotSegments(allocator.heap()).map((segment) => ({
          ...segment,
          device,
          address: FIRST_CUDA_ADDRESS + segment.address,
          segment_pool_id: new Tuple([...segment.segment_pool_id]),
          frames: [],
          blocks: segment.blocks.map((block) => ({
            ...block,
            address: FIRST_CUDA_ADDRESS + block.address,
            frames: [],
          })),
        })),
      ),
      device_traces: done.map(({ history }, device) => entriesOf(history, runs[device]?.lost ?? 0)),
      allocator_settings: { PYTORCH_CUDA_ALLOC_CONF: conf, expandable_segments: conf.startsWith('expandable') },
    },
    4,
  );
  const failures = done.map(({ failed }, device) =>
    failed.filter(({ entry }) => entry >= (runs[device]?.lost ?? 0)).map(({ figures }) => figures),
  );
  return { bytes, failures };
}

function runOne({ seed, steps, capacity }: DeviceRun, conf: string) {
  const random = mulberry32(seed);
  const allocator = new CachingAllocator({ capacity, conf, history: true });
  const { history } = allocator;
  if (history === undefined) throw new Error('the allocator keeps no history');
  const live: number[] = [];
  const failed: { readonly entry: number; readonly figures: FailureFigures }[] = [];
  for (let step = 0; step < steps; step++) {
    if (step % 90 === 89) allocator.flush();
    if (random() % 5 < 3) {
      const handle = allocator.malloc(1 + (random() % (random() % 2 === 0 ? MIB : 40 * MIB)));
      if (handle >= 0) live.push(handle);
      else failed.push({ entry: history.length - 1, figures: figuresOf(allocator) });
    } else if (live.length > 0) {
      const [handle = -1] = live.splice(random() % live.length, 1);
      allocator.free(handle);
    }
  }
  return { allocator, history, failed };
}

function figuresOf(allocator: CachingAllocator): FailureFigures {
  const free = allocator
    .heap()
    .segments.flatMap(({ blocks }) => blocks.filter(({ state }) => state === 'free').map(({ size }) => size));
  const { reserved, allocated } = allocator.totals;
  return [reserved, allocated, free.reduce((sum, size) => sum + size, 0), free.length, Math.max(0, ...free)];
}

/** A failure has `device_free` and no `addr`. */
function entriesOf(history: History, lost: number): Record<string, unknown>[] {
  const entries: Record<string, unknown>[] = [];
  for (let i = lost; i < history.length; i++) {
    const action = HISTORY_ACTIONS[history.actionAt(i)] ?? '';
    const at = history.addressAt(i);
    entries.push({
      action,
      ...(action === 'oom' ? { device_free: at } : { addr: FIRST_CUDA_ADDRESS + at }),
      size: history.sizeAt(i),
      stream: history.streamAt(i),
    });
  }
  return entries;
}
