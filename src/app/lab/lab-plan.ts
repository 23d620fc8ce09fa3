/** From what a person set to what is run: two programs with a setup each, or what is wrong with which field. */
import { AppError } from '../../base/errors.js';
import { parseSize } from '../../base/sizes.js';
import { type LabProgram, type LabSetup } from '../../model/lab/lab-program.js';
import { resolveParameters } from '../../model/workload/parameter.js';
import { type Workload } from '../../model/workload/workload.js';
import { type LabRequest } from '../handover.js';
import { type LabSettings, ownCapacity, type SideName, sideParameters, workloadOf } from './lab-settings.js';

export interface PlannedSide {
  readonly program: LabProgram;
  readonly setup: LabSetup;
}

/** Fields of the rail that can be refused: the budget, a side's change, or a parameter by its key. */
export type LabField = 'budget' | `change-${SideName}` | `parameter-${string}`;
/** One line a field: what is wrong and what to write. */
export type LabProblems = Readonly<Partial<Record<LabField, string>>>;

export type LabPlan =
  | { readonly status: 'usable'; readonly sides: readonly [PlannedSide, PlannedSide]; readonly capacity: number }
  | { readonly status: 'refused'; readonly problems: LabProblems };

/** What the settings stand for. `brought` stands for the program when a page or a file gave one. */
export function planLab(settings: LabSettings, brought: LabRequest | undefined): LabPlan {
  const problems: Partial<Record<LabField, string>> = {};
  const capacity = capacityOf(settings, brought, problems);
  const programs = (['a', 'b'] as const).map((side) =>
    brought === undefined
      ? workloadProgram(settings, side, problems)
      : ({ kind: 'trace', trace: brought[side].trace } as const),
  );
  const [a, b] = programs;
  if (Object.keys(problems).length > 0 || a === undefined || b === undefined || capacity === undefined) {
    return { status: 'refused', problems };
  }
  const planned = (side: SideName, program: LabProgram): PlannedSide => {
    const { allocator, conf } = settings[side];
    const given = brought?.[side];
    const isAsGiven = given?.allocator === allocator && given.conf === conf;
    return {
      program,
      setup: {
        name: allocator,
        conf: conf.trim(),
        capacity,
        ...(isAsGiven && given.fraction !== undefined ? { fraction: given.fraction } : {}),
        ...(given?.torch !== undefined && allocator === 'caching' ? { torch: given.torch } : {}),
      },
    };
  };
  return { status: 'usable', sides: [planned('a', a), planned('b', b)], capacity };
}

function capacityOf(
  settings: LabSettings,
  brought: LabRequest | undefined,
  problems: Partial<Record<LabField, string>>,
): number | undefined {
  if (settings.budget.trim() === '') return brought?.capacity ?? ownCapacity(settings);
  return attempt('budget', problems, () => parseSize(settings.budget, 'budget'));
}

function workloadProgram(
  settings: LabSettings,
  side: SideName,
  problems: Partial<Record<LabField, string>>,
): LabProgram | undefined {
  const workload = workloadOf(settings.workload);
  const refused = Object.entries(settings.parameters).filter(
    ([key, value]) => attempt(`parameter-${key}`, problems, () => readAlone(workload, key, value)) === undefined,
  );
  if (refused.length > 0) return undefined;
  const parameters = sideParameters(settings, settings[side]);
  const values = attempt(`change-${side}`, problems, () => workload.resolve(parameters));
  return values === undefined ? undefined : { kind: 'workload', workload: workload.id, parameters: values };
}

/** Whether a value can be used is asked of its own row of the table: values that do not go together are no mistake of one. */
const readAlone = ({ id, parameters }: Workload, key: string, value: string) => {
  const parameter = parameters[key];
  return resolveParameters(id, parameter === undefined ? {} : { [key]: parameter }, { [key]: value });
};

/** The line of a refusal is written for the person who typed (`badInput`); anything else is a bug of ours and goes on. */
function attempt<T>(field: LabField, problems: Partial<Record<LabField, string>>, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problems[field] = error.message;
    return undefined;
  }
}

/** Whether two plans run the same programs in the same setups. */
export const samePlan = (a: LabPlan, b: LabPlan): boolean =>
  a.status === 'usable' &&
  b.status === 'usable' &&
  a.sides.every(({ program, setup }, index) => {
    const other = b.sides[index];
    return (
      other !== undefined &&
      JSON.stringify(setup) === JSON.stringify(other.setup) &&
      (program.kind === 'trace'
        ? other.program.kind === 'trace' && program.trace === other.program.trace
        : JSON.stringify(program) === JSON.stringify(other.program))
    );
  });
