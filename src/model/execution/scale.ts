/**
 * A job of 40 GB on buffers of a few hundred MB: all sizes are divided by one power of two, the allocator's constants with
 * them, so that the same decisions are made on smaller numbers. WebGPU binds at multiples of 256 bytes, so no block is
 * smaller: sizes are rounded up to 256 after the division, and the smallest block stays at 256.
 *
 * The caching allocator itself is not changed. It runs on the sizes multiplied again ("model bytes"), with its own
 * constants; every segment and offset divided by the scale is then where an allocator with scaled constants would put it.
 *
 *     const scaled = scaleTrace(trace, MiB(39_310), MiB(256)); // scaled.scale === 256, scaled.capacity === 153.6 MiB
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { formatBytes } from '../../base/format.js';
import { MiB } from '../../base/units.js';
import { OPERATION, type Trace } from '../trace/trace.js';

/** WebGPU's alignment of bindings: the smallest block on a device. */
export const DEVICE_ALIGNMENT = 256;
/** A small segment of 2 MiB must stay a multiple of 256 bytes. */
const MOST_SCALE = MiB(2) / DEVICE_ALIGNMENT;

/** Constants of the caching allocator in device bytes: what they are in PyTorch, divided by the scale. */
export interface ScaledConstants {
  /** 512 bytes in PyTorch, clamped at 256. */
  readonly minBlock: number;
  /** 1 MiB in PyTorch: requests up to it share small segments. */
  readonly smallSize: number;
  /** 2 MiB in PyTorch. */
  readonly smallSegment: number;
  /** 20 MiB in PyTorch. */
  readonly largeSegment: number;
  /** 10 MiB in PyTorch: from here on a request has a segment of its own. */
  readonly minLargeAllocation: number;
  /** 2 MiB in PyTorch: own segments are multiples of it. */
  readonly roundLarge: number;
}

export interface ScaledTrace {
  /** Sizes in device bytes. */
  readonly trace: Trace;
  readonly scale: number;
  /** Device bytes of the whole budget. */
  readonly capacity: number;
  readonly constants: ScaledConstants;
}

/** The constants at a scale. */
export const constantsAt = (scale: number): ScaledConstants => ({
  minBlock: Math.max(512 / scale, DEVICE_ALIGNMENT),
  smallSize: MiB(1) / scale,
  smallSegment: MiB(2) / scale,
  largeSegment: MiB(20) / scale,
  minLargeAllocation: MiB(10) / scale,
  roundLarge: MiB(2) / scale,
});

/** The smallest budget to which `capacity` bytes can be scaled. */
export const leastBudget = (capacity: number): number => Math.ceil(capacity / MOST_SCALE);

/** The smallest power of two that brings `capacity` bytes under `budget`. Throws `AppError` (`bad-input`) past 8,192. */
export function scaleFor(capacity: number, budget: number): number {
  let scale = 1;
  while (capacity / scale > budget) scale *= 2;
  if (scale <= MOST_SCALE) return scale;
  throw badInput(
    'budget',
    say`budget: ${formatBytes(budget)} is too little to show ${formatBytes(capacity)}; give at least ${formatBytes(leastBudget(capacity))}`,
  );
}

/** The trace and its budget brought under `budget` bytes. At scale 1 nothing changes. Throws as `scaleFor` does. */
export function scaleTrace(trace: Trace, capacity: number, budget: number): ScaledTrace {
  const scale = scaleFor(capacity, budget);
  return {
    trace: scale === 1 ? trace : resized(trace, (size) => toDevice(size, scale)),
    scale,
    capacity: Math.floor(capacity / scale),
    constants: constantsAt(scale),
  };
}

/** Sizes that the unscaled model asks for, so that it decides as one with scaled constants. */
export const inModelBytes = ({ trace, scale }: ScaledTrace): Trace =>
  scale === 1 ? trace : resized(trace, (size) => size * scale);

function toDevice(size: number, scale: number): number {
  return Math.ceil(size / scale / DEVICE_ALIGNMENT) * DEVICE_ALIGNMENT;
}

function resized(trace: Trace, resize: (size: number) => number): Trace {
  const size = trace.size.map((value, i) => (trace.kind[i] === OPERATION.allocate ? resize(value) : value));
  return { ...trace, size };
}

/** What was done to the sizes, for people. */
export function scaleText({ scale, constants, capacity }: ScaledTrace): string {
  if (scale === 1) return say`sizes as in the trace, budget ${formatBytes(capacity)}`;
  const { minBlock, smallSize, smallSegment, largeSegment } = constants;
  const sizes = [minBlock, smallSize, smallSegment, largeSegment].map((size) => formatBytes(size));
  const [budget, became] = [formatBytes(capacity), sizes.join(', ')];
  return minBlock === DEVICE_ALIGNMENT
    ? say`sizes and budget divided by ${scale} (budget ${budget});
        the allocator's constants too: 512 B, 1, 2 and 20 MiB became ${became} (a block is at least 256 B);
        expandable segments have no counterpart in WebGPU and stay on the model`
    : say`sizes and budget divided by ${scale} (budget ${budget});
        the allocator's constants too: 512 B, 1, 2 and 20 MiB became ${became};
        expandable segments have no counterpart in WebGPU and stay on the model`;
}
