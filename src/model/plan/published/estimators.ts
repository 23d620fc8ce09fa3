/**
 * The estimators of papers and tools by name, run on the model and the settings of a plan, so that a figure somebody
 * printed can be made again. A plan's own terms are `../plan.ts`.
 */
import { badInput } from '../../../base/errors.js';
import { formatNumber } from '../../../base/format.js';
import { type Architecture } from '../architecture/architecture.js';
import { largestModule } from '../architecture/weights.js';
import { type PlannedModel } from '../model.js';
import { type PlanSettings, weightBytes } from '../settings.js';
import { accelerateRows, accelerateSize } from './accelerate.js';
import { deepSpeedText, zero2States, zero3States } from './deepspeed.js';
import { eleutherFigures } from './eleuther.js';
import { cacheBytes, cachePerToken } from './kv-cache.js';
import { type LayerCase, LAYER_FORMULAS, layerActivations } from './korthikanti.js';
import { megatronActivations, megatronStates } from './megatron.js';
import { zeroModelStates } from './zero-paper.js';

export interface EstimateRow {
  readonly label: string;
  readonly bytes: number;
}

export interface Estimate {
  readonly name: EstimatorName;
  readonly source: string;
  readonly rows: readonly EstimateRow[];
  /** As the tool prints it. */
  readonly lines: readonly string[];
}

export interface EstimateInput {
  readonly model: PlannedModel;
  readonly settings: PlanSettings;
  readonly largestLayer: number | undefined;
  readonly gpusPerNode: number;
  readonly nodes: number;
}

type Estimator = (input: EstimateInput) => Omit<Estimate, 'name'>;

const gb = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`;
const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(2)} GiB`;

function listed(source: string, rows: readonly EstimateRow[], show: (bytes: number) => string): Omit<Estimate, 'name'> {
  const width = Math.max(...rows.map(({ label }) => label.length));
  return { source, rows, lines: rows.map(({ label, bytes }) => `${label.padEnd(width)}  ${show(bytes)}`) };
}

/** What an estimator needs and was not given is one line. */
function needed<T>(value: T | undefined, option: string, name: string): T {
  if (value === undefined) throw badInput('--estimator', `--estimator ${name}: needs ${option}; give it too`);
  return value;
}

const zero: Estimator = ({ model, settings }) => {
  const { dataParallel } = settings;
  return listed(
    'ZeRO, arXiv:1910.02054, Table 1: 2 + 2 + 12 bytes a parameter; GB = 10^9',
    ([0, 1, 2, 3] as const).map((stage) => ({
      label: ['baseline', 'Pos', 'Pos+g', 'Pos+g+p'][stage] ?? '',
      bytes: zeroModelStates(model.parameters, stage, dataParallel),
    })),
    gb,
  );
};

const deepSpeed =
  (stage: 2 | 3, edition: 'code' | 'docs'): Estimator =>
  ({ model, largestLayer, gpusPerNode, nodes }) => {
    const own = model.architecture === undefined ? undefined : largestModule(model.architecture);
    const largest = stage === 2 ? 0 : needed(largestLayer ?? own, '--largest-layer (or --arch)', 'deepspeed-zero3');
    const input = { parameters: model.parameters, largestLayer: largest, gpusPerNode, nodes };
    const rows = stage === 2 ? zero2States(input, edition) : zero3States(input);
    const file =
      edition === 'docs' ? 'docs/code-docs/source/memory.rst' : stage === 2 ? 'stage_1_and_2.py' : 'stage3.py';
    return {
      source: `DeepSpeed, ${file}; GB = 2^30`,
      rows: rows.flatMap(({ options, cpuBytes, gpuBytes }) => [
        { label: `${options}: per CPU`, bytes: cpuBytes },
        { label: `${options}: per GPU`, bytes: gpuBytes },
      ]),
      lines: deepSpeedText(input, rows, stage === 3),
    };
  };

function shapeOf(
  { model, settings }: EstimateInput,
  name: string,
): { architecture: Architecture; batch: number; sequence: number } {
  return {
    architecture: needed(model.architecture, '--arch, --config or a shape', name),
    batch: needed(settings.batch, '--batch', name),
    sequence: needed(settings.sequence, '--seq', name),
  };
}

const eleuther: Estimator = (input) => {
  const { architecture, batch, sequence } = shapeOf(input, 'eleuther');
  const { settings } = input;
  const { dataParallel, tensorParallel, pipelineParallel } = settings;
  const figures = eleutherFigures({
    layers: architecture.layers,
    hidden: architecture.hidden,
    heads: architecture.heads,
    vocabulary: architecture.vocabulary,
    expansion: architecture.feedForward / architecture.hidden,
    feedForwardMatrices: architecture.gated ? 3 : 2,
    keyValueRatio: architecture.kvHeads / architecture.heads,
    sequence,
    batch,
    devices: dataParallel * tensorParallel * pipelineParallel,
    tensorParallel,
    pipelineParallel,
    zeroStage: settings.zero,
    checkpointActivations: settings.recompute !== 'none',
    partitionActivations: settings.sequenceParallel,
    infer: settings.mode === 'inference',
    outputTokens: Math.max(1, settings.outputTokens),
    mixedPrecision: settings.precision !== 'fp32',
    gradientBytes: settings.gradientBytes ?? 4,
  });
  const { parameters, ...sizes } = figures;
  const listing = listed(
    `EleutherAI cookbook, calc_transformer_mem.py: ${formatNumber(parameters)} parameters; GiB = 2^30`,
    Object.entries(sizes).map(([label, bytes]) => ({ label, bytes })),
    gib,
  );
  return listing;
};

const korthikanti: Estimator = (input) => {
  const { architecture, batch, sequence } = shapeOf(input, 'korthikanti');
  const { hidden, heads } = architecture;
  const shape = { sequence, batch, hidden, heads, tensorParallel: input.settings.tensorParallel };
  return listed(
    'Korthikanti et al., arXiv:2205.05198, Table 2: activations of one layer, 16-bit',
    Object.keys(LAYER_FORMULAS).map((label) => ({ label, bytes: layerActivations(label as LayerCase, shape) })),
    (bytes) => `${formatNumber(bytes)} B`,
  );
};

const megatron: Estimator = (input) => {
  const { architecture, batch, sequence } = shapeOf(input, 'megatron');
  const { settings } = input;
  const shape = {
    ...architecture,
    sequence,
    microBatch: batch,
    tensorParallel: settings.tensorParallel,
    pipelineParallel: settings.pipelineParallel,
    dataParallel: settings.dataParallel,
    distributedOptimizer: settings.zero > 0,
  };
  return listed(
    'Megatron-LM, theoretical_memory_usage.py: most loaded device, sequence parallelism, fused attention',
    [
      { label: 'weights, gradients and optimizer', bytes: megatronStates(shape) },
      { label: 'activations', bytes: megatronActivations(shape) },
    ],
    gib,
  );
};

const kvCache: Estimator = ({ model, settings }) => {
  const architecture = needed(model.architecture, '--arch, --config or a shape', 'kv-cache');
  const shape = { ...architecture, bytes: weightBytes(settings) };
  const { sequence, batch } = settings;
  return listed(
    'key-value cache: 2 * layers * key-value heads * head size * bytes a token',
    [
      { label: 'a token', bytes: cachePerToken(shape) },
      ...(sequence === undefined
        ? []
        : [{ label: `${formatNumber(sequence)} tokens`, bytes: cacheBytes(shape, sequence) }]),
      ...(sequence === undefined || batch === undefined
        ? []
        : [{ label: `${formatNumber(batch)} sequences of them`, bytes: cacheBytes(shape, sequence, batch) }]),
    ],
    (bytes) => `${formatNumber(bytes)} B, ${gb(bytes)}, ${gib(bytes)}`,
  );
};

const accelerate: Estimator = ({ model, largestLayer }) => {
  const own = model.architecture === undefined ? undefined : largestModule(model.architecture);
  const largest = needed(largestLayer ?? own, '--largest-layer (or --arch)', 'accelerate');
  const rows = accelerateRows(model.parameters, largest);
  return {
    source: 'Hugging Face accelerate estimate-memory, without the buffers of the model; MB = 2^20',
    rows: rows.flatMap(({ type, largestLayer: layer, total, training }) => [
      { label: `${type}: largest layer`, bytes: layer },
      { label: `${type}: total`, bytes: total },
      { label: `${type}: training with Adam`, bytes: training },
    ]),
    lines: [
      'dtype    largest layer  total size  training with Adam',
      ...rows.map(
        ({ type, largestLayer: layer, total, training }) =>
          `${type.padEnd(7)}  ${accelerateSize(layer).padStart(13)}  ${accelerateSize(total).padStart(10)}  ${accelerateSize(training).padStart(18)}`,
      ),
    ],
  };
};

const ESTIMATORS = {
  zero,
  'deepspeed-zero2': deepSpeed(2, 'code'),
  'deepspeed-zero2-docs': deepSpeed(2, 'docs'),
  'deepspeed-zero3': deepSpeed(3, 'code'),
  eleuther,
  korthikanti,
  megatron,
  'kv-cache': kvCache,
  accelerate,
} as const satisfies Readonly<Record<string, Estimator>>;
export type EstimatorName = keyof typeof ESTIMATORS;
export const ESTIMATOR_NAMES = Object.keys(ESTIMATORS) as readonly EstimatorName[];

/** Runs an estimator. Throws `AppError` (`bad-input`) that names what it needs and was not given. */
export const estimate = (name: EstimatorName, input: EstimateInput): Estimate => ({ name, ...ESTIMATORS[name](input) });
