import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readConfig } from './hugging-face.js';
import { findArchitecture } from './presets.js';
import { parameterCount } from './weights.js';

/** Facts of published config.json files, cut to what is read. */
const CONFIGS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'gpt2-xl': {
    model_type: 'gpt2',
    n_embd: 1600,
    n_head: 25,
    n_layer: 48,
    n_positions: 1024,
    n_inner: null,
    vocab_size: 50_257,
  },
  'opt-350m': {
    model_type: 'opt',
    hidden_size: 1024,
    num_attention_heads: 16,
    num_hidden_layers: 24,
    ffn_dim: 4096,
    vocab_size: 50_272,
    word_embed_proj_dim: 512,
    max_position_embeddings: 2048,
    do_layer_norm_before: false,
  },
  'llama-2-7b': {
    model_type: 'llama',
    hidden_size: 4096,
    num_attention_heads: 32,
    num_hidden_layers: 32,
    intermediate_size: 11_008,
    vocab_size: 32_000,
  },
  'llama-3.2-1b': {
    model_type: 'llama',
    hidden_size: 2048,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    head_dim: 64,
    num_hidden_layers: 16,
    intermediate_size: 8192,
    vocab_size: 128_256,
    tie_word_embeddings: true,
  },
  'mistral-nemo-12b': {
    model_type: 'mistral',
    hidden_size: 5120,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    head_dim: 128,
    num_hidden_layers: 40,
    intermediate_size: 14_336,
    vocab_size: 131_072,
  },
  'qwen2.5-7b': {
    model_type: 'qwen2',
    hidden_size: 3584,
    num_attention_heads: 28,
    num_key_value_heads: 4,
    num_hidden_layers: 28,
    intermediate_size: 18_944,
    vocab_size: 152_064,
  },
  'qwen3-0.6b': {
    model_type: 'qwen3',
    hidden_size: 1024,
    num_attention_heads: 16,
    num_key_value_heads: 8,
    num_hidden_layers: 28,
    intermediate_size: 3072,
    vocab_size: 151_936,
    tie_word_embeddings: true,
  },
  'bert-base-uncased': {
    model_type: 'bert',
    hidden_size: 768,
    num_attention_heads: 12,
    num_hidden_layers: 12,
    intermediate_size: 3072,
    vocab_size: 30_522,
    max_position_embeddings: 512,
  },
  't5-v1.1-xl': {
    model_type: 't5',
    d_model: 2048,
    d_kv: 64,
    d_ff: 5120,
    num_heads: 32,
    num_layers: 24,
    vocab_size: 32_128,
    feed_forward_proj: 'gated-gelu',
    tie_word_embeddings: false,
  },
};

test.each(Object.entries(CONFIGS))('%s: the file gives the architecture of that name', (name, config) => {
  const read = readConfig(JSON.stringify({ ...config, _name_or_path: name }), 'config.json');
  expect(parameterCount(read)).toBe(parameterCount(findArchitecture(name)));
  expect(read).toEqual(findArchitecture(name));
});

describe('refusals', () => {
  const base = CONFIGS['llama-2-7b'] ?? {};
  const refuse = (changed: Readonly<Record<string, unknown>>) => () =>
    readConfig(JSON.stringify({ ...base, ...changed }), 'c.json');

  it('takes as many layers as --layers does', () => {
    expect(refuse({ num_hidden_layers: 10_000 })().layers).toBe(10_000);
  });

  it('reads the unchanged file', () => {
    expect(refuse({})).not.toThrow();
  });

  it.each([
    [{ model_type: 'vit' }, /^c\.json: model_type "vit" is not planned; known types: gpt2, opt/],
    [{ model_type: undefined }, /it has no "model_type"/],
    [{ model_type: 'toString' }, /"toString" is not planned/],
    [{ num_local_experts: 8 }, /a mixture of experts \(num_local_experts\)/],
    [{ hidden_size: undefined }, /"hidden_size" is missing/],
    [{ hidden_size: '4096' }, /"hidden_size" is "4096", not a whole number/],
    [{ hidden_size: -1 }, /"hidden_size" is -1/],
    [{ vocab_size: 1e12 }, /"vocab_size" is 1000000000000/],
    [{ num_hidden_layers: 10_001 }, /"num_hidden_layers" is 10001, not a whole number from 1 to 10,000/],
    [{ num_attention_heads: 30 }, /30 heads do not divide a hidden size of 4096/],
    [{ num_key_value_heads: 5 }, /num_key_value_heads: 5 does not divide 32 heads/],
    [{ tie_word_embeddings: 1 }, /"tie_word_embeddings" is 1, not true or false/],
  ])('%j', (changed, message) => {
    expect(refuse(changed)).toThrow(message);
  });

  it('refuses any other text in one line', () => {
    const any = fc.oneof(fc.string(), fc.json());
    fc.assert(
      fc.property(any, (text) => {
        expect(() => readConfig(text, 'c.json')).toThrow(/^c\.json: [^\n]*$/);
      }),
    );
  });
});
