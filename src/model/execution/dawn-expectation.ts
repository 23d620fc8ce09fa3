/** What Dawn's sub-allocator should do with a sequence of creations and destructions: the model's side of `driver`. */
import { DawnAllocator, type DawnBackend } from '../allocator/buddy/dawn-allocator.js';
import { RecordingMemory } from './recording-memory.js';

/** One act: create so many buffers of a size, or destroy those of the earlier ones that `picks` chooses. */
export type DriverAct =
  | { readonly kind: 'create'; readonly count: number; readonly size: number }
  | { readonly kind: 'destroy'; readonly picks: (index: number) => boolean };

export interface DriverExpectation {
  /** Bytes of heaps and own allocations after each act. */
  readonly reserved: readonly number[];
  /** Bytes asked for by live buffers after each act. */
  readonly live: readonly number[];
}

/** Room for any experiment of ours; what counts is what is taken of it. */
const CAPACITY = 2 ** 36;
const GRANULE = 256;

/** Plays the acts on the model. `subAllocation`: false for a browser with `disable_resource_suballocation`. */
export function expectedOf(acts: readonly DriverAct[], backend: DawnBackend, subAllocation = true): DriverExpectation {
  const dawn = new DawnAllocator(new RecordingMemory(CAPACITY, GRANULE), { backend, subAllocation });
  const handles: (number | undefined)[] = [];
  const reserved: number[] = [];
  const live: number[] = [];
  for (const act of acts) {
    if (act.kind === 'create') for (let i = 0; i < act.count; i++) handles.push(dawn.malloc(act.size));
    else {
      for (const [index, handle] of handles.entries()) {
        if (handle === undefined || !act.picks(index)) continue;
        dawn.free(handle);
        handles[index] = undefined;
      }
    }
    reserved.push(dawn.totals.reserved);
    live.push(dawn.totals.requested);
  }
  return { reserved, live };
}

/** The backend that Dawn uses on a platform, as `navigator.platform` names it. */
export const backendOf = (platform: string): DawnBackend =>
  /^win/i.test(platform) ? 'd3d12' : /^(mac|iphone|ipad)/i.test(platform) ? 'metal' : 'vulkan';
