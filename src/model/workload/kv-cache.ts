/**
 * Generating text with a key-value cache: grown by a concat for every token (transformers#30536), by a concat every few
 * tokens, or made once for the longest sequence. Growth by concat holds two copies while it copies, and each copy is a
 * little larger than every block that was freed before it.
 */
import { mulberry32 } from '../../base/random.js';
import { MiB } from '../../base/units.js';
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { choice, integer, type ParameterValues, seedParameter } from './parameter.js';
import { freeAll, type Program } from './program.js';
import { defineWorkload } from './workload.js';

const tokens = { min: 1, max: 1_000_000, unit: say`tokens` };

const PARAMETERS = {
  cache: choice(
    'concat',
    ['concat', 'chunk', 'prealloc'],
    'how the cache grows: each token, each `chunk`, or not at all',
  ),
  chunk: integer(64, tokens, 'tokens that a growing cache is made longer by (cache=chunk)'),
  layers: integer(16, { min: 1, max: 256, unit: say`layers` }, 'transformer layers'),
  kv_heads: integer(8, { min: 1, max: 512, unit: say`heads` }, 'key-value heads'),
  head_dim: integer(128, { min: 1, max: 1024, unit: say`elements` }, 'size of a head'),
  hidden: integer(4096, { min: 1, max: 65_536, unit: say`elements` }, 'hidden size'),
  batch: integer(4, { min: 1, max: 1024, unit: say`sequences` }, 'sequences generated together'),
  rounds: integer(4, { min: 1, max: 1000, unit: say`rounds` }, 'batches generated one after the other'),
  prompt_min: integer(128, tokens, 'shortest prompt'),
  prompt_max: integer(512, tokens, 'longest prompt'),
  new_tokens: integer(96, tokens, 'tokens generated for each sequence'),
  weights: integer(512, { min: 1, max: 1_000_000, unit: 'MiB' }, 'weights, one tensor a layer in all'),
  seed: seedParameter(1),
} as const;
type Values = ParameterValues<typeof PARAMETERS>;

export const kvCache = defineWorkload({
  id: 'kv-cache',
  about: 'token by token generation: a key-value cache grown by concat against one made once for the longest sequence',
  capacity: MiB(1152),
  parameters: PARAMETERS,
  endsWith: 'the weights, and the cache of `prealloc`',
  alternatives: () => [{ cache: 'prealloc' }, { cache: 'chunk' }],
  check: ({ prompt_min, prompt_max }) => {
    if (prompt_min > prompt_max) {
      throw badInput('prompt_min', say`kv-cache: prompt_min is above prompt_max; give prompt_min at most prompt_max`);
    }
  },
  run: (program, values) => {
    const { layers, weights, rounds, prompt_min, prompt_max, new_tokens, cache } = values;
    const random = mulberry32(values.seed);
    for (let l = 0; l < layers; l++) {
      program.allocate(Math.ceil(MiB(weights) / layers), 'parameter', `layers.${l}.weights`);
    }
    const made = cache === 'prealloc' ? makeCache(program, values, prompt_max + new_tokens) : undefined;
    for (let round = 0; round < rounds; round++) {
      const prompt = prompt_min + (random() % (prompt_max - prompt_min + 1));
      program.marker(`prompt ${round}`);
      const entries =
        made ?? makeCache(program, values, roomFor(values, prompt), () => attend(program, values, prompt));
      if (made !== undefined) for (let l = 0; l < layers; l++) attend(program, values, prompt);
      program.marker(`generate ${round}`);
      for (let token = 1; token <= new_tokens; token++) nextToken(program, values, entries, prompt + token);
      if (made === undefined) freeAll(program, entries);
    }
  },
});

/** Bytes of keys (or values) of one layer for `length` tokens, in fp16. */
const entryBytes = ({ kv_heads, head_dim, batch }: Values, length: number): number =>
  2 * batch * kv_heads * head_dim * length;

/** Tokens that a cache holding `length` has room for. */
const roomFor = ({ cache, chunk }: Values, length: number): number =>
  cache === 'chunk' ? Math.ceil(length / chunk) * chunk : length;

/** Keys and values of every layer; `afterLayer` is what runs between two layers. */
function makeCache(
  program: Program,
  values: Values,
  length: number,
  afterLayer: () => void = () => undefined,
): number[] {
  const entries: number[] = [];
  for (let l = 0; l < values.layers; l++) {
    for (const part of ['k', 'v']) {
      entries.push(
        program.allocate(entryBytes(values, length), 'activation', `layers.${l}.${part} cache, ${length} tokens`),
      );
    }
    afterLayer();
  }
  return entries;
}

/** Work of one layer on `rows` tokens of each sequence. */
function attend(program: Program, { hidden, batch }: Values, rows: number): void {
  const state = 2 * batch * rows * hidden;
  const projections = program.allocate(3 * state, 'temporary', 'q, k, v');
  const context = program.allocate(state, 'temporary', 'context');
  program.free(projections);
  const wide = program.allocate(4 * state, 'temporary', 'mlp');
  freeAll(program, [context, wide]);
}

/** One more token for every sequence: each layer works and, where its cache is full, makes a longer one and copies. */
function nextToken(program: Program, values: Values, entries: number[], length: number): void {
  const grows = values.cache !== 'prealloc' && roomFor(values, length) > roomFor(values, length - 1);
  for (let l = 0; l < values.layers; l++) {
    attend(program, values, 1);
    if (!grows) continue;
    for (const [index, part] of ['k', 'v'].entries()) {
      const room = roomFor(values, length);
      const longer = program.allocate(
        entryBytes(values, room),
        'activation',
        `layers.${l}.${part} cache, ${room} tokens`,
      );
      program.free(entries[2 * l + index]!);
      entries[2 * l + index] = longer;
    }
  }
}
