/** One training program on a device of its own: `EngineApi.train`. */
import { formatBytes } from '../../base/format.js';
import {
  type AskHost,
  type OnTrainEvent,
  type TrainPlanFacts,
  type TrainRequest,
  type TrainResult,
} from '../../engine/protocol.js';
import { checkConf } from '../../model/execution/placement.js';
import { type ExecutionPlan } from '../../model/execution/plan.js';
import { scaleText } from '../../model/execution/scale.js';
import { findWorkload } from '../../model/workload/catalogue.js';
import { traceOf } from '../../model/workload/trace-program.js';
import { closeBench, openBench, proveDevice } from '../bench.js';
import { checkLeastBudget, checkMostBudget } from '../budget.js';
import { environmentOf, type Host } from '../environment.js';
import { journaled } from '../oom/journal-store.js';
import { GpuSession } from '../session.js';
import { checkCarriable, TRAIN_HEADROOM } from './carriable.js';
import { type GivenTrace, readGivenTrace } from './given-trace.js';
import { type DeviceRefusal } from './segments.js';
import { TrainLab } from './train-lab.js';
import { figureRows, trainExperiment } from './train-report.js';

export interface TrainArguments {
  readonly gpu: GPU | undefined;
  readonly host: Host;
  readonly request: TrainRequest;
  readonly onEvent: OnTrainEvent;
  readonly signal: AbortSignal;
  readonly askHost: AskHost;
}

/** As `EngineApi.train` says. */
export async function runTrain(run: TrainArguments): Promise<TrainResult> {
  const { gpu, host, request, onEvent, signal, askHost } = run;
  const { budgetBytes, placement, conf = '' } = request;
  checkConf(placement, conf);
  checkLeastBudget('budget', budgetBytes);
  const program = programOf(request);
  signal.throwIfAborted();
  const session = await GpuSession.open(gpu, request.adapter, proveDevice);
  try {
    const { adapterFacts } = session;
    checkMostBudget('budget', budgetBytes, adapterFacts);
    checkCarriable(program.name, program, adapterFacts, budgetBytes);
    const bench = await openBench(session, budgetBytes + TRAIN_HEADROOM);
    try {
      const environment = environmentOf(host, adapterFacts, bench.clock.facts());
      await onEvent({ kind: 'environment', environment });
      const context = {
        bench,
        environment,
        signal,
        request: { seed: request.seed, budgetBytes: budgetBytes + TRAIN_HEADROOM },
      };
      const work = new TrainLab(budgetBytes).carryOut(context, program.trace, program.capacity, placement, {
        conf,
        onPlanned: (plan, because) => onEvent({ kind: 'planned', plan: planFacts(plan), ...becauseOf(because) }),
        onReached: (reached) => onEvent({ kind: 'reached', reached }),
      });
      const step = { step: `train ${program.name} (${placement})`, bytes: budgetBytes };
      const attempt = await journaled(askHost, step, () => session.guard(work));
      const variant = `${program.name}-${placement}`;
      const subject = { variant, workload: program.name, parameters: program.parameters };
      return {
        environment,
        experiment: { ...trainExperiment(subject, attempt), ...(conf === '' ? {} : { conf }) },
        rows: figureRows(variant, attempt),
      };
    } finally {
      closeBench(bench);
    }
  } finally {
    session.close();
  }
}

interface NamedProgram extends Pick<GivenTrace, 'trace' | 'capacity'> {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

function programOf({ program, capacityBytes, budgetBytes }: TrainRequest): NamedProgram {
  if (program.kind === 'workload') {
    const workload = findWorkload(program.workload);
    const parameters = workload.resolve(program.parameters);
    const trace = traceOf(workload, parameters);
    return { name: workload.id, parameters, trace, capacity: capacityBytes ?? workload.capacity };
  }
  const { trace, capacity } = readGivenTrace(program.text, program.name, budgetBytes);
  return { name: 'trace', parameters: { file: program.name }, trace, capacity: capacityBytes ?? capacity };
}

const planFacts = ({ predicted, scaled, steps, operations }: ExecutionPlan): TrainPlanFacts => ({
  predicted: predicted.outcome,
  segments: predicted.segments.length,
  refusals: predicted.refusals,
  peakReservedBytes: predicted.peakReserved,
  peakAllocatedBytes: predicted.peakAllocated,
  budgetBytes: scaled.capacity,
  scale: scaled.scale,
  scaling: scaleText(scaled),
  operations: (operations[steps.length - 1] ?? -1) + 1,
});

const becauseOf = (refusal: DeviceRefusal | undefined): { because?: string } =>
  refusal === undefined
    ? {}
    : {
        because: `the device refused ${formatBytes(refusal.size)} beside ${formatBytes(refusal.heldBytes)}: ${refusal.message}`,
      };
