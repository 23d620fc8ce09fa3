/**
 * Temporaries come and go. Their term is the moment at which most are alive together: each moment is a sum of tensors,
 * written down from the order of operations in `../step`, and the largest counts. Symbols: `shape.ts`.
 */
import { say } from '../../../base/said.js';
import { evaluate, type Values } from '../formula.js';
import { adapterTensors, type RankGroup, type RankTensor } from '../rank.js';
import { gradientBytesOf, type PlanSettings, stateBytes, weightBytes } from '../settings.js';
import { type StepShape, shapeValues } from '../shape.js';
import { dropsCore, layerCounts } from './activations.js';

export interface Moment {
  readonly when: string;
  readonly formula: string;
}

/** The one moment that depends on no batch. */
export const OPTIMIZER_STEP = say`optimizer step`;

/** The moment that takes most bytes. */
export function largestMoment(moments: readonly Moment[], values: Values): Moment {
  let largest: Moment = { when: say`never`, formula: '0' };
  let most = 0;
  for (const moment of moments) {
    const bytes = evaluate(moment.formula, values);
    if (bytes <= most) continue;
    most = bytes;
    largest = moment;
  }
  return largest;
}

/** Weight gradients are tensors of their own for a moment: they go into shards, a bucket, or onto what is there. */
export function gradientsPass(settings: PlanSettings): boolean {
  const { zero, accumulate, mode } = settings;
  return (
    mode === 'train' &&
    (zero >= 2 || accumulate > 1 || gradientBytesOf(settings) !== weightBytes(settings) || offloadsGradients(settings))
  );
}

/** Gradients leave the device as they are made. */
export const offloadsGradients = ({ offload }: PlanSettings): boolean => offload !== 'none';

/** Bytes of the largest gradient of the modules with such names (of all, for none). */
function largestGradient(groups: readonly RankGroup[], settings: PlanSettings, names: readonly string[]): number {
  const isNamed = ({ module }: RankTensor) => names.length === 0 || names.some((name) => module.name.endsWith(name));
  const tensors = groups.flatMap((group) => group.tensors.filter(isNamed));
  // With adapters the weights themselves have no gradients.
  if (settings.mode === 'train') {
    return weightBytes(settings) * Math.max(0, ...tensors.map(({ elements }) => elements));
  }
  return gradientBytesOf(settings) * Math.max(0, ...tensors.flatMap((tensor) => adapterTensors(tensor, settings)));
}

/** Bytes of the gradients that pass, by symbol; 0 where gradients stay where they are made. */
export function gradientValues({ rank, settings, architecture }: StepShape): Values {
  const groupsOf = (part: RankGroup['part']) => rank.groups.filter((group) => group.part === part);
  const trains = settings.mode === 'train';
  const passes = trains ? gradientsPass(settings) : settings.accumulate > 1;
  const largest = (part: RankGroup['part'], ...names: string[]) =>
    passes ? largestGradient(groupsOf(part), settings, names) : 0;
  const tokens = trains ? largestGradient(groupsOf('embedding'), settings, ['tokens']) : 0;
  const tiedHere = architecture.tied && settings.pipelineParallel === 1;
  const two = architecture.kind === 'encoder-decoder';
  return {
    Wo: largest('layer', 'attention o'),
    Wq: largest('layer', 'attention q'),
    Wk: largest('layer', 'attention k'),
    Wv: largest('layer', 'attention v'),
    Wu: largest('layer', 'up'),
    Wg: largest('layer', 'gate'),
    Wd: largest('layer', 'down'),
    Wx: largest('layer', 'norm', 'positions', 'weights'),
    Wh: Math.max(largest('head'), passes && tiedHere && rank.isLast ? tokens : 0),
    // A shared embedding gets a second gradient, that of the lookup; the first stays or passes at the output layer.
    We: passes || tiedHere || two ? tokens : 0,
  };
}

/** Moments of a training step. */
export function trainingMoments(shape: StepShape): Moment[] {
  const { rank, architecture, settings } = shape;
  const { dropout, kind } = architecture;
  const forward = settings.recompute === 'full' ? forgetfulForward(shape, '', 0) : keptForward(shape, '');
  // While a decoder's layers go backward, the gradient of the encoder's output is being summed up.
  const held = kind === 'encoder-decoder' ? 'H + ' : '';
  // Of two lookups in one table the first makes the gradient and the second adds to it, when the decoder is done.
  const lastEmbedding = architecture.tied || gradientsPass(settings) ? held : '';
  const again = settings.recompute === 'full' ? keptForward(shape, `${held}H + `) : [];
  return [
    { when: say`embedding`, formula: shape.gathers ? '0' : 'H' },
    ...forward,
    ...again.map(({ when, formula }) => ({ when: say`${when}, again`, formula })),
    ...(rank.isLast ? lossMoments(shape) : []),
    ...feedForwardBackward(shape, held),
    ...attentionBackward(shape, held),
    { when: say`backward of a norm`, formula: `${held}3*H` },
    { when: say`last gradients of a layer`, formula: `${held}H + Wx` },
    { when: say`backward of the embedding`, formula: rank.isFirst ? `${lastEmbedding}H + We` : '0' },
    ...(dropout ? [{ when: say`dropout`, formula: '2*H' }] : []),
    ...stepMoments(settings),
  ];
}

/** Symbols of the moments of a training step. */
export const momentValues = (shape: StepShape, stepped: number): Values => ({
  ...shapeValues(shape),
  ...gradientValues(shape),
  ...layerCounts(shape),
  U: stepped,
});

/** Moments of a forward pass without a backward one: the layer's input stays too. */
export const inferenceMoments = (shape: StepShape): Moment[] => [
  { when: say`embedding`, formula: shape.gathers ? '0' : 'H' },
  ...forgetfulForward(shape, '', 1),
  { when: say`final norm`, formula: shape.rank.isLast ? 'H' : '0' },
];

/** A layer that keeps what its backward pass needs; only what it does not keep is temporary. */
function keptForward(shape: StepShape, held: string): Moment[] {
  const { settings, architecture } = shape;
  const raw = !dropsCore(shape) ? 'S' : architecture.dropout ? '2*S + Sm' : '2*S';
  return [
    ...(settings.flash ? [] : [{ when: say`attention scores`, formula: `${held}${raw}` }]),
    { when: say`end of a block`, formula: architecture.dropout || held !== '' ? `${held}2*H` : 'H' },
    ...(settings.stage === settings.pipelineParallel - 1 ? [] : [{ when: say`end of a stage`, formula: `${held}2*H` }]),
  ];
}

/** A layer that keeps nothing: every tensor goes as soon as nobody needs it. */
function forgetfulForward({ architecture, settings }: StepShape, held: string, outputs: number): Moment[] {
  const { dropout, gated, kind } = architecture;
  const scores = dropout ? `2*S + Sm` : '2*S';
  // The first block starts from the layer's input, later ones from the block before.
  const inner = kind === 'encoder-decoder' ? `${held}H + ` : held;
  return [
    { when: say`queries, keys and values`, formula: `${inner}H + Ra + Q + 2*K` },
    settings.flash
      ? { when: say`fused attention`, formula: `${inner}2*Q + 2*K + St` }
      : { when: say`attention scores`, formula: `${inner}Q + 2*K + max(${scores}, S + Q)` },
    { when: say`attention output`, formula: `${inner}Q + H` },
    { when: say`end of an attention block`, formula: dropout ? `${inner}2*H + M` : `${inner}2*H` },
    { when: say`feed-forward up`, formula: `${held}2*H + Rf + ${gated ? 2 : 1}*F` },
    { when: say`activation function`, formula: `${held}H + ${gated ? 3 : 2}*F` },
    { when: say`feed-forward down`, formula: `${held}2*H + F` },
    { when: say`end of a feed-forward block`, formula: dropout ? `${held}3*H + M` : `${held}2*H` },
    ...(outputs === 0 && settings.stage < settings.pipelineParallel - 1
      ? [{ when: say`end of a stage`, formula: `${held}3*H` }]
      : []),
  ];
}

function lossMoments({ architecture, gathers }: StepShape): Moment[] {
  return [
    { when: say`gradient of the output layer`, formula: gathers ? 'Wh' : 'H + Wh' },
    { when: say`backward of the final norm`, formula: architecture.finalNorm ? '2*H' : 'H' },
  ];
}

function feedForwardBackward({ architecture, gathers }: StepShape, held: string): Moment[] {
  const own = gathers ? '' : 'H + ';
  const grad = architecture.dropout ? '2*H' : 'H';
  const matrices = architecture.gated ? 2 : 1;
  return [
    { when: say`backward of feed-forward down`, formula: `${held}${grad} + F + Wd` },
    { when: say`backward of the activation function`, formula: `${held}H + ${matrices + 1}*F` },
    { when: say`backward of feed-forward up`, formula: `${held}H + ${matrices}*F + ${own}Wu` },
    ...(architecture.gated ? [{ when: say`backward of the gate`, formula: `${held}H + F + ${own}${own}Wg` }] : []),
  ];
}

function attentionBackward(shape: StepShape, held: string): Moment[] {
  const { architecture, settings, gathers } = shape;
  const own = gathers ? '' : 'H + ';
  const grad = architecture.dropout ? '2*H' : 'H';
  const core: Moment[] = settings.flash
    ? [{ when: say`backward of fused attention`, formula: `${held}H + 2*Q + 2*K` }]
    : [
        ...(dropsCore(shape) ? [{ when: say`scores, again`, formula: `${held}H + Q + S` }] : []),
        { when: say`backward of attention over values`, formula: `${held}H + Q + S + K` },
        { when: say`backward of the softmax`, formula: `${held}H + K + 2*S` },
        { when: say`backward of the scores`, formula: `${held}H + 2*K + S + Q` },
      ];
  return [
    { when: say`backward of the attention output`, formula: `${held}${grad} + Q + Wo` },
    ...core,
    { when: say`backward of values`, formula: `${held}H + Q + 2*K + ${own}Wv` },
    { when: say`backward of keys`, formula: `${held}H + Q + K + ${own}${own}Wk` },
    { when: say`backward of queries`, formula: `${held}H + Q + ${own}${own}Wq` },
  ];
}

/** DeepSpeed's default sub-group: parameters that ZeRO-3 steps at once. */
const SUB_GROUP = 1e9;

/** Moments of the optimizer's step, where it runs on the device. */
export function stepMoments(settings: PlanSettings): Moment[] {
  if (settings.offload !== 'none' || settings.mode === 'inference') return [];
  const casts = settings.masterWeights && gradientBytesOf(settings) < 4;
  const parts = [
    ...(casts ? [settings.zero === 3 ? `4 * min(U, ${SUB_GROUP})` : '4 * U'] : []),
    ...(settings.optimizerStep === 'foreach' ? [`${stateBytes(settings)} * U`] : []),
  ];
  return parts.length === 0 ? [] : [{ when: OPTIMIZER_STEP, formula: parts.join(' + ') }];
}
