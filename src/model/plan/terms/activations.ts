/**
 * What a forward pass keeps for the backward pass, tensor by tensor. With dropout, GELU and all heads it is the count of
 * Korthikanti et al. (arXiv:2205.05198, section 4): s b h (34 + 5 a s / h) in 16 bits; the inventory here also knows gates,
 * grouped-query heads, fused attention and models without dropout. An activation function keeps its input and its output.
 */
import { say } from '../../../base/said.js';
import { type StepShape, shapeValues } from '../shape.js';
import { type Term, term } from '../term.js';

const SOURCE = say`inventory of tensors kept, after Korthikanti et al. (arXiv:2205.05198, section 4)`;
const SMALLER_STEP = say`a smaller --batch or --seq`;

/** `2*h/u`, without a division by 1. */
const over = (product: string, divisor: string, by: number): string => (by === 1 ? product : `${product}/${divisor}`);

/** Bytes a token of the tensors around the scores; empty where they are not kept. */
function coreFormula({ architecture, settings, width }: StepShape): string {
  const { tensorParallel: t } = settings;
  if (settings.flash) return over('4*a', 't', t);
  return over(`${architecture.dropout ? 2 * width + 1 : width}*a*s`, 't', t);
}

/** Bytes a token that an attention block keeps. */
export function attentionFormula(shape: StepShape, withCore: boolean): string {
  const { architecture, settings, width, attentionAdapters } = shape;
  const { tensorParallel: t, sequenceParallel } = settings;
  const u = sequenceParallel ? t : 1;
  return [
    over(`${2 * width}*h`, 'u', u),
    over(`${2 * width}*a*d`, 't', t),
    `${2 * width}*k*d`,
    ...(withCore ? [coreFormula(shape)] : []),
    ...(architecture.dropout ? [over('h', 'u', u)] : []),
    ...(attentionAdapters > 0 ? ['Ra/(s*b)'] : []),
  ].join(' + ');
}

/** Bytes a token that a feed-forward block keeps. */
export function feedForwardFormula(shape: StepShape): string {
  const { architecture, settings, width, feedForwardAdapters } = shape;
  const { tensorParallel: t, sequenceParallel } = settings;
  const u = sequenceParallel ? t : 1;
  return [
    over(`${2 * width}*h`, 'u', u),
    over(`${(architecture.gated ? 4 : 2) * width}*f`, 't', t),
    ...(architecture.dropout ? [over('h', 'u', u)] : []),
    ...(feedForwardAdapters > 0 ? ['Rf/(s*b)'] : []),
  ].join(' + ');
}

/** Bytes a token of one layer, with or without what selective recomputation makes again. */
export function layerFormula(shape: StepShape, withCore: boolean, isDecoderOfTwo = false): string {
  const attention = attentionFormula(shape, withCore);
  return [attention, ...(isDecoderOfTwo ? [attention] : []), feedForwardFormula(shape)].join(' + ');
}

/** Selective recomputation drops the score matrices; fused attention never has them. */
export const dropsCore = ({ settings }: StepShape): boolean => settings.recompute === 'selective' && !settings.flash;

/** Layers on this device: of a decoder or encoder, and decoder layers beside an encoder. */
export function layerCounts({ architecture, rank }: StepShape): { readonly L: number; readonly Ld: number } {
  const all = rank.groups.filter(({ part }) => part === 'layer').length;
  const Ld = architecture.decoderLayers;
  return { L: all - Ld, Ld };
}

/** Bytes a token, beside the layers: token numbers and labels, embedding dropout, inputs of final norm and output. */
function endsFormula({ architecture, rank, width, settings }: StepShape): string[] {
  const { dropout, finalNorm, kind } = architecture;
  const two = kind === 'encoder-decoder';
  const u = settings.sequenceParallel ? settings.tensorParallel : 1;
  const first = two ? ['16'] : ['8'];
  if (dropout) first.push(over(two ? '2*h' : 'h', 'u', u));
  const last = ['8', over(`${(finalNorm ? 2 : 1) * (two ? 2 : 1) * width}*h`, 'u', u)];
  return [...(rank.isFirst ? first : []), ...(rank.isLast ? last : [])];
}

/** The term of activations in training. */
export function activationsTerm(shape: StepShape): Term {
  const { settings, rank, width, architecture } = shape;
  const { recompute, flash, tensorParallel: t, sequenceParallel } = settings;
  const u = sequenceParallel ? t : 1;
  const { L, Ld } = layerCounts(shape);
  const kept = (decoder: boolean) =>
    recompute === 'full' ? over(`${width}*h`, 'u', u) : `(${layerFormula(shape, !dropsCore(shape), decoder)})`;
  const parts = [`L * ${kept(false)}`, ...(Ld > 0 ? [`Ld * ${kept(true)}`] : []), ...endsFormula(shape)];
  const inFlight = rank.inFlight > 1 ? 'c * ' : '';
  return term({
    id: 'activations',
    formula: `${inFlight}s*b * (${parts.join(' + ')})${rank.isLast ? ' + 4' : ''}`,
    values: { ...shapeValues(shape), L, Ld },
    source: SOURCE,
    grows: { batch: true, sequence: keepsScores(shape) ? 'quadratic' : 'linear' },
    shrinks: [
      ...(recompute === 'none' && !flash ? ['--recompute selective', '--flash'] : []),
      ...(recompute === 'full' ? [] : ['--recompute full']),
      ...(t === 1 ? ['--tp'] : []),
      ...(t > 1 && !sequenceParallel && architecture.kind !== 'encoder-decoder' ? ['--sequence-parallel'] : []),
      SMALLER_STEP,
    ],
  });
}

const keepsScores = ({ settings }: StepShape): boolean => settings.recompute === 'none' && !settings.flash;

/** What is made again in the backward pass, of the one layer that is at work. */
export function recomputeTerm(shape: StepShape): Term | undefined {
  const { settings, width } = shape;
  const { L, Ld } = layerCounts(shape);
  const { tensorParallel: t, sequenceParallel, recompute } = settings;
  if (recompute === 'none' || (recompute === 'selective' && !dropsCore(shape))) return undefined;
  // The input of the layer is kept already.
  const input = over(`${width}*h`, 'u', sequenceParallel ? t : 1);
  const formula =
    recompute === 'selective'
      ? `s*b * ${coreFormula(shape)}`
      : `s*b * (${layerFormula(shape, true, Ld > 0)} - ${input})`;
  return term({
    id: 'recompute',
    formula,
    values: { ...shapeValues(shape), L, Ld },
    source: say`one layer at a time is run again (Chen et al., arXiv:1604.06174; arXiv:2205.05198, section 5)`,
    grows: { batch: true, sequence: settings.flash ? 'linear' : 'quadratic' },
    shrinks: [...(settings.flash ? [] : ['--flash']), SMALLER_STEP],
  });
}

/** Inference keeps the state between two layers and the token numbers. */
export const inferenceActivationsTerm = (shape: StepShape): Term =>
  term({
    id: 'activations',
    formula: `2 * H + ${shape.rank.isFirst ? '8*s*b' : '0'}`,
    values: shapeValues(shape),
    source: say`input and output of the layer that runs; nothing is kept for a backward pass`,
    grows: { batch: true, sequence: 'linear' },
    shrinks: [SMALLER_STEP],
  });

/** Logits, their fp32 copy and their fp32 gradient are alive together; an fp32 model needs no copy. */
export function logitsTerm(shape: StepShape): Term {
  const { settings, width, architecture } = shape;
  const values = shapeValues(shape);
  const grows = { batch: true, sequence: 'linear' } as const;
  const shared = {
    id: 'logits',
    values,
    grows,
    shrinks: ['--tp', say`a loss in chunks`, SMALLER_STEP],
  } as const;
  if (!shape.rank.isLast) {
    const reason = say`the output layer is on the last pipeline stage`;
    return term({
      ...shared,
      formula: '0',
      grows: { batch: false, sequence: 'no' },
      shrinks: [],
      reason,
      source: say`pipeline stages`,
    });
  }
  if (settings.mode === 'inference') {
    const formula = architecture.kind === 'encoder' ? '0' : width === 2 ? '6 * b*V' : '4 * b*V';
    return term({
      id: 'logits',
      formula,
      values,
      source: say`logits of the last token and their fp32 copy`,
      grows: { batch: true, sequence: 'no' },
    });
  }
  return width === 2
    ? term({
        ...shared,
        formula: '(2 + 4 + 4) * s*b*V',
        source: say`16-bit logits, their fp32 copy, its gradient (cross entropy in fp32)`,
      })
    : term({ ...shared, formula: '(4 + 4) * s*b*V', source: say`fp32 logits and their gradient` });
}
