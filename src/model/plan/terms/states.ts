/**
 * Model states: parameters, gradients, optimizer states, fp32 copies. Bytes a parameter as in arXiv:1910.02054, section 3;
 * what ZeRO divides as in its Table 1.
 */
import { say } from '../../../base/said.js';
import { type Values } from '../formula.js';
import { type PlannedModel } from '../model.js';
import { adapterElements, adapterTensors, isQuantized, type Rank } from '../rank.js';
import { gradientBytesOf, type OptimizerName, type PlanSettings, stateBytes, weightBytes } from '../settings.js';
import { type Term, term, unknownTerm } from '../term.js';
import { offloadsGradients } from './moments.js';
import { optimizerStates, quantizedBytes } from './state-sizes.js';

const ZERO = say`ZeRO (arXiv:1910.02054, section 3 and Table 1)`;

/** What the terms of states are computed from. `rank` is undefined where only a count is known. */
export interface StatesInput {
  readonly model: PlannedModel;
  readonly settings: PlanSettings;
  readonly rank: Rank | undefined;
}

/** Symbol of the parameters on this device, and the values that formulas over states use. */
function counted({ model, settings, rank }: StatesInput): { readonly symbol: string; readonly values: Values } {
  const { dataParallel: N, tensorParallel: t, pipelineParallel: p } = settings;
  const values = { P: model.parameters, N, t, p };
  if (rank !== undefined) {
    const Pd = rank.elements;
    return { symbol: Pd === model.parameters ? 'P' : 'Pd', values: { ...values, Pd } };
  }
  if (t * p === 1) return { symbol: 'P', values };
  return { symbol: 'ceil(P / (t * p))', values };
}

/** This device's share of what a stage divides: all of it, or one of N parts. */
const shared = (symbol: string, divides: boolean, { dataParallel }: PlanSettings): string =>
  divides && dataParallel > 1 ? `ceil(${symbol} / N)` : symbol;

const shrinkers = ({ zero, tensorParallel, mode }: PlanSettings, from: 1 | 2 | 3): string[] => [
  ...(mode === 'train' && zero < from ? [say`--zero ${from} with --dp`] : []),
  ...(mode === 'train' && zero >= from ? [say`a larger --dp`] : []),
  ...(tensorParallel === 1 ? ['--tp, --pp'] : [say`a larger --tp or --pp`]),
];

/** The terms of model states, in the order of tables. */
export function stateTerms(input: StatesInput): Term[] {
  const { settings } = input;
  const frozen = settings.mode !== 'train';
  return [
    frozen ? frozenParameters(input) : trainedParameters(input),
    ...quantizationTerm(input),
    ...(settings.mode === 'inference' ? [] : [gradientsTerm(input), optimizerTerm(input), ...masterTerm(input)]),
  ];
}

function trainedParameters(input: StatesInput): Term {
  const { settings } = input;
  const { symbol, values } = counted(input);
  const width = weightBytes(settings);
  const onCpu = settings.offload === 'all';
  return term({
    id: 'parameters',
    formula: onCpu ? '0' : `${width} * ${shared(symbol, settings.zero === 3, settings)}`,
    values,
    source: say`${width} bytes a parameter; ${ZERO}`,
    shrinks: onCpu ? [] : shrinkers(settings, 3),
    reason: onCpu ? say`kept on the CPU` : undefined,
  });
}

/** Frozen weights: in 16 or 32 bits, or matrices of the layers in few bits; with LoRA the adapters beside them. */
function frozenParameters(input: StatesInput): Term {
  const { settings, rank } = input;
  const { symbol, values } = counted(input);
  const width = weightBytes(settings);
  const { mode, weights } = settings;
  const shrinks = [...(weights === 'native' ? [say`--weights int8 or nf4`] : []), ...shrinkers(settings, 3)];
  const shape = { id: 'parameters', shrinks } as const;
  const bits = weights === 'int8' ? '1' : '0.5';
  if (rank === undefined) {
    const source = weights === 'native' ? say`${width} bytes a parameter` : say`${bits} bytes a parameter (${weights})`;
    const formula = `${weights === 'native' ? width : bits} * ${symbol}`;
    const adapters = mode === 'lora' ? say`without the adapters: give --arch or --config` : undefined;
    return term({ ...shape, formula, values, source, reason: adapters });
  }
  const adapters = mode === 'lora' ? ` + ${width} * A` : '';
  const A = mode === 'lora' ? adapterElements(rank, settings) : 0;
  if (weights === 'native') {
    return term({
      ...shape,
      formula: `${width} * ${symbol}${adapters}`,
      values: { ...values, A },
      source: withAdapters(settings, say`${width} bytes a parameter`),
    });
  }
  const Pq = quantizedSums(rank, settings).elements;
  return term({
    ...shape,
    formula: `${bits} * Pq + ${width} * (${symbol} - Pq)${adapters}`,
    values: { ...values, A, Pq },
    source: withAdapters(
      settings,
      say`${weights}: matrices of the layers in ${weights === 'int8' ? 8 : 4} bits, embeddings, norms and output as they were`,
    ),
  });
}

const withAdapters = ({ mode }: PlanSettings, weights: string): string =>
  mode === 'lora' ? say`${weights}; adapters r x in and out x r (arXiv:2106.09685)` : weights;

function quantizedSums(rank: Rank, { weights }: PlanSettings) {
  let elements = 0;
  let constants = 0;
  if (weights === 'native') return { elements, constants };
  for (const { part, tensors } of rank.groups) {
    for (const tensor of tensors) {
      if (!isQuantized(tensor, part)) continue;
      elements += tensor.elements;
      constants += quantizedBytes(weights, tensor).constants;
    }
  }
  return { elements, constants };
}

/** Constants beside what is stored in few bits: weights, and the states of 8-bit Adam. */
function quantizationTerm(input: StatesInput): Term[] {
  const { settings, rank } = input;
  const { weights, optimizer, mode } = settings;
  const eight = mode !== 'inference' && optimizer === 'adam8bit' && settings.offload === 'none';
  if (weights === 'native' && !eight) return [];
  const source = say`int8: fp32 a row (arXiv:2208.07339); nf4: 8 bits a 64, fp32 a 256 of those (arXiv:2305.14314); 8-bit Adam: fp32 a 256 (bitsandbytes)`;
  if (rank === undefined)
    return [
      unknownTerm(
        'quantization',
        say`constants of each block`,
        say`needs the weights: give --arch or --config`,
        source,
      ),
    ];
  const ofWeights = quantizedSums(rank, settings).constants;
  const ofStates = eight ? statesSums(rank, settings).constants : 0;
  const values = { Cw: ofWeights, Cs: ofStates };
  return [term({ id: 'quantization', formula: 'Cw + Cs', values, source })];
}

/** Bytes of optimizer states, tensor by tensor or for one flat shard, as the step makes them. */
function statesSums(rank: Rank, settings: PlanSettings) {
  const states = optimizerStates(settings);
  let bytes = 0;
  let constants = 0;
  let elements = 0;
  let sums = 0;
  const add = (count: number, sum: number) => {
    elements += count;
    sums += sum;
    if (settings.zero > 0) return;
    for (const state of states) {
      bytes += state.bytes(count, sum);
      constants += state.constants(count);
    }
  };
  for (const tensor of rank.groups.flatMap((group) => group.tensors)) {
    const { columns, rows } = tensor.module;
    if (settings.mode === 'lora') {
      adapterTensors(tensor, settings).forEach((count, i) =>
        add(count, settings.adapterRank + (i === 0 ? columns : rows)),
      );
    } else {
      const across = tensor.isBias ? 1 : columns;
      add(tensor.elements, across === 1 ? tensor.elements : tensor.elements / across + across);
    }
  }
  if (settings.zero > 0) {
    const count = Math.ceil(elements / settings.dataParallel);
    for (const state of states) {
      bytes += state.bytes(count, Math.ceil(sums / settings.dataParallel));
      constants += state.constants(count);
    }
  }
  return { bytes, constants, elements, sums };
}

function gradientsTerm(input: StatesInput): Term {
  const { settings, rank } = input;
  const { symbol, values } = counted(input);
  const width = gradientBytesOf(settings);
  if (settings.mode === 'lora') {
    if (rank === undefined) return needsWeights('gradients', `${width} * A`, say`the adapters`);
    const A = adapterElements(rank, settings);
    return term({
      id: 'gradients',
      formula: `${width} * A`,
      values: { A },
      source: say`gradients of the adapters alone (arXiv:2106.09685)`,
      shrinks: [say`a smaller --lora-rank`],
    });
  }
  const onCpu = offloadsGradients(settings);
  return term({
    id: 'gradients',
    formula: onCpu ? '0' : `${width} * ${shared(symbol, settings.zero >= 2, settings)}`,
    values,
    source: say`${width} bytes a parameter; ${ZERO}`,
    shrinks: onCpu ? [] : shrinkers(settings, 2),
    reason: onCpu ? say`kept on the CPU` : undefined,
  });
}

const needsWeights = (id: Term['id'], formula: string, what: string): Term =>
  unknownTerm(id, formula, say`needs the shapes of ${what}: give --arch or --config`, say`shapes of the weights`);

function optimizerTerm(input: StatesInput): Term {
  const { settings, rank } = input;
  const { optimizer, mode, zero } = settings;
  const { symbol, values } = counted(input);
  const id = 'optimizer';
  const shrinks = [
    ...shrinkers(settings, 1),
    ...(optimizer.startsWith('adam') && optimizer !== 'adam8bit' ? ['--optimizer adam8bit'] : []),
  ];
  if (settings.offload !== 'none') {
    return term({ id, formula: '0', values, source: ZERO, reason: say`kept on the CPU` });
  }
  const perParameter = optimizerStates(settings).reduce((sum, state) => sum + state.bytes(1, 0), 0);
  if (optimizer === 'adafactor') {
    const formula = `${stateBytes(settings)} * ${shared('Fd', zero >= 1, settings)}`;
    if (rank === undefined) return needsWeights(id, formula, say`the matrices`);
    const Fd = statesSums(rank, settings).sums;
    return term({
      id,
      formula,
      values: { ...values, Fd },
      source: say`Adafactor: a sum for each row and column (arXiv:1804.04235)`,
      shrinks,
    });
  }
  const source = optimizerSource(optimizer, perParameter);
  if (mode === 'lora') {
    if (rank === undefined) return needsWeights(id, `${perParameter} * A`, say`the adapters`);
    const A = adapterElements(rank, settings);
    return term({ id, formula: `${perParameter} * A`, values: { A }, source, shrinks: [say`a smaller --lora-rank`] });
  }
  return term({ id, formula: `${perParameter} * ${shared(symbol, zero >= 1, settings)}`, values, source, shrinks });
}

function optimizerSource(optimizer: Exclude<OptimizerName, 'adafactor'>, width: number): string {
  switch (optimizer) {
    case 'adam':
    case 'adamw':
      return say`${optimizer}: ${width} bytes a parameter (momentum and variance); ${ZERO}`;
    case 'adam8bit':
      return say`${optimizer}: ${width} bytes a parameter (momentum and variance in 8 bits, arXiv:2110.02861); ${ZERO}`;
    case 'sgd':
      return say`${optimizer}: ${width} bytes a parameter; ${ZERO}`;
    case 'sgd-momentum':
      return say`${optimizer}: ${width} bytes a parameter (momentum); ${ZERO}`;
  }
}

function masterTerm(input: StatesInput): Term[] {
  const { settings, rank } = input;
  if (!settings.masterWeights) return [];
  const { symbol, values } = counted(input);
  const id = 'master-weights';
  if (settings.mode === 'lora') {
    if (rank === undefined) return [needsWeights(id, '4 * A', say`the adapters`)];
    return [
      term({
        id,
        formula: '4 * A',
        values: { A: adapterElements(rank, settings) },
        source: say`fp32 copy of the adapters`,
      }),
    ];
  }
  const onCpu = settings.offload !== 'none';
  return [
    term({
      id,
      formula: onCpu ? '0' : `4 * ${shared(symbol, settings.zero >= 1, settings)}`,
      values,
      source: say`fp32 copy of 16-bit weights; ${ZERO}`,
      shrinks: onCpu ? [] : shrinkers(settings, 1),
      reason: onCpu ? say`kept on the CPU` : undefined,
    }),
  ];
}
