/**
 * What the jobs of the suite share: each variant is planned and carried out once, whichever of its rows is asked for
 * first. Where the device gives less than the budget, the plan is made again with what it gave.
 */
import { AppError } from '../../base/errors.js';
import { formatBytes } from '../../base/format.js';
import { DEVICE_ALIGNMENT, scaleFor, scaleTrace } from '../../model/execution/scale.js';
import { type ExecutionPlan, planExecution, segmentOver } from '../../model/execution/plan.js';
import { type Placement } from '../../model/execution/placement.js';
import { type LabWorkload, traceOfLoop } from '../../model/execution/variants.js';
import { type Trace } from '../../model/trace/trace.js';
import { type BufferPool } from '../buffers.js';
import { type Bench, type RowContext } from '../suite.js';
import { type DeviceRefusal } from './segments.js';
import { type Execution, executePlan } from './executor.js';
import { TensorKernels } from './tensor-kernels.js';

/** A plan that was carried out, and the refusals after which it was made again. */
export interface Carried {
  readonly plan: ExecutionPlan;
  readonly execution: Execution;
  readonly replans: readonly DeviceRefusal[];
}

/** How a variant came out: carried out, or why it cannot be. */
export type Attempt = Carried | { readonly refused: string };

/** A plan is made again this often at most. */
const MOST_REPLANS = 3;

export class TrainLab {
  readonly #attempts = new Map<string, Attempt>();
  #kernels: { readonly bench: Bench; readonly kernels: TensorKernels } | undefined;

  /** `budgetBytes`: what the segments of one variant may take. */
  constructor(readonly budgetBytes: number) {}

  /** Carries a loop out, once: later calls with the same name get the same result. */
  async attempt(context: RowContext, id: string, loop: LabWorkload, placement: Placement): Promise<Attempt> {
    const known = this.#attempts.get(id);
    if (known !== undefined) return known;
    const attempt = await this.carryOut(context, traceOfLoop(loop), loop.capacity, placement);
    this.#attempts.set(id, attempt);
    return attempt;
  }

  /** Plans, executes, and plans again where the device gives less. */
  async carryOut(context: RowContext, trace: Trace, capacity: number, placement: Placement): Promise<Attempt> {
    const scale = scaleFor(capacity, this.budgetBytes);
    const replans: DeviceRefusal[] = [];
    let given = capacity;
    while (true) {
      const plan = planExecution(scaleTrace(trace, given, given / scale), placement);
      const refused = overLimit(context, plan);
      if (refused !== undefined) return { refused };
      const execution = await this.execute(context, plan);
      const { deviceRefusal } = execution;
      if (deviceRefusal === undefined || replans.length === MOST_REPLANS) return { plan, execution, replans };
      replans.push(deviceRefusal);
      const held = Math.floor(deviceRefusal.heldBytes / DEVICE_ALIGNMENT) * DEVICE_ALIGNMENT;
      if (held === 0) return { plan, execution, replans };
      given = held * scale;
    }
  }

  /** Carries one plan out. `pool` is where its segments come from, where that is not a pool of the plan's budget. */
  async execute(context: RowContext, plan: ExecutionPlan, pool?: BufferPool): Promise<Execution> {
    const { bench, request, signal } = context;
    // The plan's budget lies within the run's: what else lives there must leave it room.
    if (bench.pool.liveBytes + plan.scaled.capacity > request.budgetBytes) {
      throw new AppError(
        { kind: 'out-of-memory', requestedBytes: plan.scaled.capacity },
        `${formatBytes(plan.scaled.capacity)} of segments beside ${formatBytes(bench.pool.liveBytes)} in use pass the budget of ${formatBytes(request.budgetBytes)}`,
      );
    }
    const kernels = await this.#kernelsOf(bench);
    const segmentPool = pool === undefined ? {} : { segmentPool: pool };
    return executePlan({ bench, kernels, seed: request.seed, signal, ...segmentPool }, plan);
  }

  async #kernelsOf(bench: Bench): Promise<TensorKernels> {
    if (this.#kernels?.bench !== bench) this.#kernels = { bench, kernels: await TensorKernels.create(bench.device) };
    return this.#kernels.kernels;
  }
}

/** Why no device with these limits can carry the plan out; undefined where it can. */
function overLimit({ environment }: RowContext, plan: ExecutionPlan): string | undefined {
  const { limits } = environment.adapter;
  const most = Math.min(limits['maxBufferSize'] ?? Infinity, limits['maxStorageBufferBindingSize'] ?? Infinity);
  const size = segmentOver(plan, most);
  return size === undefined
    ? undefined
    : `the plan needs a segment of ${size} bytes (${formatBytes(size)}) in one buffer; this device's limit is ${most} bytes (${formatBytes(most)})`;
}
