/**
 * A Hugging Face `config.json` as an architecture. What a file leaves out has the default of its configuration class in
 * transformers. A model of another kind is refused: a wrong count of parameters would look like a right one.
 */
import { badInput, messageOf } from '../../../base/errors.js';
import { formatNumber } from '../../../base/format.js';
import { say } from '../../../base/said.js';
import { type Architecture, LLAMA_LIKE, MOST_LAYERS, PLAIN } from './architecture.js';

type Reader = (fields: Fields) => Omit<Architecture, 'name'>;

const llamaLike: Reader = (fields) => {
  const hidden = fields.count('hidden_size');
  const heads = fields.count('num_attention_heads');
  const bias = fields.flag('attention_bias', false);
  return {
    ...LLAMA_LIKE,
    layers: fields.layers('num_hidden_layers'),
    hidden,
    heads,
    kvHeads: fields.count('num_key_value_heads', heads),
    headSize: fields.count('head_dim', hidden / heads),
    feedForward: fields.count('intermediate_size'),
    vocabulary: fields.count('vocab_size'),
    embeddingSize: hidden,
    qkvBias: bias,
    outputBias: bias,
    feedForwardBias: fields.flag('mlp_bias', false),
    tied: fields.flag('tie_word_embeddings', false),
  };
};

const gpt2: Reader = (fields) => {
  const hidden = fields.count('n_embd');
  const heads = fields.count('n_head');
  return {
    ...PLAIN,
    layers: fields.layers('n_layer'),
    hidden,
    heads,
    kvHeads: heads,
    headSize: hidden / heads,
    feedForward: fields.count('n_inner', 4 * hidden),
    vocabulary: fields.count('vocab_size'),
    embeddingSize: hidden,
    positions: fields.count('n_positions'),
    tied: fields.flag('tie_word_embeddings', true),
    dropout: fields.rate('resid_pdrop') || fields.rate('attn_pdrop'),
  };
};

const opt: Reader = (fields) => {
  const hidden = fields.count('hidden_size');
  const heads = fields.count('num_attention_heads');
  const bias = fields.flag('enable_bias', true);
  return {
    ...PLAIN,
    layers: fields.layers('num_hidden_layers'),
    hidden,
    heads,
    kvHeads: heads,
    headSize: hidden / heads,
    feedForward: fields.count('ffn_dim'),
    vocabulary: fields.count('vocab_size'),
    embeddingSize: fields.count('word_embed_proj_dim', hidden),
    // The table starts two rows in.
    positions: fields.count('max_position_embeddings') + 2,
    qkvBias: bias,
    outputBias: bias,
    feedForwardBias: bias,
    finalNorm: fields.flag('do_layer_norm_before', true) && !fields.flag('_remove_final_layer_norm', false),
    tied: fields.flag('tie_word_embeddings', true),
    dropout: fields.rate('dropout'),
  };
};

const bert: Reader = (fields) => {
  const hidden = fields.count('hidden_size');
  const heads = fields.count('num_attention_heads');
  return {
    ...PLAIN,
    kind: 'encoder',
    layers: fields.layers('num_hidden_layers'),
    hidden,
    heads,
    kvHeads: heads,
    headSize: hidden / heads,
    feedForward: fields.count('intermediate_size'),
    vocabulary: fields.count('vocab_size'),
    embeddingSize: hidden,
    positions: fields.count('max_position_embeddings'),
    tokenTypes: fields.count('type_vocab_size', 2),
    embeddingNorm: true,
    finalNorm: false,
    pooler: true,
    dropout: fields.rate('hidden_dropout_prob'),
  };
};

const t5: Reader = (fields) => {
  const hidden = fields.count('d_model');
  const heads = fields.count('num_heads');
  const layers = fields.layers('num_layers');
  return {
    ...PLAIN,
    kind: 'encoder-decoder',
    layers,
    decoderLayers: fields.layers('num_decoder_layers', layers),
    hidden,
    heads,
    kvHeads: heads,
    headSize: fields.count('d_kv'),
    feedForward: fields.count('d_ff'),
    vocabulary: fields.count('vocab_size'),
    embeddingSize: hidden,
    relativeBuckets: fields.count('relative_attention_num_buckets', 32),
    norm: 'rms',
    qkvBias: false,
    outputBias: false,
    feedForwardBias: false,
    gated: fields.text('feed_forward_proj', 'relu').startsWith('gated-'),
    tied: fields.flag('tie_word_embeddings', true),
    dropout: fields.rate('dropout_rate'),
  };
};

const READERS: Readonly<Record<string, Reader>> = {
  gpt2,
  opt,
  llama: llamaLike,
  mistral: llamaLike,
  qwen2: (fields) => ({ ...llamaLike(fields), qkvBias: true, outputBias: false }),
  qwen3: (fields) => ({ ...llamaLike(fields), headSize: fields.count('head_dim', 128), headNorms: true }),
  bert,
  t5,
  mt5: t5,
};

/** Fields that only mixtures of experts have. */
const EXPERTS = ['num_local_experts', 'num_experts', 'n_routed_experts'];
const LARGEST = 1e9;

/**
 * Reads a configuration. `source` is the file, named in every message. Throws `AppError` (`bad-input`), one line, for text
 * that is no JSON object, a model of another kind, a mixture of experts, and a field that is missing or no number.
 */
export function readConfig(text: string, source: string): Architecture {
  const config = parseObject(text, source);
  const type = config['model_type'];
  const known = Object.keys(READERS).join(', ');
  if (typeof type !== 'string') {
    throw badInput(
      source,
      say`${source}: not a transformers config.json: it has no "model_type"; known types: ${known}`,
    );
  }
  const experts = EXPERTS.find((field) => Number(config[field] ?? 0) > 1);
  if (experts !== undefined) {
    throw badInput(source, say`${source}: a mixture of experts (${experts}) is not planned; known types: ${known}`);
  }
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (reader === undefined) {
    throw badInput(
      source,
      say`${source}: model_type "${type}" is not planned; known types: ${known}; give --params and --layers, --hidden ... instead`,
    );
  }
  const architecture = { ...reader(new Fields(config, source)), name: nameOf(config, type) };
  if (!Number.isInteger(architecture.headSize)) {
    throw badInput(
      source,
      say`${source}: ${architecture.heads} heads do not divide a hidden size of ${architecture.hidden}; check the file`,
    );
  }
  if (architecture.heads % architecture.kvHeads !== 0) {
    throw badInput(
      source,
      say`${source}: num_key_value_heads: ${architecture.kvHeads} does not divide ${architecture.heads} heads; check the file`,
    );
  }
  return architecture;
}

function parseObject(text: string, source: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badInput(source, say`${source}: not JSON (${printable(messageOf(error))}); give a transformers config.json`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badInput(source, say`${source}: not a JSON object; give a transformers config.json`);
  }
  return { ...value };
}

/** The parser's message quotes what it met; of a binary file that is no text for a screen. */
const printable = (text: string): string => text.replace(/[\p{C}\uFFFD]/gu, '?');

function nameOf(config: Readonly<Record<string, unknown>>, type: string): string {
  const path = config['_name_or_path'];
  return typeof path === 'string' && path !== '' ? path : type;
}

/** The fields of one file; what is not usable is refused with its name. */
class Fields {
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #source: string;

  constructor(config: Readonly<Record<string, unknown>>, source: string) {
    this.#config = config;
    this.#source = source;
  }

  /** A whole number from 1. Absent or null: the fallback, or a refusal. */
  count(name: string, fallback?: number): number {
    const value = this.#config[name] ?? fallback;
    if (value === undefined) throw this.#refusal(name, say`is missing`);
    // A fallback may be a division that does not come out; the caller sees to that with a better message.
    if (value === fallback) return fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LARGEST) return value;
    throw this.#refusal(name, say`is ${JSON.stringify(value)}, not a whole number from 1 to 1e9`);
  }

  /** A count of layers: each is a part of the plan by itself. */
  layers(name: string, fallback?: number): number {
    const value = this.count(name, fallback);
    if (value <= MOST_LAYERS) return value;
    throw this.#refusal(name, say`is ${value}, not a whole number from 1 to ${formatNumber(MOST_LAYERS)}`);
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.#config[name] ?? fallback;
    if (typeof value === 'boolean') return value;
    throw this.#refusal(name, say`is ${JSON.stringify(value)}, not true or false`);
  }

  text(name: string, fallback: string): string {
    const value = this.#config[name] ?? fallback;
    if (typeof value === 'string') return value;
    throw this.#refusal(name, say`is ${JSON.stringify(value)}, not a text`);
  }

  /** Whether a dropout rate is over 0; absent ones are 0.1 in all these models. */
  rate(name: string): boolean {
    const value = this.#config[name] ?? 0.1;
    if (typeof value === 'number' && value >= 0 && value <= 1) return value > 0;
    throw this.#refusal(name, say`is ${JSON.stringify(value)}, not a rate from 0 to 1`);
  }

  #refusal(name: string, what: string) {
    return badInput(this.#source, say`${this.#source}: "${name}" ${what}; check the file`);
  }
}
