/** Bytes of optimizer states and of weights stored in few bits: what the terms and the step count alike. */
import { type RankTensor } from '../rank.js';
import { type PlanSettings, stateBytes, type WeightFormat } from '../settings.js';

export interface OptimizerState {
  readonly name: string;
  /** `sums`: rows plus columns of the matrix. */
  readonly bytes: (elements: number, sums: number) => number;
  /** Block constants of a state in 8 bits. */
  readonly constants: (elements: number) => number;
}

/** Elements of a block of bitsandbytes' 8-bit optimizers; each block has one fp32 constant. */
export const ADAM8_BLOCK = 256;
/** Elements of a block of NF4, each with a constant of 8 bits, and of a block of those constants, with one of 32. */
export const NF4_BLOCK = 64;
export const NF4_OUTER = 256;
/** Elements of a group of GPTQ and AWQ, each with an fp16 scale and a 4-bit zero. */
export const INT4_GROUP = 128;

const NONE = () => 0;

/** The states of an optimizer. */
export function optimizerStates(settings: Pick<PlanSettings, 'optimizer' | 'precision'>): readonly OptimizerState[] {
  const width = stateBytes(settings);
  const plain = (name: string): OptimizerState => ({ name, bytes: (elements) => width * elements, constants: NONE });
  const eight = (name: string): OptimizerState => ({
    name,
    bytes: (elements) => elements,
    constants: (elements) => 4 * Math.ceil(elements / ADAM8_BLOCK),
  });
  switch (settings.optimizer) {
    case 'adam':
    case 'adamw':
      return [plain('exp_avg'), plain('exp_avg_sq')];
    case 'adam8bit':
      return [eight('exp_avg'), eight('exp_avg_sq')];
    case 'sgd':
      return [];
    case 'sgd-momentum':
      return [plain('momentum')];
    case 'adafactor':
      return [{ name: 'row and column sums', bytes: (_, sums) => width * sums, constants: NONE }];
  }
}

/** Bytes of a matrix stored in few bits, and of the constants beside it. */
export function quantizedBytes(
  format: Exclude<WeightFormat, 'native'>,
  { elements, module }: Pick<RankTensor, 'elements' | 'module'>,
): { readonly stored: number; readonly constants: number } {
  switch (format) {
    case 'int8':
      return { stored: elements, constants: 4 * (elements / module.columns) };
    case 'int4': {
      const groups = Math.ceil(elements / INT4_GROUP);
      return { stored: Math.ceil(elements / 2), constants: Math.ceil(2.5 * groups) };
    }
    case 'nf4': {
      const blocks = Math.ceil(elements / NF4_BLOCK);
      return { stored: Math.ceil(elements / 2), constants: blocks + 4 * Math.ceil(blocks / NF4_OUTER) };
    }
  }
}
