/** Verify: the plan and its execution side by side, as the report has them. */
import { formatBytes } from '../../base/format.js';
import { say } from '../../base/said.js';
import { median } from '../../base/statistics.js';
import { type ExecutionPlan, type Prediction } from '../../model/execution/plan.js';
import { neighboursOf } from '../../model/execution/overlap.js';
import { scaleText } from '../../model/execution/scale.js';
import { type Execution } from './execution.js';

/** Corruptions that are named; the rest is counted. */
const MOST_NAMED = 8;

/** What the experiments of this suite say of one execution. Sizes in bytes, times in ns. */
export function outcomeOf(plan: ExecutionPlan, execution: Execution): Record<string, unknown> {
  const { predicted, scaled } = plan;
  const agreement = agreementOf(plan, execution);
  const outcome = observedOutcome(plan, execution);
  const corruptWords = execution.corruptions.reduce((sum, { words }) => sum + words, 0);
  const steps = execution.steps;
  return {
    placement: plan.placement,
    scale: scaled.scale,
    scaling: scaleText(scaled),
    constants: scaled.constants,
    budgetBytes: scaled.capacity,
    outcome,
    predicted: predicted.outcome,
    met: outcome === predicted.outcome && agreement.agrees,
    corruptWords,
    checkedWords: execution.checkedWords,
    ...(execution.corruptions.length === 0 ? {} : { corruptions: namedCorruptions(plan, execution) }),
    segmentsPredicted: predicted.segments.length,
    segmentsCreated: execution.created.length,
    ...agreement,
    refusalsPredicted: predicted.refusals,
    refusalsMet: execution.refusalsMet,
    ...(predicted.failure === undefined ? {} : failureFacts(plan)),
    createBufferCalls: execution.createCalls,
    createNs: Math.round(execution.createNs),
    destroyedBuffers: execution.destroyed,
    releaseFences: execution.fences,
    peakReservedBytes: predicted.peakReserved,
    peakAllocatedBytes: predicted.peakAllocated,
    peakHeldBytes: execution.peakHeld,
    movedBytes: execution.movedBytes,
    recopiedBytes: execution.recopiedBytes,
    stepsCompleted: steps.length,
    ...(steps.length === 0
      ? {}
      : {
          stepWallNs: median(steps.map(({ wallNs }) => wallNs)),
          stepGpuNs: median(steps.map(({ gpuNs }) => gpuNs)),
          effectiveGBps: effectiveBandwidth(execution),
        }),
  };
}

/** How it ended on the device. */
export function observedOutcome({ predicted }: ExecutionPlan, execution: Execution): Prediction['outcome'] {
  if (execution.deviceRefusal !== undefined) return 'out-of-memory';
  // The last refusal of a plan that fails is the one that nothing could avert.
  return predicted.failure !== undefined && execution.refusalsMet === predicted.refusals
    ? 'out-of-memory'
    : 'completed';
}

/** Bytes of work over the time that it took, all in: what was copied again and the creation of segments are no work. */
const effectiveBandwidth = ({ steps }: Execution): number =>
  steps.reduce((sum, { movedBytes, recopiedBytes }) => sum + movedBytes - recopiedBytes, 0) /
  steps.reduce((sum, { wallNs }) => sum + wallNs, 0);

/** Whether the device made the very segments that the model predicted; where they part first, and why. */
function agreementOf({ predicted }: ExecutionPlan, { created, deviceRefusal, refusalsMet }: Execution) {
  const first = predicted.segments.findIndex((size, index) => created[index] !== size);
  const refusalsAgree = refusalsMet === predicted.refusals;
  if (first === -1 && created.length === predicted.segments.length && refusalsAgree) return { agrees: true };
  const size = predicted.segments[first];
  const why =
    deviceRefusal !== undefined
      ? say`the device refused it beside ${formatBytes(deviceRefusal.heldBytes)}: ${deviceRefusal.message}`
      : refusalsAgree
        ? say`the device made another segment`
        : say`${refusalsMet} of ${predicted.refusals} requests over the budget were refused`;
  return {
    agrees: false,
    ...(size === undefined
      ? {}
      : { firstDifference: { segment: first, predictedBytes: size, createdBytes: created[first] ?? 0 } }),
    why,
  };
}

function failureFacts({ predicted: { failure } }: ExecutionPlan): Record<string, unknown> {
  if (failure === undefined) return {};
  const { requested, freeInSegments, freeOutside } = failure;
  const totalFree = freeInSegments + freeOutside;
  return {
    failure: { ...failure, totalFree },
    fragmentation: freeInSegments === 0 ? 0 : 1 - failure.largestFree / freeInSegments,
    freeOverRequest: totalFree > requested,
    story: `${formatBytes(requested)} were asked for in one piece; ${formatBytes(totalFree)} were free, the largest piece of a segment ${formatBytes(failure.largestFree)}`,
  };
}

function namedCorruptions(plan: ExecutionPlan, { corruptions }: Execution): Record<string, unknown>[] {
  return corruptions.slice(0, MOST_NAMED).map(({ tensor, step, words, firstWord }) => ({
    block: plan.tensors[tensor]?.name ?? `tensor ${tensor}`,
    words,
    firstWord,
    ...neighboursOf(plan, tensor, step),
  }));
}
