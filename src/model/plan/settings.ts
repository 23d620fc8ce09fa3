/**
 * What a plan is made for: how the job is run. Sizes of the model are in `model.ts`. Everything has a usual value; a batch
 * and a sequence do not, and what needs them is then unknown rather than guessed.
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { formatNumber } from '../../base/format.js';
import { parseSize } from '../../base/sizes.js';
import { MiB } from '../../base/units.js';
import { type AdapterTargets } from './published/adapters.js';

/** `fp16` and `bf16`: 16-bit weights and gradients, fp32 optimizer states. `pure-bf16`: everything in 16 bits. */
export const PRECISIONS = ['fp16', 'bf16', 'fp32', 'pure-bf16'] as const;
export type Precision = (typeof PRECISIONS)[number];

export const OPTIMIZERS = ['adam', 'adamw', 'adam8bit', 'sgd', 'sgd-momentum', 'adafactor'] as const;
export type OptimizerName = (typeof OPTIMIZERS)[number];

export const RECOMPUTES = ['none', 'selective', 'full'] as const;
export type Recompute = (typeof RECOMPUTES)[number];

export const MODES = ['train', 'lora', 'inference'] as const;
export type Mode = (typeof MODES)[number];

/** How frozen weights are stored (LoRA, inference): as the precision says, or in 8 or 4 bits. */
export const WEIGHT_FORMATS = ['native', 'int8', 'int4', 'nf4'] as const;
export type WeightFormat = (typeof WEIGHT_FORMATS)[number];

/** What lives on the CPU: nothing, gradients and optimizer states, parameters too. */
export const OFFLOADS = ['none', 'optimizer', 'all'] as const;
export type Offload = (typeof OFFLOADS)[number];

/** How the optimizer steps: one kernel without temporaries, or operation by operation over all tensors at once. */
export const STEPS = ['fused', 'foreach'] as const;
export type OptimizerStep = (typeof STEPS)[number];

export interface PlanSettings {
  readonly mode: Mode;
  /** Sequences of one micro-batch on one device; undefined where it was not said. */
  readonly batch: number | undefined;
  /** Tokens of a sequence; undefined where it was not said. */
  readonly sequence: number | undefined;
  readonly precision: Precision;
  readonly optimizer: OptimizerName;
  /** An fp32 copy of 16-bit weights. */
  readonly masterWeights: boolean;
  /** Bytes of a gradient: those of a weight unless given. */
  readonly gradientBytes: number | undefined;
  readonly optimizerStep: OptimizerStep;
  readonly zero: 0 | 1 | 2 | 3;
  readonly dataParallel: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  /** Which pipeline stage is planned, from 0. */
  readonly stage: number;
  readonly sequenceParallel: boolean;
  readonly recompute: Recompute;
  readonly flash: boolean;
  /** Micro-batches of a step: gradient accumulation, or what fills a pipeline. */
  readonly accumulate: number;
  readonly offload: Offload;
  /** Elements of a reduce bucket (ZeRO). */
  readonly bucket: number;
  readonly weights: WeightFormat;
  readonly adapterRank: number;
  readonly adapterTargets: AdapterTargets;
  /** Tokens generated after the prompt (inference). */
  readonly outputTokens: number;
  /** Bytes of the CUDA context and library handles; undefined where it was not said. */
  readonly context: number | undefined;
  /** NCCL channels; undefined where it was not said. */
  readonly channels: number | undefined;
}

export const DEFAULT_SETTINGS: PlanSettings = {
  mode: 'train',
  batch: undefined,
  sequence: undefined,
  precision: 'fp16',
  optimizer: 'adam',
  masterWeights: false,
  gradientBytes: undefined,
  optimizerStep: 'fused',
  zero: 0,
  dataParallel: 1,
  tensorParallel: 1,
  pipelineParallel: 1,
  stage: 0,
  sequenceParallel: false,
  recompute: 'none',
  flash: false,
  accumulate: 1,
  offload: 'none',
  bucket: 5e8,
  weights: 'native',
  adapterRank: 8,
  adapterTargets: 'qv',
  outputTokens: 0,
  context: undefined,
  channels: undefined,
};

/** Ranges of the numbers, by the option that gives them. What lies outside is a slip of the hand, not a job. */
export const RANGES = {
  batch: { option: '--batch', min: 1, max: 1_000_000 },
  sequence: { option: '--seq', min: 1, max: 100_000_000 },
  dataParallel: { option: '--dp', min: 1, max: 1_000_000 },
  tensorParallel: { option: '--tp', min: 1, max: 1024 },
  pipelineParallel: { option: '--pp', min: 1, max: 1024 },
  stage: { option: '--stage', min: 0, max: 1023 },
  accumulate: { option: '--accumulate', min: 1, max: 4096 },
  bucket: { option: '--bucket', min: 1, max: 1e12 },
  adapterRank: { option: '--lora-rank', min: 1, max: 65_536 },
  outputTokens: { option: '--output-tokens', min: 0, max: 100_000_000 },
  channels: { option: '--nccl-channels', min: 1, max: 1024 },
  gradientBytes: { option: '--gradient-bytes', min: 1, max: 8 },
} as const;
export type RangeName = keyof typeof RANGES;

/** Throws `AppError` (`bad-input`) unless the value is a whole number in the range of its option. */
export function checkRange(name: RangeName, value: number): void {
  const { option, min, max } = RANGES[name];
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw badInput(
    option,
    say`${option}: ${value} is not usable; give a whole number, ${formatNumber(min)} to ${formatNumber(max)}`,
  );
}

/** A card holds at least so much; less is a forgotten unit. */
const SMALLEST_CARD = MiB(1);

/** Reads the memory of a card, in bytes. Throws `AppError` (`bad-input`) for what is no size, and for less than 1 MiB. */
export function parseCapacity(text: string): number {
  const capacity = parseSize(text, '--capacity');
  if (capacity >= SMALLEST_CARD) return capacity;
  throw badInput(
    '--capacity',
    say`--capacity: "${text}" is ${formatNumber(capacity)} bytes, no card has so little; give a unit, such as 80GiB`,
  );
}

/**
 * Fills in what was not given and checks what does not depend on the model. Throws `AppError` (`bad-input`), one line, for
 * a number out of range and for settings that do not go together.
 */
export function planSettings(given: {
  readonly [K in keyof PlanSettings]?: PlanSettings[K] | undefined;
}): PlanSettings {
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const settings: PlanSettings = { ...DEFAULT_SETTINGS, ...known };
  for (const name of Object.keys(RANGES)) {
    const value = settings[name as RangeName];
    if (value !== undefined) checkRange(name as RangeName, value);
  }
  const { mode, zero, offload, stage, pipelineParallel, precision, masterWeights, weights } = settings;
  if (stage >= pipelineParallel) {
    throw badInput('--stage', say`--stage: ${stage} is not usable with --pp ${pipelineParallel}; stages count from 0`);
  }
  if (offload !== 'none' && zero === 0)
    throw badInput('--offload', say`--offload: ZeRO offloads; give --zero 1, 2 or 3 with it`);
  if (offload === 'all' && zero !== 3)
    throw badInput('--offload', say`--offload all: only stage 3 offloads parameters; give --zero 3`);
  if (masterWeights && precision === 'fp32') {
    throw badInput('--master-weights', say`--master-weights: weights in fp32 are their own master copy; leave it out`);
  }
  if (mode !== 'train' && zero !== 0) {
    throw badInput(
      '--zero',
      say`--zero: ${mode} is planned for whole weights on each device; leave it out, or use --tp`,
    );
  }
  if (mode === 'train' && weights !== 'native') {
    throw badInput(
      '--weights',
      say`--weights ${weights}: such weights are frozen; use --mode lora or --mode inference`,
    );
  }
  return settings;
}

/** Bytes of a weight, which are those of an activation. */
export const weightBytes = ({ precision }: Pick<PlanSettings, 'precision'>): number => (precision === 'fp32' ? 4 : 2);

/** Bytes of a gradient. */
export const gradientBytesOf = (settings: PlanSettings): number => settings.gradientBytes ?? weightBytes(settings);

/** Bytes of one optimizer state, a moment for example. */
export const stateBytes = ({ precision }: Pick<PlanSettings, 'precision'>): number =>
  precision === 'pure-bf16' ? 2 : 4;
