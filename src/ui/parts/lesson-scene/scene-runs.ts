/** The runs of a step as the scene draws them: at the moment of the question, and whole with what explains a failure. */
import { labRun } from '../../../model/lab/lab-run.js';
import { type FailureWhy, whyOf } from '../../../model/lab/why.js';
import { setupOfRun, traceOfRun } from '../../../model/lesson/run-setup.js';
import { firstOperations, startOf } from '../../../model/lesson/scene-run.js';
import { type Run, type Step } from '../../../model/lesson/schema.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { memoryRunOf } from '../../../model/memory-map/run-of-trace.js';
import { type BlockRef } from '../memory-view/view-events.js';

export interface SceneRun {
  /** Alone in its list: the memory view takes another list for other runs. */
  readonly runs: readonly [MemoryRun];
  readonly failure:
    | { readonly why: FailureWhy; readonly operation: number; readonly tensorsAlone: number; readonly capacity: number }
    | undefined;
  /** Blocks whose free would have been enough. */
  readonly numbered: readonly BlockRef[];
}

/** The run up to the moment of the question. */
export function startRun(step: Step, run: Run): SceneRun {
  const trace = traceOfRun(run);
  const start = firstOperations(trace, startOf(step, run, trace));
  return { runs: [memoryRunOf(start, setupOfRun(run), { name: run.id })], failure: undefined, numbered: [] };
}

/** The run to its end or to its first failure, and why it failed where the step asks for that. */
export function wholeRun(step: Step, run: Run): SceneRun {
  const trace = traceOfRun(run);
  const setup = setupOfRun(run);
  if (step.view !== 'why')
    return { runs: [memoryRunOf(trace, setup, { name: run.id })], failure: undefined, numbered: [] };
  const { run: memory, failure } = labRun(trace, setup);
  if (failure === undefined) return { runs: [memory], failure: undefined, numbered: [] };
  const sets = failure.frees ?? [];
  // Single frees are ways to choose from; of larger sets the first is shown whole.
  const tensors = sets[0]?.tensors.length === 1 ? sets.flatMap((set) => set.tensors) : (sets[0]?.tensors ?? []);
  return {
    runs: [memory],
    failure: {
      why: whyOf(failure),
      operation: failure.operation,
      tensorsAlone: failure.tensorsAlone,
      capacity: setup.capacity,
    },
    numbered: tensors.map(({ operation }) => ({ run: 0, block: memory.blocks.bornAt.indexOf(operation) })),
  };
}
