/** One side of the Lab on the GPU, from the plan to what the device did. */
import { messageOf } from '../../base/errors.js';
import { parseSize } from '../../base/sizes.js';
import { type Engine } from '../engine-port.js';
import { type PlannedSide } from './lab-plan.js';
import { type LabPort } from './lab-port.js';
import { stoppedWords } from './lab-words.js';
import { realRequest } from './real-request.js';
import { type RealSide, realResult, withTrainEvent } from './real-state.js';

const DEFAULT_BUDGET = 2 ** 30;

export interface RealRun {
  readonly lab: Pick<LabPort, 'traceFile'>;
  readonly engine: Engine;
  /** A size, as it was typed. */
  readonly budget: string;
  readonly signal: AbortSignal;
}

/** Carries a side out and tells each change of its state. Every way of ending is a state, so this never rejects. */
export async function runRealSide(
  side: PlannedSide,
  { lab, engine, budget, signal }: RealRun,
  change: (next: (side: RealSide) => RealSide) => void,
): Promise<RealSide> {
  const traceText = side.program.kind === 'trace' ? await (await lab.traceFile(side.program)).text() : '';
  const asked = realRequest(side, { budgetBytes: readBudget(budget), traceText });
  if (asked.status === 'refused') return { kind: 'none', words: asked.words };
  change(() => ({ kind: 'running', plan: undefined, reached: undefined }));
  try {
    const result = await engine.train(asked.request, {
      signal,
      onEvent: (event) => change((now) => withTrainEvent(now, event)),
    });
    return realResult(result);
  } catch (error) {
    return { kind: 'none', words: signal.aborted ? stoppedWords() : messageOf(error) };
  }
}

function readBudget(text: string): number {
  try {
    return parseSize(text, 'budget');
  } catch {
    return DEFAULT_BUDGET; // Measure says what is wrong with its field; here the default of both holds
  }
}
