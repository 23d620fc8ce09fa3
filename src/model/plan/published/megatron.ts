/**
 * Megatron-LM's theoretical memory (megatron/training/theoretical_memory_usage.py): weights and optimizer at 18 bytes a
 * parameter, or 6 + 12 / dp with the distributed optimizer; activations with sequence parallelism and fused attention.
 */
import { evaluate } from '../formula.js';

export interface MegatronInput {
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly feedForward: number;
  readonly gated: boolean;
  readonly vocabulary: number;
  readonly tied: boolean;
  readonly sequence: number;
  readonly microBatch: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly dataParallel: number;
  readonly distributedOptimizer: boolean;
}

/** Bytes of weights, gradients and optimizer states on the most loaded device. */
export function megatronStates(input: MegatronInput): number {
  const { layers, tied, pipelineParallel: p, distributedOptimizer } = input;
  const values = { h: input.hidden, g: input.kvHeads, a: input.heads, f: input.feedForward, V: input.vocabulary };
  const layer = evaluate(`2 * h*h * (1 + g/a) + ${input.gated ? 3 : 2} * h*f + 4 * h`, values);
  const embedding = evaluate('V * h', values);
  const copies = tied || p > 1 ? 1 : 2;
  const held = ((layers * layer) / p + copies * embedding) / input.tensorParallel;
  return held * (distributedOptimizer ? 6 + 12 / input.dataParallel : 18);
}

/** Bytes of activations on the first pipeline stage, with as many micro-batches in flight as there are stages. */
export function megatronActivations(input: MegatronInput): number {
  const { pipelineParallel: p, sequence: s, microBatch: b, hidden: h } = input;
  const values = { s, b, h, f: input.feedForward, L: input.layers, p, V: input.vocabulary };
  const inner = evaluate('s*b*h * (18 + 4*f/h) * L + 8*s*b*p + s*b*h*p', values);
  const output = p === 1 ? evaluate('4 * s*b*h * (1 + V/h)', values) : 0;
  return (inner + output) / input.tensorParallel;
}
