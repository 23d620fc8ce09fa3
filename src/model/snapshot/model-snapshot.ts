/** The state of any allocator model as a memory snapshot of PyTorch, with its history where one was kept. */
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { type ReadyAllocator } from '../allocator/registry.js';
import { FIRST_CUDA_ADDRESS } from './snapshot.js';
import { writeSnapshot } from './write-snapshot.js';

/** The bytes of the pickle. `conf` is the settings string that it ran with. */
export function snapshotOf({ allocator, firstAddress }: ReadyAllocator, conf: string): Uint8Array {
  const heap = allocator.heap();
  if (!(allocator instanceof CachingAllocator)) {
    const settings = {
      conf: '',
      maxSplitSize: -1,
      garbageCollectionThreshold: 0,
      expandableSegments: false,
      roundupDivisions: new Float64Array(16),
    };
    return writeSnapshot({ heap, settings, firstAddress: FIRST_CUDA_ADDRESS - firstAddress });
  }
  const { settings, history } = allocator;
  return writeSnapshot({
    heap,
    history,
    settings: {
      conf,
      maxSplitSize: settings.reportedMaxSplitSize,
      garbageCollectionThreshold: settings.garbageCollectionThreshold,
      expandableSegments: settings.expandableSegments,
      roundupDivisions: settings.roundupDivisions,
    },
  });
}
