/**
 * What the jobs of the suite share: each variant is planned and carried out once, whichever of its rows is asked for
 * first. Where the device gives less than the budget, the plan is made again with what it gave.
 */
import { AppError } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { formatBytes } from '../../base/format.js';
import { DEVICE_ALIGNMENT, leastBudget, scaleFor, scaleTrace } from '../../model/execution/scale.js';
import { type ExecutionPlan, planExecution, segmentOver } from '../../model/execution/plan.js';
import { type Placement } from '../../model/execution/placement.js';
import { type LabWorkload, traceOfLoop } from '../../model/execution/variants.js';
import { type Trace } from '../../model/trace/trace.js';
import { wait } from '../adapter.js';
import { type BufferPool } from '../buffers.js';
import { type Bench, type RowContext } from '../suite.js';
import { mostSegmentBytes, TRAIN_HEADROOM } from './carriable.js';
import { type DeviceRefusal } from './segments.js';
import { type Execution } from './execution.js';
import { type ExecutionContext, executePlan } from './executor.js';
import { TensorKernels } from './tensor-kernels.js';

/** A plan that was carried out, and the refusals after which it was made again. */
export interface Carried {
  readonly plan: ExecutionPlan;
  readonly execution: Execution;
  readonly replans: readonly DeviceRefusal[];
}

/** What the lab needs of a row's context: a single experiment has no more. */
export type LabContext = Pick<RowContext, 'bench' | 'environment' | 'signal'> & {
  readonly request: Pick<RowContext['request'], 'budgetBytes' | 'seed'>;
};

/** How a variant came out: carried out, or why it cannot be. */
export type Attempt = Carried | { readonly refused: string };

/** A plan is made again this often at most. */
const MOST_REPLANS = 3;

/** How a trace is carried out, beside its placement. */
export interface CarryOptions {
  /** Settings of the allocator (`checkConf`). */
  readonly conf?: string;
  /** Told of every plan before it is carried out; `because`: the refusal after which it was made again. */
  readonly onPlanned?: (plan: ExecutionPlan, because: DeviceRefusal | undefined) => void | Promise<void>;
  readonly onReached?: ExecutionContext['onReached'];
  /** Where the segments of a plan come from, where that is not a pool of the plan's budget. */
  readonly poolOf?: (device: GPUDevice, plan: ExecutionPlan) => BufferPool;
}

export class TrainLab {
  readonly #attempts = new Map<string, Attempt>();
  #kernels: { readonly bench: Bench; readonly kernels: TensorKernels } | undefined;

  /** `budgetBytes`: what the segments of one variant may take. */
  constructor(readonly budgetBytes: number) {}

  /** Why a program made for `capacity` bytes cannot be scaled to this budget; undefined where it can. */
  shortfall(capacity: number): string | undefined {
    const least = leastBudget(capacity);
    if (this.budgetBytes >= least) return undefined;
    return say`the smallest scale of ${formatBytes(capacity)} needs a budget of ${least + TRAIN_HEADROOM} bytes (${formatBytes(least)} of segments, ${formatBytes(TRAIN_HEADROOM)} beside them)`;
  }

  /** Carries a loop out, once: later calls with the same name get the same result. */
  async attempt(context: LabContext, id: string, loop: LabWorkload, placement: Placement): Promise<Attempt> {
    const known = this.#attempts.get(id);
    if (known !== undefined) return known;
    const attempt = await this.#attempt(context, loop, placement);
    this.#attempts.set(id, attempt);
    return attempt;
  }

  async #attempt(context: LabContext, loop: LabWorkload, placement: Placement): Promise<Attempt> {
    const short = this.shortfall(loop.capacity);
    if (short !== undefined) return { refused: short };
    const conf = placement === 'caching' ? (loop.conf ?? '') : '';
    try {
      return await this.carryOut(context, traceOfLoop(loop), loop.capacity, placement, { conf });
    } catch (error) {
      // Settings that buffers cannot have, or operations that only the allocator of the recording has.
      if (error instanceof AppError && error.failure.kind === 'bad-input') return { refused: error.message };
      throw error;
    }
  }

  /** Plans, executes, and plans again where the device gives less. */
  async carryOut(
    context: LabContext,
    trace: Trace,
    capacity: number,
    placement: Placement,
    options: CarryOptions = {},
  ): Promise<Attempt> {
    const scale = scaleFor(capacity, this.budgetBytes);
    const replans: DeviceRefusal[] = [];
    let given = capacity;
    while (true) {
      // A plan holds the thread for up to a second: a cancel has to come in before.
      await wait(0);
      context.signal.throwIfAborted();
      const plan = planExecution(scaleTrace(trace, given, given / scale), placement, options.conf);
      const refused = overLimit(context, plan);
      if (refused !== undefined) return { refused };
      await options.onPlanned?.(plan, replans.at(-1));
      const execution = await this.execute(context, plan, options);
      const { deviceRefusal } = execution;
      if (deviceRefusal === undefined || replans.length === MOST_REPLANS) return { plan, execution, replans };
      replans.push(deviceRefusal);
      const held = Math.floor(deviceRefusal.heldBytes / DEVICE_ALIGNMENT) * DEVICE_ALIGNMENT;
      if (held === 0) return { plan, execution, replans };
      given = held * scale;
    }
  }

  /** Carries one plan out. */
  async execute(
    context: LabContext,
    plan: ExecutionPlan,
    { onReached, poolOf }: CarryOptions = {},
  ): Promise<Execution> {
    const { bench, request, signal } = context;
    // The plan's budget lies within the run's: what else lives there must leave it room.
    if (bench.pool.liveBytes + plan.scaled.capacity > request.budgetBytes) {
      throw new AppError(
        { kind: 'out-of-memory', requestedBytes: plan.scaled.capacity },
        say`${formatBytes(plan.scaled.capacity)} of segments beside ${formatBytes(bench.pool.liveBytes)} in use pass the budget of ${formatBytes(request.budgetBytes)}`,
      );
    }
    const kernels = await this.#kernelsOf(bench);
    return executePlan(
      {
        bench,
        kernels,
        seed: request.seed,
        signal,
        ...(poolOf === undefined ? {} : { segmentPool: poolOf(bench.device, plan) }),
        ...(onReached === undefined ? {} : { onReached }),
      },
      plan,
    );
  }

  async #kernelsOf(bench: Bench): Promise<TensorKernels> {
    if (this.#kernels?.bench !== bench) this.#kernels = { bench, kernels: await TensorKernels.create(bench.device) };
    return this.#kernels.kernels;
  }
}

/** Why no device with these limits can carry the plan out; undefined where it can. */
function overLimit({ environment }: LabContext, plan: ExecutionPlan): string | undefined {
  const most = mostSegmentBytes(environment.adapter);
  const size = segmentOver(plan, most);
  return size === undefined
    ? undefined
    : say`the plan needs a segment of ${size} bytes (${formatBytes(size)}) in one buffer; this device's limit is ${most} bytes (${formatBytes(most)})`;
}
