/**
 * Plan: what a trace on an allocator and a budget asks a real device to do. The trace is replayed on the model; what comes
 * out is a list of steps over numbered segments (buffers) and tensors (ranges in them), with everything that the
 * model predicts of the outcome. `src/gpu/train` carries it out.
 *
 *     const plan = planExecution(scaleTrace(trace, capacity, budget), 'caching');
 *     plan.predicted.outcome; // 'out-of-memory': the last step is a request that the budget must refuse
 */
import { defined } from '../../base/errors.js';
import { Replay } from '../trace/replay.js';
import { idOf, OPERATION, type Trace } from '../trace/trace.js';
import { dataFlowOf, type DataFlow, type SliceWrite, type Work } from './data-flow.js';
import { type Placement, type Placer, placerOf } from './placement.js';
import { type ScaledTrace } from './scale.js';

export type PlanStep =
  | { readonly kind: 'create'; readonly segment: number; readonly size: number }
  /** The budget has no room for it: asked for all the same. */
  | { readonly kind: 'refuse'; readonly size: number }
  | { readonly kind: 'destroy'; readonly segment: number }
  | { readonly kind: 'produce'; readonly tensor: number; readonly work: Work }
  | { readonly kind: 'slice'; readonly write: SliceWrite }
  /** The last moment at which the tensor must still be whole. */
  | { readonly kind: 'check'; readonly tensor: number }
  /** A training step begins; before the first one things are set up. */
  | { readonly kind: 'step'; readonly label: string }
  /** The last training step has ended; what is left are checks. */
  | { readonly kind: 'end' };

/** Where a tensor lies. Device bytes. */
export interface PlacedTensor {
  readonly segment: number;
  readonly offset: number;
  /** Bytes that the program asked for; the block may be larger. */
  readonly bytes: number;
  readonly name: string;
}

/** What the model says will happen. Device bytes. */
export interface Prediction {
  readonly outcome: 'completed' | 'out-of-memory';
  /** Sizes of the segments in the order in which they are made. */
  readonly segments: readonly number[];
  readonly refusals: number;
  readonly peakReserved: number;
  readonly peakAllocated: number;
  /** The request that could not be served; absent when all were. */
  readonly failure?: PredictedFailure;
}

export interface PredictedFailure {
  /** Operation of the trace. */
  readonly operation: number;
  readonly tensor: string;
  readonly requested: number;
  /** Free in the segments, in how large a piece at most, and free outside of them. */
  readonly freeInSegments: number;
  readonly largestFree: number;
  readonly freeOutside: number;
  readonly reserved: number;
  readonly allocated: number;
}

export interface ExecutionPlan {
  readonly placement: Placement;
  readonly scaled: ScaledTrace;
  readonly steps: readonly PlanStep[];
  /** By step: the operation of the trace that it belongs to. */
  readonly operations: readonly number[];
  /** By tensor; undefined for one that got no memory or has no bytes. */
  readonly tensors: readonly (PlacedTensor | undefined)[];
  readonly predicted: Prediction;
}

/**
 * Replays the trace on the placement's model and writes down what a device has to do. Ends at the first failure.
 * `conf` are settings of the allocator, as `checkConf` takes them; throws as it does.
 */
export function planExecution(scaled: ScaledTrace, placement: Placement, conf = ''): ExecutionPlan {
  return new Planner(scaled, placerOf(placement, scaled, conf), placement).plan();
}

/** Only what the model says: for searches over many plans. */
export function predict(scaled: ScaledTrace, placement: Placement): Prediction['outcome'] {
  const { allocator, trace } = placerOf(placement, scaled);
  const replay = new Replay(allocator);
  for (let i = 0; i < trace.length; i++) {
    replay.step(trace, i);
    if (replay.last.failure !== undefined) return 'out-of-memory';
  }
  return 'completed';
}

class Planner {
  readonly #steps: PlanStep[] = [];
  readonly #operations: number[] = [];
  #operation = 0;
  readonly #tensors: (PlacedTensor | undefined)[] = [];
  readonly #segments: number[] = [];
  readonly #live = new Set<number>();
  readonly #flow: DataFlow;
  readonly #isStep: (label: string) => boolean;
  #refusals = 0;
  /** Size of the segment that was refused last. */
  #refused = 0;
  #failure: PredictedFailure | undefined;

  constructor(
    readonly scaled: ScaledTrace,
    readonly placer: Placer,
    readonly placement: Placement,
  ) {
    this.#flow = dataFlowOf(scaled.trace);
    this.#isStep = stepRule(scaled.trace);
  }

  plan(): ExecutionPlan {
    const { trace, memory, scale } = this.placer;
    const replay = new Replay(this.placer.allocator);
    if (!trace.kind.includes(OPERATION.marker)) this.#add({ kind: 'step', label: 'the whole trace' });
    for (let i = 0; i < trace.length && this.#failure === undefined; i++) {
      this.#operation = i;
      const kind = trace.kind[i];
      const tensor = trace.tensor[i] ?? -1;
      // The check comes before whatever the free does to the segments.
      if (kind === OPERATION.free && this.#live.delete(tensor)) this.#add({ kind: 'check', tensor });
      if (kind === OPERATION.marker) this.#mark(trace.texts[trace.text?.[i] ?? -1] ?? '');
      replay.step(trace, i);
      this.#takeEvents();
      if (kind !== OPERATION.allocate) continue;
      const { handle, failure } = replay.last;
      if (handle >= 0) this.#place(i, tensor, handle);
      if (failure !== undefined) {
        this.#failure = {
          operation: i,
          tensor: this.#nameOf(i, tensor),
          // An arena is asked for whole, when its first tensor comes.
          requested: this.placement === 'arena' ? this.#refused : failure.requested / scale,
          freeInSegments: failure.totalFree / scale,
          largestFree: failure.largestFree / scale,
          freeOutside: failure.deviceFree / scale,
          reserved: failure.reserved / scale,
          allocated: failure.allocated / scale,
        };
      }
    }
    this.#add({ kind: 'end' });
    for (const tensor of this.#live) this.#add({ kind: 'check', tensor });
    const { peakAllocated } = replay.result();
    return {
      placement: this.placement,
      scaled: this.scaled,
      steps: this.#steps,
      operations: this.#operations,
      tensors: this.#tensors,
      predicted: {
        outcome: this.#failure === undefined ? 'completed' : 'out-of-memory',
        segments: this.#segments,
        refusals: this.#refusals,
        peakReserved: memory.peak / scale,
        peakAllocated: peakAllocated / scale,
        ...(this.#failure === undefined ? {} : { failure: this.#failure }),
      },
    };
  }

  #add(step: PlanStep): void {
    this.#steps.push(step);
    this.#operations.push(this.#operation);
  }

  #mark(label: string): void {
    if (this.#isStep(label)) this.#add({ kind: 'step', label });
  }

  #nameOf(i: number, tensor: number): string {
    const { trace } = this.scaled;
    const label = trace.texts[trace.text?.[i] ?? -1];
    return label === undefined ? `tensor ${idOf(trace, tensor)}` : `tensor ${idOf(trace, tensor)} (${label})`;
  }

  #takeEvents(): void {
    const { memory, scale } = this.placer;
    for (const event of memory.takeEvents()) {
      if (event.kind === 'destroy') {
        this.#add(event);
        continue;
      }
      const size = event.size / scale;
      if (event.kind === 'create') this.#segments.push(size);
      else {
        this.#refusals += 1;
        this.#refused = size;
      }
      this.#add({ ...event, size });
    }
  }

  #place(i: number, tensor: number, handle: number): void {
    const { allocator, memory, scale } = this.placer;
    const { segment, offset } = memory.locate(allocator.addressOf(handle));
    const bytes = this.#flow.bytes[tensor] ?? 0;
    this.#tensors[tensor] = { segment, offset: offset / scale, bytes, name: this.#nameOf(i, tensor) };
    this.#live.add(tensor);
    this.#add({ kind: 'produce', tensor, work: defined(this.#flow.works[tensor], `work of tensor ${tensor}`) });
    for (const write of this.#flow.slices.get(tensor) ?? []) this.#add({ kind: 'slice', write });
  }
}

/** Steps begin at markers that say so; where none does, at every marker. */
function stepRule(trace: Trace): (label: string) => boolean {
  const isStep = (label: string): boolean => /^(step|prompt)\b/.test(label);
  return trace.texts.some(isStep) ? isStep : () => true;
}

/** The first segment over `limit` bytes, which no device with that limit can make; undefined where all fit. */
export const segmentOver = (plan: ExecutionPlan, limit: number): number | undefined =>
  plan.predicted.segments.find((size) => size > limit);
