/**
 * The suite `tiers`: bandwidth of global memory by size. SIZE in an id is one array, as STREAM counts; `workingSet` is
 * all arrays together.
 */
import { streamKernels } from '../../../shaders/index.js';
import { formatBytes } from '../../base/format.js';
import { sizeLabel } from '../../base/sizes.js';
import { MiB } from '../../base/units.js';
import { type Environment, type Preset } from '../../model/report/schema.js';
import { type Job, type RowContext, type RowResult, rowResult, type Suite } from '../suite.js';
import { runStreamRow, streamRowBytes } from './stream-row.js';
import { StreamArrays } from './stream-arrays.js';
import { runTransferRow, transferRowBytes } from './transfer-row.js';
import { CHUNK_BYTES } from '../verify.js';

/** Array sizes in MiB. The first is small, so that a first result comes quickly. */
const SIZES: Readonly<Record<Environment['adapter']['class'], Readonly<Record<Preset, readonly number[]>>>> = {
  software: { quick: [1, 64], standard: [1, 16, 64], full: [1, 4, 16, 64, 256] },
  hardware: { quick: [4, 64, 256], standard: [4, 64, 256, 512], full: [4, 16, 64, 256, 512, 1024] },
};

/** Beside a row's arrays: the check's read-back, the sums of other rows, the throttle reference, clock and uniforms. */
const HEADROOM = CHUNK_BYTES + MiB(8);
const UNIT = 'GB/s';

/** Threads of every stream kernel: enough to fill the adapter, the same for all sizes. */
export const THREADS = { software: 2 ** 14, hardware: 2 ** 20 } as const;

export const tiers: Suite = {
  rows(environment, request) {
    const arrays = new StreamArrays({ a: (2 * request.seed + 1) >>> 0, b: ~(2 * request.seed + 1) >>> 0 });
    const adapterClass = environment.adapter.class;
    const threads = THREADS[adapterClass];
    const jobs = SIZES[adapterClass][request.preset].flatMap((mebibytes): Job[] => {
      const size = MiB(mebibytes);
      const unit = sizeLabel(size);
      const kernels = streamKernels.map((kernel): Job => {
        const row = { id: `tiers/global/${kernel.id}/${unit}`, kernel, size, threads, seedWrite: request.seed >>> 0 };
        return {
          id: row.id,
          suite: 'tiers',
          measures: UNIT,
          run: async (context) =>
            skipped(context, { id: row.id, size, buffers: streamRowBytes(row), isBound: true }) ??
            (await runStreamRow(context, row, arrays)),
        };
      });
      const transfers = (['copy', 'clear'] as const).map((command): Job => {
        const row = { id: `tiers/${command}-buffer/${unit}`, command, size };
        return {
          id: row.id,
          suite: 'tiers',
          measures: UNIT,
          run: async (context) =>
            skipped(context, { id: row.id, size, buffers: transferRowBytes(row), isBound: false }) ??
            (await runTransferRow(context, row, arrays)),
        };
      });
      return [...kernels, ...transfers];
    });
    return { jobs, dispose: () => arrays.dispose() };
  },
};

interface Need {
  readonly id: string;
  /** One array, and all buffers of the row, in bytes. */
  readonly size: number;
  readonly buffers: number;
  /** Whether an array must fit a storage binding too. */
  readonly isBound: boolean;
}

/** A skipped row where the budget or a limit of the device does not allow the size; undefined where both do. */
function skipped({ environment, request }: RowContext, { id, size, buffers, isBound }: Need): RowResult | undefined {
  const { limits } = environment.adapter;
  const bufferLimit = limits['maxBufferSize'] ?? Infinity;
  const bindingLimit = isBound ? (limits['maxStorageBufferBindingSize'] ?? Infinity) : Infinity;
  const largest = Math.min(bufferLimit, bindingLimit);
  const needed = buffers + HEADROOM;
  const reason =
    size > largest
      ? `an array of ${formatBytes(size)} passes the device's limit of ${formatBytes(largest)}`
      : needed > request.budgetBytes
        ? `needs ${formatBytes(needed)} of buffers, the check's read-back included; the budget is ${formatBytes(request.budgetBytes)}`
        : undefined;
  if (reason === undefined) return undefined;
  return rowResult({ id, suite: 'tiers', status: 'skipped', unit: UNIT, workingSet: buffers, reason });
}
