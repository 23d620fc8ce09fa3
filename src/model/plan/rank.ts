/** What one device holds of a model: its pipeline stage's part, divided by tensor parallelism. */
import { type Architecture } from './architecture/architecture.js';
import { type Module, shareOf, type WeightGroup } from './architecture/weights.js';
import { type PlannedModel } from './model.js';
import { ADAPTER_TARGETS, isAdapted } from './published/adapters.js';
import { type PlanSettings } from './settings.js';

export interface RankTensor {
  readonly name: string;
  readonly elements: number;
  readonly module: Module;
  /** The bias of the module, not its matrix. */
  readonly isBias: boolean;
}

export interface RankGroup {
  readonly name: string;
  readonly part: WeightGroup['part'];
  readonly tensors: readonly RankTensor[];
  readonly elements: number;
}

export interface Rank {
  readonly groups: readonly RankGroup[];
  /** Parameters on this device. */
  readonly elements: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Key and value heads on this device. */
  readonly kvHeads: number;
  /** Rows of the vocabulary on this device. */
  readonly vocabulary: number;
  /** Elements of the token embedding that the output layer works with too, where both are on this device. */
  readonly sharedTokens: number;
  /** Micro-batches whose activations are alive together. */
  readonly inFlight: number;
}

/** The part of a device. `groups` and `architecture` are those of the model; without them there is only a count. */
export function rankOf(architecture: Architecture, groups: readonly WeightGroup[], settings: PlanSettings): Rank {
  const { tensorParallel: t, pipelineParallel: p, stage, accumulate } = settings;
  const isFirst = stage === 0;
  const isLast = stage === p - 1;
  const layers = groups.filter(({ part }) => part === 'layer');
  const each = layers.length / p;
  const mine = [
    ...(isFirst ? groups.filter(({ part }) => part === 'embedding') : []),
    ...layers.slice(stage * each, (stage + 1) * each),
    ...(isLast ? groups.filter(({ part }) => part === 'head') : []),
  ].map((group) => rankGroup(withTiedCopy(group, groups, architecture.tied && p > 1), t, architecture.kvHeads));
  return {
    groups: mine,
    elements: mine.reduce((sum, { elements }) => sum + elements, 0),
    isFirst,
    isLast,
    kvHeads: Math.max(1, architecture.kvHeads / t),
    vocabulary: Math.ceil(architecture.vocabulary / t),
    sharedTokens: architecture.tied && p === 1 ? (mine[0]?.tensors[0]?.elements ?? 0) : 0,
    inFlight: settings.mode === 'inference' ? 1 : Math.min(p - stage, accumulate),
  };
}

/** The last stage has a copy of a shared embedding that lives on the first. */
function withTiedCopy(group: WeightGroup, groups: readonly WeightGroup[], needsCopy: boolean): WeightGroup {
  const tokens = groups.find(({ part }) => part === 'embedding')?.modules[0];
  if (!needsCopy || group.part !== 'head' || tokens === undefined) return group;
  return { ...group, modules: [...group.modules, { ...tokens, name: 'output' }] };
}

function rankGroup({ name, part, modules }: WeightGroup, degree: number, kvHeads: number): RankGroup {
  const tensors = modules.flatMap((module): RankTensor[] => {
    const { matrix, bias } = shareOf(module, degree, kvHeads);
    const one = (elements: number, isBias: boolean) => ({
      name: `${name}.${module.name}${isBias ? ' bias' : ''}`,
      elements,
      module,
      isBias,
    });
    return [one(matrix, false), one(bias, true)].filter(({ elements }) => elements > 0);
  });
  return { name, part, tensors, elements: tensors.reduce((sum, { elements }) => sum + elements, 0) };
}

/** Whether a weight is stored in 8 or 4 bits where those are asked for: the matrices of the layers. */
export const isQuantized = ({ module, isBias }: RankTensor, part: RankGroup['part']): boolean =>
  part === 'layer' && !isBias && module.columns > 1;

/** The two matrices of an adapter on this device: r x in is cut where the columns are, out x r where the rows are. */
export function adapterTensors(tensor: RankTensor, settings: PlanSettings): readonly number[] {
  const { adapterRank: r, adapterTargets, tensorParallel: t } = settings;
  const { module, isBias } = tensor;
  if (isBias || !isAdapted(module, adapterTargets)) return [];
  const columns = module.split === 'columns' ? Math.ceil(module.columns / t) : module.columns;
  return [r * columns, r * (tensor.elements / columns)];
}

/** All elements of adapters on this device. */
export const adapterElements = (rank: Rank, settings: PlanSettings): number =>
  rank.groups
    .flatMap(({ tensors }) => tensors.flatMap((tensor) => adapterTensors(tensor, settings)))
    .reduce((sum, each) => sum + each, 0);

/** Adapted matrices of an attention block and of a feed-forward block. */
export function adaptedCounts(model: PlannedModel, settings: PlanSettings): { attention: number; feedForward: number } {
  if (settings.mode !== 'lora') return { attention: 0, feedForward: 0 };
  const layer = model.groups?.find(({ part }) => part === 'layer');
  const names: readonly string[] = ADAPTER_TARGETS[settings.adapterTargets];
  const adapted = layer?.modules.filter(({ name }) => names.includes(name)) ?? [];
  const attention = adapted.filter(({ name }) => name.startsWith('attention')).length;
  return { attention, feedForward: adapted.length - attention };
}
