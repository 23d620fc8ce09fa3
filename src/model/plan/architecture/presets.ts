/**
 * Architectures by name, from their published configurations. Nothing here is a count of parameters: `presets.test.ts`
 * compares the computed ones with the published.
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { nearNames } from '../../../base/near-names.js';
import { type Architecture, LLAMA_LIKE, PLAIN } from './architecture.js';

type Sizes = readonly [layers: number, hidden: number, heads: number];

function full(
  name: string,
  [layers, hidden, heads]: Sizes,
  given: Partial<Architecture> & Pick<Architecture, 'feedForward' | 'vocabulary'>,
  base: typeof PLAIN,
): Architecture {
  const headSize = given.headSize ?? hidden / heads;
  return { ...base, name, layers, hidden, heads, kvHeads: heads, embeddingSize: hidden, ...given, headSize };
}

const gpt2 = (name: string, sizes: Sizes) =>
  full(name, sizes, { feedForward: 4 * sizes[1], vocabulary: 50_257, positions: 1024 }, PLAIN);

/** OPT's position table has two rows more than its longest sequence. */
const opt = (name: string, sizes: Sizes, other: Partial<Architecture> = {}) =>
  full(name, sizes, { feedForward: 4 * sizes[1], vocabulary: 50_272, positions: 2050, ...other }, PLAIN);

const llama = (
  name: string,
  sizes: Sizes,
  feedForward: number,
  vocabulary: number,
  other: Partial<Architecture> = {},
) => full(name, sizes, { feedForward, vocabulary, ...other }, LLAMA_LIKE);

const qwen2 = (
  name: string,
  sizes: Sizes,
  feedForward: number,
  vocabulary: number,
  other: Partial<Architecture> = {},
) => llama(name, sizes, feedForward, vocabulary, { qkvBias: true, ...other });

const qwen3 = (name: string, sizes: Sizes, feedForward: number, other: Partial<Architecture> = {}) =>
  llama(name, sizes, feedForward, 151_936, { kvHeads: 8, headSize: 128, headNorms: true, ...other });

const bert = (name: string, sizes: Sizes, vocabulary: number) =>
  full(
    name,
    sizes,
    {
      feedForward: 4 * sizes[1],
      vocabulary,
      kind: 'encoder',
      positions: 512,
      tokenTypes: 2,
      embeddingNorm: true,
      finalNorm: false,
      pooler: true,
    },
    PLAIN,
  );

const t5 = (name: string, sizes: Sizes, headSize: number, feedForward: number, other: Partial<Architecture> = {}) =>
  full(
    name,
    sizes,
    {
      feedForward,
      headSize,
      vocabulary: 32_128,
      kind: 'encoder-decoder',
      decoderLayers: sizes[0],
      relativeBuckets: 32,
      norm: 'rms',
      qkvBias: false,
      outputBias: false,
      feedForwardBias: false,
      ...other,
    },
    PLAIN,
  );

const V11 = { gated: true, tied: false } as const;
const GQA = { kvHeads: 8 } as const;

/** Every architecture that has a name, in the order of lists. */
export const ARCHITECTURES: readonly Architecture[] = [
  gpt2('gpt2', [12, 768, 12]),
  gpt2('gpt2-medium', [24, 1024, 16]),
  gpt2('gpt2-large', [36, 1280, 20]),
  gpt2('gpt2-xl', [48, 1600, 25]),
  opt('opt-125m', [12, 768, 12]),
  opt('opt-350m', [24, 1024, 16], { embeddingSize: 512, finalNorm: false }),
  opt('opt-1.3b', [24, 2048, 32]),
  opt('opt-2.7b', [32, 2560, 32]),
  opt('opt-6.7b', [32, 4096, 32]),
  opt('opt-13b', [40, 5120, 40]),
  opt('opt-30b', [48, 7168, 56]),
  opt('opt-66b', [64, 9216, 72]),
  opt('opt-175b', [96, 12_288, 96]),
  llama('llama-7b', [32, 4096, 32], 11_008, 32_000),
  llama('llama-13b', [40, 5120, 40], 13_824, 32_000),
  llama('llama-30b', [60, 6656, 52], 17_920, 32_000),
  llama('llama-65b', [80, 8192, 64], 22_016, 32_000),
  llama('llama-2-7b', [32, 4096, 32], 11_008, 32_000),
  llama('llama-2-13b', [40, 5120, 40], 13_824, 32_000),
  llama('llama-2-70b', [80, 8192, 64], 28_672, 32_000, GQA),
  llama('llama-3-8b', [32, 4096, 32], 14_336, 128_256, GQA),
  llama('llama-3-70b', [80, 8192, 64], 28_672, 128_256, GQA),
  llama('llama-3.1-8b', [32, 4096, 32], 14_336, 128_256, GQA),
  llama('llama-3.1-70b', [80, 8192, 64], 28_672, 128_256, GQA),
  llama('llama-3.1-405b', [126, 16_384, 128], 53_248, 128_256, GQA),
  llama('llama-3.2-1b', [16, 2048, 32], 8192, 128_256, { ...GQA, tied: true }),
  llama('llama-3.2-3b', [28, 3072, 24], 8192, 128_256, { ...GQA, tied: true }),
  llama('llama-3.3-70b', [80, 8192, 64], 28_672, 128_256, GQA),
  llama('mistral-7b', [32, 4096, 32], 14_336, 32_000, GQA),
  llama('mistral-7b-v0.3', [32, 4096, 32], 14_336, 32_768, GQA),
  llama('mistral-nemo-12b', [40, 5120, 32], 14_336, 131_072, { ...GQA, headSize: 128 }),
  qwen2('qwen-7b', [32, 4096, 32], 11_008, 151_936),
  qwen2('qwen-14b', [40, 5120, 40], 13_696, 152_064),
  qwen2('qwen-72b', [80, 8192, 64], 24_576, 152_064),
  qwen2('qwen2-0.5b', [24, 896, 14], 4864, 151_936, { kvHeads: 2, tied: true }),
  qwen2('qwen2-1.5b', [28, 1536, 12], 8960, 151_936, { kvHeads: 2, tied: true }),
  qwen2('qwen2-7b', [28, 3584, 28], 18_944, 152_064, { kvHeads: 4 }),
  qwen2('qwen2-72b', [80, 8192, 64], 29_568, 152_064, GQA),
  qwen2('qwen2.5-0.5b', [24, 896, 14], 4864, 151_936, { kvHeads: 2, tied: true }),
  qwen2('qwen2.5-1.5b', [28, 1536, 12], 8960, 151_936, { kvHeads: 2, tied: true }),
  qwen2('qwen2.5-3b', [36, 2048, 16], 11_008, 151_936, { kvHeads: 2, tied: true }),
  qwen2('qwen2.5-7b', [28, 3584, 28], 18_944, 152_064, { kvHeads: 4 }),
  qwen2('qwen2.5-14b', [48, 5120, 40], 13_824, 152_064, GQA),
  qwen2('qwen2.5-32b', [64, 5120, 40], 27_648, 152_064, GQA),
  qwen2('qwen2.5-72b', [80, 8192, 64], 29_568, 152_064, GQA),
  qwen3('qwen3-0.6b', [28, 1024, 16], 3072, { tied: true }),
  qwen3('qwen3-1.7b', [28, 2048, 16], 6144, { tied: true }),
  qwen3('qwen3-4b', [36, 2560, 32], 9728, { tied: true }),
  qwen3('qwen3-8b', [36, 4096, 32], 12_288),
  qwen3('qwen3-14b', [40, 5120, 40], 17_408),
  qwen3('qwen3-32b', [64, 5120, 64], 25_600),
  bert('bert-base-uncased', [12, 768, 12], 30_522),
  bert('bert-large-uncased', [24, 1024, 16], 30_522),
  bert('bert-base-cased', [12, 768, 12], 28_996),
  bert('bert-large-cased', [24, 1024, 16], 28_996),
  t5('t5-small', [6, 512, 8], 64, 2048),
  t5('t5-base', [12, 768, 12], 64, 3072),
  t5('t5-large', [24, 1024, 16], 64, 4096),
  t5('t5-3b', [24, 1024, 32], 128, 16_384),
  t5('t5-11b', [24, 1024, 128], 128, 65_536),
  t5('t5-v1.1-small', [8, 512, 6], 64, 1024, V11),
  t5('t5-v1.1-base', [12, 768, 12], 64, 2048, V11),
  t5('t5-v1.1-large', [24, 1024, 16], 64, 2816, V11),
  t5('t5-v1.1-xl', [24, 2048, 32], 64, 5120, V11),
  t5('t5-v1.1-xxl', [24, 4096, 64], 64, 10_240, V11),
];

/** The architecture of a name, whatever its case. Throws `AppError` (`bad-input`) that names what is near. */
export function findArchitecture(name: string): Architecture {
  const wanted = name.trim().toLowerCase();
  const found = ARCHITECTURES.find((each) => each.name === wanted);
  if (found !== undefined) return found;
  const names = ARCHITECTURES.map((each) => each.name);
  const near = nearNames(wanted, names);
  const hint = near.length > 0 ? say`did you mean ${near.join(', ')}?` : say`families: ${FAMILIES};`;
  throw badInput('--arch', say`--arch: "${name}" is not known; ${hint} --list-architectures names all`);
}

const FAMILIES = 'gpt2, opt, llama, mistral, qwen, bert, t5';
