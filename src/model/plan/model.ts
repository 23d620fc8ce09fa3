/**
 * The model of a plan: a count of parameters, an architecture, or a count with a shape. Throws stay one line: what, where,
 * what to do.
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { formatNumber } from '../../base/format.js';
import { type Architecture, MOST_LAYERS, PLAIN } from './architecture/architecture.js';
import { parameterCount, type WeightGroup, weightGroups } from './architecture/weights.js';
import { type PlanSettings } from './settings.js';

/** Sizes that a person may give beside a count, or in place of those of an architecture. */
export interface ShapeInput {
  readonly layers?: number | undefined;
  readonly hidden?: number | undefined;
  readonly heads?: number | undefined;
  readonly kvHeads?: number | undefined;
  readonly headSize?: number | undefined;
  readonly feedForward?: number | undefined;
  readonly vocabulary?: number | undefined;
}

export interface PlannedModel {
  readonly name: string;
  readonly parameters: number;
  /** Undefined where only a count is known. */
  readonly architecture: Architecture | undefined;
  /** Its weights; undefined where only a count is known. */
  readonly groups: readonly WeightGroup[] | undefined;
}

const SHAPES: Readonly<Record<keyof ShapeInput, readonly [option: string, max: number]>> = {
  layers: ['--layers', MOST_LAYERS],
  hidden: ['--hidden', 1_000_000],
  heads: ['--heads', 100_000],
  kvHeads: ['--kv-heads', 100_000],
  headSize: ['--head-size', 100_000],
  feedForward: ['--ffn', 10_000_000],
  vocabulary: ['--vocab', 100_000_000],
};
const MOST_PARAMETERS = 1e15;

/**
 * A model of an architecture, with some of its sizes replaced. Throws `AppError` (`bad-input`) for a size out of range, and
 * for more parameters than are counted to the byte.
 */
export function modelOfArchitecture(architecture: Architecture, shape: ShapeInput = {}): PlannedModel {
  checkShape(shape);
  const changed = Object.values(shape).some((value) => value !== undefined);
  const own = changed ? withShape(architecture, shape) : architecture;
  const parameters = parameterCount(own);
  if (parameters > MOST_PARAMETERS) {
    throw badInput(own.name, say`${own.name}: its sizes make more than 1e15 parameters; give smaller ones`);
  }
  return {
    name: changed ? say`${own.name}, changed` : own.name,
    parameters,
    architecture: own,
    groups: weightGroups(own),
  };
}

/**
 * A model of which only the count is known; with layers, hidden size, heads and vocabulary its activations are those of a
 * GPT-like model of that shape, and its weights are spread evenly over the layers.
 */
export function modelOfCount(parameters: number, shape: ShapeInput = {}): PlannedModel {
  checkShape(shape);
  if (!(Number.isInteger(parameters) && parameters >= 1 && parameters <= MOST_PARAMETERS)) {
    throw badInput(
      '--params',
      say`--params: ${parameters} is not usable; give a whole number from 1 to 1e15, such as 7e9`,
    );
  }
  const name = say`${formatNumber(parameters)} parameters`;
  const { layers, hidden, heads, vocabulary } = shape;
  if (layers === undefined || hidden === undefined || heads === undefined || vocabulary === undefined) {
    return { name, parameters, architecture: undefined, groups: undefined };
  }
  const usual = { ...PLAIN, name, layers, hidden, heads, vocabulary, kvHeads: heads, embeddingSize: hidden };
  const architecture = withShape({ ...usual, headSize: hidden / heads, feedForward: 4 * hidden }, shape);
  return { name, parameters, architecture, groups: spread(parameters, layers, hidden, vocabulary) };
}

function withShape(base: Architecture, shape: ShapeInput): Architecture {
  const hidden = shape.hidden ?? base.hidden;
  const heads = shape.heads ?? base.heads;
  const scaled = shape.hidden !== undefined || shape.heads !== undefined;
  const headSize = shape.headSize ?? (scaled ? hidden / heads : base.headSize);
  if (!Number.isInteger(headSize)) {
    throw badInput(
      '--heads',
      say`--heads: ${heads} heads do not divide a hidden size of ${hidden}; give --head-size too`,
    );
  }
  const kvHeads = shape.kvHeads ?? (shape.heads === undefined ? base.kvHeads : heads);
  if (kvHeads > heads || heads % kvHeads !== 0) {
    throw badInput('--kv-heads', say`--kv-heads: ${kvHeads} does not divide ${heads} heads; give a divisor of --heads`);
  }
  const feedForward = shape.feedForward ?? (shape.hidden === undefined ? base.feedForward : 4 * hidden);
  return {
    ...base,
    layers: shape.layers ?? base.layers,
    decoderLayers: base.decoderLayers === 0 ? 0 : (shape.layers ?? base.decoderLayers),
    hidden,
    heads,
    kvHeads,
    headSize,
    feedForward,
    vocabulary: shape.vocabulary ?? base.vocabulary,
    embeddingSize: base.embeddingSize === base.hidden ? hidden : base.embeddingSize,
  };
}

/** A count as weights: the embedding, and the rest in equal parts on the layers; what is left over is with the head. */
function spread(parameters: number, layers: number, hidden: number, vocabulary: number): WeightGroup[] {
  const rest = parameters - vocabulary * hidden;
  if (rest < layers) {
    throw badInput(
      '--vocab',
      say`--vocab: an embedding of ${formatNumber(vocabulary)} x ${formatNumber(hidden)} alone has ${formatNumber(vocabulary * hidden)} parameters, more than --params leaves for the layers; give a smaller --vocab or --hidden`,
    );
  }
  const each = Math.floor(rest / layers);
  const plain = (name: string, rows: number, columns: number, split: 'vocabulary' | 'rows') =>
    ({ name, rows, columns, bias: 0, split }) as const;
  return [
    { name: 'embedding', part: 'embedding', modules: [plain('tokens', vocabulary, hidden, 'vocabulary')] },
    ...Array.from({ length: layers }, (_, l): WeightGroup => {
      return { name: `layers.${l}`, part: 'layer', modules: [plain('weights', each, 1, 'rows')] };
    }),
    { name: 'head', part: 'head', modules: [plain('other', rest - each * layers, 1, 'rows')] },
  ];
}

function checkShape(shape: ShapeInput): void {
  for (const [key, [option, max]] of Object.entries(SHAPES)) {
    const value = shape[key as keyof ShapeInput];
    if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= max)) continue;
    throw badInput(option, say`${option}: ${value} is not usable; give a whole number, 1 to ${formatNumber(max)}`);
  }
}

/** Throws `AppError` (`bad-input`) where the model cannot be run with the settings: degrees that do not divide, and so on. */
export function checkTogether(model: PlannedModel, settings: PlanSettings): void {
  const { architecture } = model;
  if (architecture === undefined) return;
  const { tensorParallel: t, pipelineParallel: p, sequence, sequenceParallel, mode } = settings;
  const { heads, kvHeads, feedForward, layers, kind, positions, name } = architecture;
  divides('--tp', t, heads, (count) => say`${count} heads`);
  divides('--tp', t, feedForward, (count) => say`${count} feed-forward rows`);
  if (kvHeads % t !== 0 && t % kvHeads !== 0) divides('--tp', t, kvHeads, (count) => say`${count} key-value heads`);
  divides('--pp', p, layers, (count) => say`${count} layers`);
  if (sequence !== undefined && sequenceParallel)
    divides('--sequence-parallel: --tp', t, sequence, (count) => say`${count} tokens of a sequence`);
  if (sequence !== undefined && positions > 0 && sequence > positions) {
    throw badInput(
      '--seq',
      say`--seq: ${name} has positions for ${positions} tokens, not for ${sequence}; give at most that`,
    );
  }
  if (kind !== 'encoder-decoder') return;
  if (p > 1) throw badInput('--pp', say`--pp: encoder-decoder models are planned on one stage; use --tp or --zero`);
  if (sequenceParallel) {
    throw badInput(
      '--sequence-parallel',
      say`--sequence-parallel: not planned for encoder-decoder models; leave it out`,
    );
  }
  if (mode === 'inference') {
    throw badInput('--mode', say`--mode inference: not planned for encoder-decoder models; use train or lora`);
  }
}

function divides(option: string, degree: number, count: number, inWords: (count: string) => string): void {
  if (count % degree === 0) return;
  throw badInput(
    option,
    say`${option}: ${degree} does not divide ${inWords(formatNumber(count))}; give a divisor of it`,
  );
}
