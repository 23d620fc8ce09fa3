/** The options of `vramlab plan`: as commander reads them, and as a model and settings. */
import { type Command, Option } from 'commander';
import { badInput } from '../../base/errors.js';
import { parseCount, parseSize } from '../../base/sizes.js';
import { findArchitecture } from '../../model/plan/architecture/presets.js';
import { readConfig } from '../../model/plan/architecture/hugging-face.js';
import { modelOfArchitecture, modelOfCount, type PlannedModel, type ShapeInput } from '../../model/plan/model.js';
import { ADAPTER_TARGETS, type AdapterTargets } from '../../model/plan/published/adapters.js';
import { ESTIMATOR_NAMES, type EstimatorName } from '../../model/plan/published/estimators.js';
import {
  MODES,
  OFFLOADS,
  OPTIMIZERS,
  parseCapacity,
  planSettings,
  type PlanSettings,
  PRECISIONS,
  RECOMPUTES,
  STEPS,
  WEIGHT_FORMATS,
} from '../../model/plan/settings.js';
import { ALLOCATORS } from '../../model/allocator/registry.js';
import { readUnpackedText } from '../files.js';

export interface PlanOptions {
  readonly params?: number;
  readonly arch?: string;
  readonly config?: string;
  readonly layers?: number;
  readonly hidden?: number;
  readonly heads?: number;
  readonly kvHeads?: number;
  readonly headSize?: number;
  readonly ffn?: number;
  readonly vocab?: number;
  readonly batch?: number;
  readonly seq?: number;
  readonly mode?: PlanSettings['mode'];
  readonly precision?: PlanSettings['precision'];
  readonly optimizer?: PlanSettings['optimizer'];
  readonly masterWeights?: true;
  readonly gradientBytes?: number;
  readonly optimizerStep?: PlanSettings['optimizerStep'];
  readonly zero?: string;
  readonly dp?: number;
  readonly tp?: number;
  readonly pp?: number;
  readonly stage?: number;
  readonly sequenceParallel?: true;
  readonly recompute?: PlanSettings['recompute'];
  readonly flash?: true;
  readonly accumulate?: number;
  readonly offload?: PlanSettings['offload'];
  readonly bucket?: number;
  readonly weights?: PlanSettings['weights'];
  readonly loraRank?: number;
  readonly loraTargets?: AdapterTargets;
  readonly outputTokens?: number;
  readonly context?: number;
  readonly ncclChannels?: number;
  readonly capacity?: number;
  readonly allocator: string;
  readonly conf?: string;
  readonly steps: number;
  readonly trace?: string;
  readonly csv?: string;
  readonly json?: true;
  readonly estimator?: EstimatorName;
  readonly largestLayer?: number;
  readonly gpusPerNode?: number;
  readonly nodes?: number;
  readonly listArchitectures?: true;
}

/** Adds every option to the command. */
export function addPlanOptions(command: Command): Command {
  const count = (flags: string, about: string) => {
    const option = /--[a-z-]+/.exec(flags)?.[0] ?? flags;
    command.option(flags, about, (text: string) => parseCount(text, option));
  };
  const choice = (flags: string, about: string, choices: readonly string[]) =>
    command.addOption(new Option(flags, about).choices(choices));
  count('--params <n>', 'parameters: 7e9, 7B, 124M');
  command.option('--arch <name>', 'an architecture by name; --list-architectures shows them');
  command.option('--config <file>', 'a Hugging Face config.json; - for stdin');
  count('--layers <n>', 'layers');
  count('--hidden <n>', 'hidden size');
  count('--heads <n>', 'attention heads');
  count('--kv-heads <n>', 'key-value heads');
  count('--head-size <n>', 'size of a head');
  count('--ffn <n>', 'feed-forward size');
  count('--vocab <n>', 'vocabulary');
  count('--batch <n>', 'sequences of a micro-batch on one device');
  count('--seq <n>', 'tokens of a sequence');
  choice('--mode <mode>', 'train unless given', MODES);
  choice('--precision <name>', 'fp16 (16-bit weights and gradients, fp32 moments) unless given', PRECISIONS);
  choice('--optimizer <name>', 'adam unless given', OPTIMIZERS);
  command.option('--master-weights', 'an fp32 copy of the weights');
  count('--gradient-bytes <n>', 'bytes of a gradient; those of a weight unless given');
  choice('--optimizer-step <how>', 'fused unless given', STEPS);
  choice('--zero <stage>', 'ZeRO stage', ['0', '1', '2', '3']);
  count('--dp <n>', 'data-parallel devices');
  count('--tp <n>', 'tensor-parallel devices');
  count('--pp <n>', 'pipeline stages');
  count('--stage <n>', 'the pipeline stage to plan, from 0');
  command.option('--sequence-parallel', 'tensor-parallel devices share the sequence');
  choice('--recompute <what>', 'none unless given', RECOMPUTES);
  command.option('--flash', 'fused attention');
  count('--accumulate <n>', 'micro-batches of a step');
  choice('--offload <what>', 'to the CPU: none unless given', OFFLOADS);
  count('--bucket <n>', 'elements of a reduce bucket, 5e8 unless given');
  choice('--weights <format>', 'how frozen weights are stored', WEIGHT_FORMATS);
  count('--lora-rank <n>', 'rank of adapters, 8 unless given');
  choice('--lora-targets <names>', 'adapted matrices, qv unless given', Object.keys(ADAPTER_TARGETS));
  count('--output-tokens <n>', 'tokens generated after the prompt');
  command.option('--context <size>', 'CUDA context and library handles', (text: string) =>
    parseSize(text, '--context'),
  );
  count('--nccl-channels <n>', 'channels of NCCL');
  command.option('--capacity <size>', 'memory of the card: does it fit, what would', parseCapacity);
  command.addOption(
    new Option('--allocator <name>', 'allocator of the replay')
      .choices(ALLOCATORS.map(({ name }) => name))
      .default('caching'),
  );
  command.option('--conf <string>', 'settings of the allocator');
  command.addOption(
    new Option('--steps <n>', 'training steps to replay').argParser((text) => parseCount(text, '--steps')).default(1),
  );
  command.option('--trace <file>', 'write the step as a trace (gzip when it ends in .gz)');
  command.option('--csv <file>', 'the terms as CSV; - for stdout');
  command.option('--json', 'one vramlab-plan');
  choice('--estimator <name>', 'print what this tool or paper would', ESTIMATOR_NAMES);
  count('--largest-layer <n>', 'estimators: parameters of the largest module');
  count('--gpus-per-node <n>', 'estimators: devices of a node, 1 unless given');
  count('--nodes <n>', 'estimators: nodes, 1 unless given');
  command.option('--list-architectures', 'the architectures that have a name');
  return command;
}

/** The model that the options name. Throws `AppError` (`bad-input`) unless it is exactly one. */
export async function modelOf(options: PlanOptions): Promise<PlannedModel> {
  const given = [options.params, options.arch, options.config].filter((each) => each !== undefined);
  if (given.length === 0) {
    throw badInput('--params', 'plan: no model was named; give --params 7e9, --arch NAME or --config config.json');
  }
  if (given.length > 1) throw badInput('--params', 'plan: give only one of --params, --arch and --config');
  const shape: ShapeInput = {
    layers: options.layers,
    hidden: options.hidden,
    heads: options.heads,
    kvHeads: options.kvHeads,
    headSize: options.headSize,
    feedForward: options.ffn,
    vocabulary: options.vocab,
  };
  if (options.params !== undefined) return modelOfCount(options.params, shape);
  if (options.arch !== undefined) return modelOfArchitecture(findArchitecture(options.arch), shape);
  const path = options.config ?? '-';
  return modelOfArchitecture(readConfig(await readUnpackedText(path), path === '-' ? 'stdin' : path), shape);
}

const STAGES: Readonly<Record<string, PlanSettings['zero']>> = { '0': 0, '1': 1, '2': 2, '3': 3 };

/** The settings that the options give. Throws as `planSettings` does. */
export function settingsOf(options: PlanOptions): PlanSettings {
  return planSettings({
    mode: options.mode,
    batch: options.batch,
    sequence: options.seq,
    precision: options.precision,
    optimizer: options.optimizer,
    masterWeights: options.masterWeights,
    gradientBytes: options.gradientBytes,
    optimizerStep: options.optimizerStep,
    zero: options.zero === undefined ? undefined : STAGES[options.zero],
    dataParallel: options.dp,
    tensorParallel: options.tp,
    pipelineParallel: options.pp,
    stage: options.stage,
    sequenceParallel: options.sequenceParallel,
    recompute: options.recompute,
    flash: options.flash,
    accumulate: options.accumulate,
    offload: options.offload,
    bucket: options.bucket,
    weights: options.weights,
    adapterRank: options.loraRank,
    adapterTargets: options.loraTargets,
    outputTokens: options.outputTokens,
    context: options.context,
    channels: options.ncclChannels,
  });
}
