/** A planted mistake: a tensor moved 256 bytes down, into the one before it. It shows that the check finds such things. */
import { type ExecutionPlan, type PlacedTensor } from './plan.js';
import { DEVICE_ALIGNMENT } from './scale.js';

export interface PlantedOverlap {
  readonly plan: ExecutionPlan;
  /** The tensor whose end is written over, and the one that was moved. */
  readonly victim: number;
  readonly moved: number;
  readonly bytes: number;
}

/**
 * Moves one tensor of a plan 256 bytes down. Takes the first that lies right behind another of at least that size which is
 * alive when it is written and stays alive until it is gone or the plan ends. Undefined where there is no such pair.
 */
export function plantOverlap(plan: ExecutionPlan): PlantedOverlap | undefined {
  const live = new Map<string, number>();
  const checks = new Map<number, number>();
  for (const [at, step] of plan.steps.entries()) if (step.kind === 'check') checks.set(step.tensor, at);
  for (const step of plan.steps) {
    const tensor = step.kind === 'produce' || step.kind === 'check' ? plan.tensors[step.tensor] : undefined;
    if (tensor === undefined || (step.kind !== 'produce' && step.kind !== 'check')) continue;
    if (step.kind === 'check') {
      live.delete(endOf(tensor));
      continue;
    }
    const victim = live.get(`${tensor.segment}/${tensor.offset}`);
    if (victim !== undefined && tensor.bytes >= DEVICE_ALIGNMENT && step.work.kind !== 'concat') {
      const moved = { ...tensor, offset: tensor.offset - DEVICE_ALIGNMENT };
      const tensors = plan.tensors.map((each, index) => (index === step.tensor ? moved : each));
      return { plan: { ...plan, tensors }, victim, moved: step.tensor, bytes: DEVICE_ALIGNMENT };
    }
    if (tensor.bytes >= DEVICE_ALIGNMENT && tensor.bytes % DEVICE_ALIGNMENT === 0) live.set(endOf(tensor), step.tensor);
  }
  return undefined;
}

const endOf = ({ segment, offset, bytes }: PlacedTensor): string => `${segment}/${offset + bytes}`;

/** What lies around a tensor at the step that checks it. */
export interface Neighbours {
  readonly before?: string;
  readonly after?: string;
}

/** The tensors alive before and behind `tensor` in its segment, at the step `at` of the plan. */
export function neighboursOf(plan: ExecutionPlan, tensor: number, at: number): Neighbours {
  const place = plan.tensors[tensor];
  if (place === undefined) return {};
  const alive = new Set<number>();
  for (const step of plan.steps.slice(0, at)) {
    if (step.kind === 'produce') alive.add(step.tensor);
    else if (step.kind === 'check') alive.delete(step.tensor);
  }
  let before: PlacedTensor | undefined;
  let after: PlacedTensor | undefined;
  for (const other of alive) {
    const each = plan.tensors[other];
    if (other === tensor || each?.segment !== place.segment) continue;
    if (each.offset <= place.offset) before = before === undefined || each.offset > before.offset ? each : before;
    else after = after === undefined || each.offset < after.offset ? each : after;
  }
  return {
    ...(before === undefined ? {} : { before: before.name }),
    ...(after === undefined ? {} : { after: after.name }),
  };
}
