/**
 * Model states a device holds under ZeRO, as the paper counts them (arXiv:1910.02054, section 3 and Table 1): fp16
 * parameters and gradients, 2 bytes each, and K bytes of optimizer states a parameter; 12 for Adam with fp32 parameters,
 * momentum and variance.
 */
import { evaluate } from '../formula.js';

/** What is divided among the devices: nothing, optimizer states, gradients too, parameters too. */
export type ZeroStage = 0 | 1 | 2 | 3;

export const ZERO_FORMULAS: Readonly<Record<ZeroStage, string>> = {
  0: '(2 + 2 + K) * P',
  1: '2 * P + 2 * P + K * P / N',
  2: '2 * P + (2 + K) * P / N',
  3: '(2 + 2 + K) * P / N',
};

/** Bytes of model states on one of `devices`. */
export const zeroModelStates = (parameters: number, stage: ZeroStage, devices: number, optimizerBytes = 12): number =>
  evaluate(ZERO_FORMULAS[stage], { P: parameters, N: devices, K: optimizerBytes });
