/**
 * Snapshots of seeded random programs on the model, written and read again: known runs, of which a trace may hold only
 * the end, as the ring buffer of a real process does.
 */
import { mulberry32 } from '../../../base/random.js';
import { CachingAllocator, type CachingOptions } from '../../allocator/caching/caching-allocator.js';
import { History } from '../../allocator/caching/history.js';
import { readSnapshot } from '../read-snapshot.js';
import { type RecordedSnapshot } from '../recorded-snapshot.js';
import { writeSnapshot } from '../write-snapshot.js';

const MIB = 2 ** 20;

export interface RunShape extends CachingOptions {
  readonly seed: number;
  readonly steps: number;
  /** Streams that allocate; from 2 on, blocks are also used on the other ones. */
  readonly streams?: number;
  /** Entries that the ring has lost at its start. */
  readonly lost?: number;
  /** Every so many steps a private pool is opened or closed, of three that stay in use; never unless given. */
  readonly poolEvery?: number;
  /** One step in so many gives the cache back; never unless given. */
  readonly flushEvery?: number;
}

/** The snapshot at the end of such a run. */
export function recordedRun({
  seed,
  steps,
  streams = 1,
  lost = 0,
  flushEvery,
  poolEvery,
  ...options
}: RunShape): RecordedSnapshot {
  const random = mulberry32(seed);
  const allocator = new CachingAllocator({ ...options, history: true });
  let live: number[] = [];
  /** The private pool in use; 0 for none. */
  let open = 0;
  for (let step = 0; step < steps; step++) {
    const dice = random() % 100;
    if (poolEvery !== undefined && step % poolEvery === 0) {
      if (open !== 0) allocator.endAllocateToPool(open);
      open = open === 0 ? 1 + (random() % 3) : 0;
      if (open !== 0) allocator.beginAllocateToPool(open);
    }
    if (open === 0 && flushEvery !== undefined && random() % flushEvery === 0) allocator.flush();
    if (streams > 1 && dice < 10) allocator.synchronize(1 + (random() % streams));
    if (dice < 52 || live.length === 0) {
      const size = 1 + (random() % [4096, MIB, 12 * MIB, 60 * MIB][random() % 4]!);
      const handle = allocator.malloc(size, random() % streams);
      if (handle >= 0) live.push(handle);
    } else {
      const handle = live[random() % live.length]!;
      live = live.filter((other) => other !== handle);
      if (streams > 1 && random() % 4 === 0) allocator.recordStream(handle, random() % streams);
      allocator.free(handle);
    }
  }
  const { settings } = allocator;
  return readSnapshot(
    writeSnapshot({
      heap: allocator.heap(),
      history: withoutStart(allocator.history!, lost),
      settings: {
        conf: options.conf ?? '',
        maxSplitSize: settings.reportedMaxSplitSize,
        garbageCollectionThreshold: settings.garbageCollectionThreshold,
        expandableSegments: settings.expandableSegments,
        roundupDivisions: settings.roundupDivisions,
      },
    }),
    'run',
  );
}

/** The history without its first entries. */
function withoutStart(history: History, lost: number): History {
  const rest = new History();
  for (let i = lost; i < history.length; i++) {
    rest.add(history.actionAt(i), history.addressAt(i), history.sizeAt(i), history.streamAt(i));
  }
  return rest;
}
