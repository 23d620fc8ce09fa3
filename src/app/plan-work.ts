/**
 * What the Plan page computes beside the formulas, replay by replay with a rest between two, so that the page stays
 * quick: the replay on the card, memory over the batch, the largest batch, and what would make it fit.
 */
import { AppError } from '../base/errors.js';
import { changesFor, type ChangeRow, largestBatch, type Rest, tryChanges } from '../model/plan/advice.js';
import { makePlan, type Plan } from '../model/plan/plan.js';
import { fitsOn, type PlanReplay, replayPlan } from '../model/plan/replay-plan.js';
import { isTooLarge } from '../model/plan/room.js';
import { type ReadCard } from './plan-reading.js';

export interface BatchPoint {
  readonly batch: number;
  readonly allocated: number;
  readonly reserved: number;
  readonly fits: boolean;
}

/** What is known so far of one plan. */
export interface PlanAnswer {
  readonly plan: Plan;
  /** The replay, or why there is none. */
  readonly replay: PlanReplay | string;
  /** Memory over the batch, in its order. */
  readonly points: readonly BatchPoint[];
  /** The largest batch that completes; undefined while it is looked for, or where there is none to look for. */
  readonly largest: number | undefined;
  /** What would make it fit; undefined while that is tried, and where it fits. */
  readonly changes: readonly ChangeRow[] | undefined;
  /** Everything above is there. */
  readonly isDone: boolean;
}

/** Works on a plan and tells each time more is known. Ends early, without a word, when the signal says so. */
export async function workOnPlan(
  plan: Plan,
  card: ReadCard,
  onAnswer: (answer: PlanAnswer) => void,
  signal: AbortSignal,
): Promise<void> {
  // Lets the page draw and answer, and ends the work where it is no longer wanted.
  const rest = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  };
  try {
    await work(plan, card, onAnswer, rest);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function work(
  plan: Plan,
  { allocator, capacity }: ReadCard,
  onAnswer: (answer: PlanAnswer) => void,
  rest: Rest,
): Promise<void> {
  let answer: PlanAnswer = {
    plan,
    replay: replayOrReason(plan, { allocator, capacity }),
    points: [],
    largest: undefined,
    changes: undefined,
    isDone: false,
  };
  const tell = (more: Partial<PlanAnswer>) => {
    answer = { ...answer, ...more };
    onAnswer(answer);
  };
  tell({});
  const { replay } = answer;
  if (typeof replay === 'string' && !isTooLarge(plan)) {
    tell({ isDone: true });
    return;
  }
  const largest = await largestBatch(plan, allocator, capacity, rest);
  await rest();
  tell({ largest });
  for (const batch of batchesFor(isTooLarge(plan) ? 1 : (plan.settings.batch ?? 1), largest ?? 0)) {
    await rest();
    const point = pointAt(plan, { allocator, capacity }, batch);
    if (point !== undefined) tell({ points: [...answer.points, point] });
  }
  const isShort =
    typeof replay === 'string' ? plan.total > capacity : replay.card !== undefined && replay.card.result.failures > 0;
  if (isShort && changesFor(plan, allocator).length > 0) {
    const changes = await tryChanges(plan, allocator, capacity, rest);
    await rest();
    tell({ changes });
  }
  tell({ isDone: true });
}

function replayOrReason(
  plan: Plan,
  { allocator, capacity }: Pick<ReadCard, 'allocator' | 'capacity'>,
): PlanReplay | string {
  try {
    return replayPlan(plan, allocator, capacity);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const MOST_POINTS = 9;

/** Batches to look at: from 1 past the largest that fits, the planned one and both sides of the limit among them. */
export function batchesFor(planned: number, largest: number): number[] {
  const end = Math.max(Math.ceil(1.5 * largest), planned, largest + 1, 2);
  const step = Math.max(1, Math.ceil(end / MOST_POINTS));
  const even = Array.from({ length: Math.ceil(end / step) }, (_, i) => 1 + i * step);
  const all = new Set([...even, planned, Math.max(1, largest), largest + 1, end]);
  return [...all].filter((batch) => batch <= end).sort((a, b) => a - b);
}

function pointAt(
  plan: Plan,
  { allocator, capacity }: Pick<ReadCard, 'allocator' | 'capacity'>,
  batch: number,
): BatchPoint | undefined {
  const changed = makePlan(plan.model, { ...plan.settings, batch });
  const replay = replayPlan(changed, allocator);
  if (typeof replay === 'string') return undefined;
  const { peakAllocated: allocated, peakReserved: reserved } = replay.needed;
  return { batch, allocated, reserved, fits: fitsOn(changed, allocator, capacity) === true };
}
