/**
 * The weights of an architecture, module by module: what a device holds of each under tensor parallelism, what a layer
 * gathers under ZeRO-3, what the largest module is. Every count of parameters is a sum over this list.
 */
import { type Architecture } from './architecture.js';

export interface Module {
  readonly name: string;
  /** Output features: rows of the matrix. A norm has one column. */
  readonly rows: number;
  readonly columns: number;
  /** Elements of the bias: 0 or `rows`. */
  readonly bias: number;
  /**
   * What tensor parallelism cuts: the rows (with the bias), the columns (each device has the whole bias), or nothing.
   * `vocabulary` rows are padded up to a multiple.
   */
  readonly split: 'rows' | 'columns' | 'vocabulary' | 'key-value' | 'none';
}

export interface WeightGroup {
  readonly name: string;
  readonly part: 'embedding' | 'layer' | 'head';
  readonly modules: readonly Module[];
}

export const moduleElements = ({ rows, columns, bias }: Module): number => rows * columns + bias;

/** Elements of a module that one of `degree` tensor-parallel devices holds: those of the matrix, and those of the bias. */
export function shareOf(
  module: Module,
  degree: number,
  kvHeads: number,
): { readonly matrix: number; readonly bias: number } {
  const { rows, columns, bias, split } = module;
  switch (split) {
    case 'rows':
    case 'vocabulary':
      return { matrix: Math.ceil(rows / degree) * columns, bias: Math.ceil(bias / degree) };
    case 'key-value': {
      // Fewer heads than devices: each device keeps a whole head.
      const parts = Math.min(degree, kvHeads);
      return { matrix: (rows / parts) * columns, bias: bias / parts };
    }
    case 'columns':
      return { matrix: rows * Math.ceil(columns / degree), bias };
    case 'none':
      return { matrix: rows * columns, bias };
  }
}

/** All weights in the order in which a forward pass meets them. */
export function weightGroups(architecture: Architecture): WeightGroup[] {
  const encoder = Array.from({ length: architecture.layers }, (_, l) => layerGroup(architecture, l, 'layers'));
  if (architecture.kind !== 'encoder-decoder') {
    return [embeddingGroup(architecture), ...encoder, headGroup(architecture)];
  }
  const decoder = Array.from({ length: architecture.decoderLayers }, (_, l) => layerGroup(architecture, l, 'decoder'));
  return [embeddingGroup(architecture), ...encoder, ...decoder, headGroup(architecture)];
}

/** Parameters in all, a shared embedding counted once. */
export const parameterCount = (architecture: Architecture): number =>
  weightGroups(architecture).reduce((sum, group) => sum + groupElements(group), 0);

export const groupElements = ({ modules }: WeightGroup): number =>
  modules.reduce((sum, module) => sum + moduleElements(module), 0);

/** Parameters of the module that has most: what ZeRO-3 estimators call the largest layer. */
export const largestModule = (architecture: Architecture): number =>
  Math.max(...weightGroups(architecture).flatMap(({ modules }) => modules.map(moduleElements)));

function linear(name: string, rows: number, columns: number, bias: boolean, split: Module['split']): Module {
  return { name, rows, columns, bias: bias ? rows : 0, split };
}

const norm = (name: string, { norm: kind }: Architecture, size: number): Module =>
  linear(name, size, 1, kind === 'layer', 'none');

function embeddingGroup(architecture: Architecture): WeightGroup {
  const { vocabulary, hidden, embeddingSize, positions, tokenTypes, embeddingNorm } = architecture;
  const modules = [linear('tokens', vocabulary, embeddingSize, false, 'vocabulary')];
  if (positions > 0) modules.push(linear('positions', positions, hidden, false, 'none'));
  if (tokenTypes > 0) modules.push(linear('token types', tokenTypes, hidden, false, 'none'));
  if (embeddingNorm) modules.push(norm('embedding norm', architecture, hidden));
  if (embeddingSize !== hidden) modules.push(linear('projection in', hidden, embeddingSize, false, 'none'));
  return { name: 'embedding', part: 'embedding', modules };
}

function headGroup(architecture: Architecture): WeightGroup {
  const { vocabulary, hidden, embeddingSize, finalNorm, tied, pooler, kind } = architecture;
  const modules: Module[] = [];
  if (finalNorm) modules.push(norm('final norm', architecture, hidden));
  if (finalNorm && kind === 'encoder-decoder') modules.push(norm('encoder final norm', architecture, hidden));
  if (embeddingSize !== hidden) modules.push(linear('projection out', embeddingSize, hidden, false, 'none'));
  if (!tied) modules.push(linear('output', vocabulary, embeddingSize, false, 'vocabulary'));
  if (pooler) modules.push(linear('pooler', hidden, hidden, true, 'none'));
  return { name: 'head', part: 'head', modules };
}

function layerGroup(architecture: Architecture, l: number, stack: 'layers' | 'decoder'): WeightGroup {
  const { hidden, feedForward, gated, feedForwardBias, relativeBuckets, heads } = architecture;
  const modules = attentionModules(architecture, 'attention');
  if (l === 0 && relativeBuckets > 0)
    modules.push(linear('relative positions', relativeBuckets, heads, false, 'columns'));
  if (stack === 'decoder') modules.push(...attentionModules(architecture, 'cross attention'));
  modules.push(norm('feed-forward norm', architecture, hidden));
  if (gated) modules.push(linear('gate', feedForward, hidden, feedForwardBias, 'rows'));
  modules.push(linear('up', feedForward, hidden, feedForwardBias, 'rows'));
  modules.push(linear('down', hidden, feedForward, feedForwardBias, 'columns'));
  return { name: `${stack}.${l}`, part: 'layer', modules };
}

function attentionModules(architecture: Architecture, name: string): Module[] {
  const { hidden, heads, kvHeads, headSize, qkvBias, outputBias, headNorms } = architecture;
  const modules = [
    norm(`${name} norm`, architecture, hidden),
    linear(`${name} q`, heads * headSize, hidden, qkvBias, 'rows'),
    linear(`${name} k`, kvHeads * headSize, hidden, qkvBias, 'key-value'),
    linear(`${name} v`, kvHeads * headSize, hidden, qkvBias, 'key-value'),
    linear(`${name} o`, hidden, heads * headSize, outputBias, 'columns'),
  ];
  if (headNorms)
    modules.push(norm(`${name} q norm`, architecture, headSize), norm(`${name} k norm`, architecture, headSize));
  return modules;
}
