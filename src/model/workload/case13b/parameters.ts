/**
 * Parameters of the flagship case, under the names of `golden/case13b` so that a golden file's `meta.params` can be
 * handed over as it is.
 */
import { choice, flag, integer, type ParameterValues, seedParameter } from '../parameter.js';
import { say } from '../../../base/said.js';

export const CASE13B_PARAMETERS = {
  variant: choice(
    'concat',
    ['concat', 'prealloc', 'list', 'none'],
    'how the loop keeps every layer output: torch.cat after each layer, one buffer made once, a list with one stack, or not at all',
  ),
  b: integer(4, { min: 1, max: 64, unit: say`sequences` }, 'micro batch'),
  steps: integer(4, { min: 1, max: 1000, unit: say`steps` }, 'optimiser steps'),
  seed: seedParameter(1),
  smin: integer(128, { min: 1, max: 16_384, unit: say`tokens` }, 'shortest sequence'),
  smax: integer(960, { min: 1, max: 16_384, unit: say`tokens` }, 'longest sequence'),
  pad: integer(
    8,
    { min: 1, max: 1024, unit: say`tokens` },
    'the longest sequence of a step is rounded up to a multiple',
  ),
  dist: choice('uniform', ['uniform', 'short', 'long', 'fixed'], 'distribution of sequence lengths'),
  L: integer(40, { min: 1, max: 256, unit: say`layers` }, 'transformer layers'),
  h: integer(5120, { min: 1, max: 65_536, unit: say`elements` }, 'hidden size'),
  heads: integer(40, { min: 1, max: 1024, unit: say`heads` }, 'attention heads'),
  ffn: integer(20_480, { min: 1, max: 262_144, unit: say`elements` }, 'rows of the feed-forward weights'),
  V: integer(50_272, { min: 1, max: 1_000_000, unit: say`tokens` }, 'vocabulary'),
  maxpos: integer(2048, { min: 1, max: 1_000_000, unit: say`positions` }, 'rows of the position embedding'),
  ranks: integer(8, { min: 1, max: 65_536, unit: say`ranks` }, 'ranks that share the states (ZeRO-3)'),
  bucket: integer(500_000_000, { min: 1, max: 1e12, unit: say`elements` }, 'gradient reduce bucket'),
  subgroup: integer(1_000_000_000, { min: 1_000_000, max: 1e12, unit: say`elements` }, 'largest group of a shard'),
  grad_bytes: integer(
    4,
    { min: 2, max: 4, unit: say`bytes` },
    'bytes a summed gradient: 4 or 2 (18 or 16 bytes a parameter)',
  ),
  contiguous_gradients: flag(true, 'gradients are copied into one bucket made once, instead of joined at each flush'),
  flash: flag(true, 'fused attention; otherwise the score matrices are kept (5as/h)'),
  order: choice('random', ['random', 'ascending', 'descending'], 'order of the steps by length'),
  empty_each_step: flag(false, 'torch.cuda.empty_cache() at the end of each step'),
} as const;

export type Case13bValues = ParameterValues<typeof CASE13B_PARAMETERS>;
