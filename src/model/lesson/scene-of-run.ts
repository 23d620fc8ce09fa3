/** A run of a step as the scene draws it: at the moment of the question, and whole with what explains a failure. */
import { labRun } from '../lab/lab-run.js';
import { type FailureWhy, whyOf } from '../lab/why.js';
import { type MemoryRun } from '../memory-map/memory-run.js';
import { memoryRunOf } from '../memory-map/run-of-trace.js';
import { setupOfRun } from './run-setup.js';
import { traceOfRun } from './run-trace.js';
import { firstOperations, startOf } from './scene-run.js';
import { type Run, type Step } from './schema.js';

/** How much of a run is drawn: up to the question, or all of it. */
export type ScenePart = 'start' | 'whole';

/** What a scene needs to know of its step. */
export type SceneStep = Pick<Step, 'start' | 'view'>;

export interface SceneRun {
  readonly run: MemoryRun;
  readonly failure: SceneFailure | undefined;
  /** Rows of `run.blocks` whose free would have been enough. */
  readonly numbered: readonly number[];
}

export interface SceneFailure {
  readonly why: FailureWhy;
  readonly operation: number;
  readonly tensorsAlone: number;
  readonly capacity: number;
}

/** Replays a run for the scene. Throws `AppError` (`bad-input`) for a run that cannot be made. */
export const sceneOfRun = (step: SceneStep, run: Run, part: ScenePart): SceneRun =>
  part === 'start' ? startScene(step, run) : wholeScene(step, run);

function startScene(step: SceneStep, run: Run): SceneRun {
  const trace = traceOfRun(run);
  const start = firstOperations(trace, startOf(step, run, trace));
  return { run: memoryRunOf(start, setupOfRun(run), { name: run.id }), failure: undefined, numbered: [] };
}

/** To its end or to its first failure, and why it failed where the step asks for that. */
function wholeScene(step: SceneStep, run: Run): SceneRun {
  const trace = traceOfRun(run);
  const setup = setupOfRun(run);
  if (step.view !== 'why') {
    return { run: memoryRunOf(trace, setup, { name: run.id }), failure: undefined, numbered: [] };
  }
  const { run: memory, failure } = labRun(trace, setup);
  if (failure === undefined) return { run: memory, failure: undefined, numbered: [] };
  const sets = failure.frees ?? [];
  // Single frees are ways to choose from; of larger sets the first is shown whole.
  const tensors = sets[0]?.tensors.length === 1 ? sets.flatMap((set) => set.tensors) : (sets[0]?.tensors ?? []);
  const { operation, tensorsAlone } = failure;
  return {
    run: memory,
    failure: { why: whyOf(failure), operation, tensorsAlone, capacity: setup.capacity },
    numbered: tensors.map(({ operation: born }) => memory.blocks.bornAt.indexOf(born)),
  };
}
