/**
 * A plan's step through an allocator: what it needs where there is room, and what becomes of it on a card of a given
 * size. The cache has what the context and NCCL leave, as far as those are known.
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { formatBytes } from '../../base/format.js';
import { makeAllocator } from '../allocator/registry.js';
import { type FailureStory, storyOf } from '../trace/failure-story.js';
import { type FirstFailure, Replay, type ReplayResult } from '../trace/replay.js';
import { type Plan } from './plan.js';
import { type Reconciliation, reconcile } from './reconcile.js';
import { ROOM } from './room.js';
import { makeStep } from './step/make-step.js';
import { type StepTrace } from './step/recorder.js';

export interface PlanAllocator {
  readonly name: string;
  readonly conf: string | undefined;
}

export interface PlanReplay {
  readonly allocator: PlanAllocator;
  readonly step: StepTrace;
  /** The same step where there is room for all of it. */
  readonly needed: { readonly peakAllocated: number; readonly peakReserved: number };
  readonly reconciliation: Reconciliation;
  /** What became of it on the card; undefined without a card. */
  readonly card: CardReplay | undefined;
}

export interface CardReplay {
  readonly capacity: number;
  /** What the allocator may take: the card without context and NCCL. */
  readonly available: number;
  readonly result: ReplayResult;
  readonly story: FailureStory | undefined;
}

/** Bytes of a plan that are not the allocator's: context and NCCL, as far as they are known. */
export const outsideBytes = (plan: Plan): number =>
  plan.terms.reduce((sum, { inCache, bytes = 0 }) => sum + (inCache ? 0 : bytes), 0);

/**
 * Replays a plan's step. Gives a reason in words where there is nothing to replay: the shape of the step is not known, or
 * a device would need more than 900 GiB. Throws `AppError` (`bad-input`) for an unusable allocator or setting, and a card
 * that the context alone fills.
 */
export function replayPlan(plan: Plan, allocator: PlanAllocator, capacity?: number, steps = 1): PlanReplay | string {
  const step = makeStep(plan, steps);
  if (step === undefined)
    return say`the step is not known: give --arch or --config (or --params with a shape), --batch and --seq`;
  // What cannot be used is refused whatever the size of the job.
  const allocatorWithRoom = make(allocator, step, ROOM);
  if (capacity !== undefined) availableOn(plan, capacity);
  if (plan.total > ROOM)
    return say`one device would need ${formatBytes(plan.total)}; replays go up to ${formatBytes(ROOM)}`;
  const reconciliation = reconcile(plan, step, allocatorWithRoom);
  const { peakAllocated, peakReserved } = reconciliation.result;
  return {
    allocator,
    step,
    needed: { peakAllocated, peakReserved },
    reconciliation,
    card: capacity === undefined ? undefined : replayOnCard(plan, allocator, step, capacity),
  };
}

const make = ({ name, conf }: PlanAllocator, { trace }: Pick<StepTrace, 'trace'>, capacity: number) =>
  makeAllocator({ name, conf, capacity, trace }).allocator;

/** The step on a card. Throws `AppError` (`bad-input`) where nothing is left of it. */
export function replayOnCard(plan: Plan, allocator: PlanAllocator, { trace }: StepTrace, capacity: number): CardReplay {
  const available = availableOn(plan, capacity);
  const model = make(allocator, { trace }, available);
  let story: FailureStory | undefined;
  const onFailure = (first: FirstFailure) => {
    story = storyOf({ ...first, allocator: model, allowed: available });
  };
  const replay = new Replay(model, { onFailure });
  replay.run(trace);
  return { capacity, available, result: replay.result(), story };
}

/** What context and NCCL leave of a card. */
function availableOn(plan: Plan, capacity: number): number {
  const available = capacity - outsideBytes(plan);
  if (available > 0) return available;
  throw badInput(
    '--capacity',
    say`--capacity: ${formatBytes(capacity)} is less than context and NCCL take; give a larger card`,
  );
}

/** Whether a plan's step completes on a card; undefined where it cannot be replayed. */
export function fitsOn(plan: Plan, allocator: PlanAllocator, capacity: number): boolean | undefined {
  const step = makeStep(plan);
  if (step === undefined || plan.total > ROOM) return undefined;
  // What is asked for together at any time is never less than the states, so most misfits need no replay.
  return statesOf(plan) <= capacity && replayOnCard(plan, allocator, step, capacity).result.failures === 0;
}

const STATES = ['parameters', 'optimizer', 'master-weights', 'kv-cache', 'quantization'];
const statesOf = (plan: Plan): number =>
  plan.terms.reduce((sum, { id, bytes = 0 }) => sum + (STATES.includes(id) ? bytes : 0), outsideBytes(plan));
