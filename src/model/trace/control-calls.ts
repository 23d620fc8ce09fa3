/** The richer operations of a trace as calls of an allocator's controls. */
import { type AllocatorControls, type PlacementOptions } from '../allocator/allocator.js';
import { OPERATION, type Trace } from './trace.js';

interface ControlCall {
  readonly name: keyof AllocatorControls;
  readonly call: (controls: AllocatorControls, value: number, text: string) => void;
}

/** The richer operations, each with the control that carries it out. */
export const CONTROLS: ReadonlyMap<number, ControlCall> = new Map<number, ControlCall>([
  [OPERATION.setSettings, { name: 'setSettings', call: (controls, _, text) => controls.setSettings?.(text) }],
  [
    OPERATION.setMemoryFraction,
    { name: 'setMemoryFraction', call: (controls, value) => controls.setMemoryFraction?.(value) },
  ],
  [OPERATION.resetPeakStats, { name: 'resetPeakStats', call: (controls) => controls.resetPeakStats?.() }],
  [
    OPERATION.resetAccumulatedStats,
    { name: 'resetAccumulatedStats', call: (controls) => controls.resetAccumulatedStats?.() },
  ],
  [
    OPERATION.beginPool,
    { name: 'beginAllocateToPool', call: (controls, value) => controls.beginAllocateToPool?.(value) },
  ],
  [OPERATION.endPool, { name: 'endAllocateToPool', call: (controls, value) => controls.endAllocateToPool?.(value) }],
  [OPERATION.releasePool, { name: 'releasePool', call: (controls, value) => controls.releasePool?.(value) }],
  [
    OPERATION.setSafeFrontier,
    { name: 'setSafeFrontier', call: (controls, value) => controls.setSafeFrontier?.(value) },
  ],
  [OPERATION.clearStats, { name: 'clearStats', call: (controls) => controls.clearStats?.() }],
]);

/** Where operation `i` wants its block, for allocators that can be told; undefined where it does not say. */
export function placementOf({ placement }: Trace, i: number): PlacementOptions | undefined {
  if (placement === undefined) return undefined;
  const alignment = placement.alignment[i]!;
  const freedBefore = placement.freedBefore[i]!;
  const upperEnd = placement.upperEnd[i] === 1;
  if (alignment === 0 && freedBefore === 0 && !upperEnd) return undefined;
  return { ...(alignment === 0 ? {} : { alignment }), ...(freedBefore === 0 ? {} : { freedBefore }), upperEnd };
}
