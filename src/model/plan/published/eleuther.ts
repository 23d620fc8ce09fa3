/**
 * EleutherAI's memory calculator (cookbook, calc/calc_transformer_mem.py), for figures that were made with it. It counts a
 * GPT-NeoX-like model: untied embeddings, learned positions, activations after Korthikanti et al. It divides gradients
 * and optimizer states by all devices, whatever the other degrees; so does this. Printed GiB are 2^30.
 */
export interface EleutherInput {
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly sequence: number;
  readonly batch: number;
  readonly vocabulary: number;
  readonly devices: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly zeroStage: 0 | 1 | 2 | 3;
  readonly checkpointActivations: boolean;
  readonly partitionActivations: boolean;
  readonly expansion: number;
  readonly feedForwardMatrices: number;
  readonly keyValueRatio: number;
  readonly infer: boolean;
  readonly outputTokens: number;
  readonly mixedPrecision: boolean;
  readonly lowBytes: number;
  readonly highBytes: number;
  readonly gradientBytes: number;
  /** Bytes of optimizer states a parameter: 12 AdamW, 8 SGD with momentum. */
  readonly optimizerBytes: number;
  readonly experts: number;
  readonly expertParallel: number;
  readonly allGatherBucket: number;
  readonly maxLiveParameters: number;
  readonly miscellaneousBytes: number;
}

/** The script's defaults: its 20B model. */
export const ELEUTHER_DEFAULTS: EleutherInput = {
  layers: 44,
  hidden: 6144,
  heads: 64,
  sequence: 2048,
  batch: 1,
  vocabulary: 51_200,
  devices: 1,
  tensorParallel: 1,
  pipelineParallel: 1,
  zeroStage: 1,
  checkpointActivations: false,
  partitionActivations: false,
  expansion: 4,
  feedForwardMatrices: 2,
  keyValueRatio: 1,
  infer: false,
  outputTokens: 1,
  mixedPrecision: true,
  lowBytes: 2,
  highBytes: 4,
  gradientBytes: 4,
  optimizerBytes: 12,
  experts: 0,
  expertParallel: 1,
  allGatherBucket: 5e8,
  maxLiveParameters: 1e9,
  miscellaneousBytes: 0,
};

/** Bytes on one device; `replica` for all devices that hold one copy of the model. Inference has no `gradient`. */
export interface EleutherFigures {
  readonly parameters: number;
  readonly activation: number;
  readonly model: number;
  readonly gradient: number;
  readonly optimizer: number;
  readonly communication: number;
  readonly keyValueCache: number;
  readonly total: number;
  readonly replica: number;
}

/** The figures of the script for one configuration, in bytes. */
export function eleutherFigures(given: Partial<EleutherInput>): EleutherFigures {
  const input: EleutherInput = { ...ELEUTHER_DEFAULTS, ...given };
  const { layers, hidden, infer, devices, zeroStage, tensorParallel, pipelineParallel } = input;
  const { sequence, batch, lowBytes, miscellaneousBytes } = input;
  const shared =
    2 * input.vocabulary * hidden +
    hidden * sequence +
    8 * hidden * layers +
    2 * hidden +
    Math.trunc(2 * (1 + input.keyValueRatio) * layers * hidden * hidden);
  const feedForward = input.feedForwardMatrices * layers * hidden * input.expansion * hidden;
  const parameters = shared + feedForward;
  const held = input.experts > 0 ? shared + (input.experts / input.expertParallel) * feedForward : parameters;
  const bytes = input.mixedPrecision ? lowBytes : input.highBytes;
  const wholeModel = parameters * bytes;
  const model = (held * bytes) / (tensorParallel * pipelineParallel) / (zeroStage === 3 ? devices : 1);
  const wholeGradient = held * input.gradientBytes;
  const wholeOptimizer = held * input.optimizerBytes;
  const wholeActivation = activationOf(input);
  const activation = input.partitionActivations ? wholeActivation / tensorParallel : wholeActivation;
  const cache = infer ? lowBytes * hidden * layers * (sequence + input.outputTokens) * batch : 0;
  const gradient = infer ? 0 : wholeGradient / (zeroStage >= 2 ? devices : 1);
  const optimizer = infer ? 0 : wholeOptimizer / (zeroStage >= 1 ? devices : 1);
  const communication = infer ? 0 : communicationOf(input, bytes);
  const states = infer ? 0 : wholeGradient + wholeOptimizer;
  return {
    parameters,
    activation,
    model,
    gradient,
    optimizer,
    communication,
    keyValueCache: cache,
    total: activation + model + gradient + optimizer + communication + cache + miscellaneousBytes,
    replica: wholeActivation + wholeModel + states + cache * devices + miscellaneousBytes * devices,
  };
}

function communicationOf({ zeroStage, devices, allGatherBucket, maxLiveParameters }: EleutherInput, bytes: number) {
  if (devices <= 1 || zeroStage === 0) return 0;
  return (allGatherBucket + (zeroStage === 3 ? maxLiveParameters : 0)) * bytes;
}

function activationOf(input: EleutherInput): number {
  const { sequence, batch, hidden, layers, heads, lowBytes, infer, checkpointActivations } = input;
  const rows = sequence * batch * hidden;
  const linear = 16 * lowBytes + 2;
  if (infer) return rows * linear;
  const attention = (2 * lowBytes + 1) * ((heads * sequence) / hidden);
  return rows * layers * (checkpointActivations ? linear : linear + attention);
}
