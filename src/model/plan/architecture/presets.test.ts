import { expect, test } from 'vitest';
import { ARCHITECTURES, findArchitecture } from './presets.js';
import { largestModule, moduleElements, parameterCount, shareOf, weightGroups } from './weights.js';

/** Parameters as the model cards of huggingface.co, or the sum over their safetensors, give them. */
const PUBLISHED: Readonly<Record<string, number>> = {
  gpt2: 124_439_808,
  'gpt2-medium': 354_823_168,
  'gpt2-large': 774_030_080,
  'gpt2-xl': 1_557_611_200,
  'opt-125m': 125_239_296,
  'opt-350m': 331_196_416,
  'opt-1.3b': 1_315_758_080,
  'opt-2.7b': 2_651_596_800,
  'opt-6.7b': 6_658_473_984,
  'opt-13b': 12_853_473_280,
  'opt-30b': 29_974_540_288,
  'llama-7b': 6_738_415_616,
  'llama-13b': 13_015_864_320,
  'llama-30b': 32_528_943_616,
  'llama-65b': 65_285_660_672,
  'llama-2-7b': 6_738_415_616,
  'llama-2-13b': 13_015_864_320,
  'llama-2-70b': 68_976_648_192,
  'llama-3-8b': 8_030_261_248,
  'llama-3-70b': 70_553_706_496,
  'llama-3.1-8b': 8_030_261_248,
  'llama-3.1-70b': 70_553_706_496,
  'llama-3.1-405b': 405_853_388_800,
  'llama-3.2-1b': 1_235_814_400,
  'llama-3.2-3b': 3_212_749_824,
  'llama-3.3-70b': 70_553_706_496,
  'mistral-7b': 7_241_732_096,
  'mistral-7b-v0.3': 7_248_023_552,
  'mistral-nemo-12b': 12_247_782_400,
  'qwen-7b': 7_721_324_544,
  'qwen-14b': 14_167_290_880,
  'qwen-72b': 72_287_920_128,
  'qwen2-0.5b': 494_032_768,
  'qwen2-1.5b': 1_543_714_304,
  'qwen2-7b': 7_615_616_512,
  'qwen2-72b': 72_706_203_648,
  'qwen2.5-0.5b': 494_032_768,
  'qwen2.5-1.5b': 1_543_714_304,
  'qwen2.5-3b': 3_085_938_688,
  'qwen2.5-7b': 7_615_616_512,
  'qwen2.5-14b': 14_770_033_664,
  'qwen2.5-32b': 32_763_876_352,
  'qwen2.5-72b': 72_706_203_648,
  'qwen3-0.6b': 596_049_920,
  'qwen3-1.7b': 1_720_574_976,
  'qwen3-4b': 4_022_468_096,
  'qwen3-8b': 8_190_735_360,
  'qwen3-14b': 14_768_307_200,
  'qwen3-32b': 32_762_123_264,
  'bert-base-uncased': 109_482_240,
  'bert-large-uncased': 335_141_888,
  'bert-base-cased': 108_310_272,
  'bert-large-cased': 333_579_264,
  't5-small': 60_506_624,
  't5-base': 222_903_552,
  't5-large': 737_668_096,
  't5-3b': 2_851_598_336,
  't5-11b': 11_307_321_344,
  't5-v1.1-small': 76_961_152,
  't5-v1.1-base': 247_577_856,
  't5-v1.1-large': 783_150_080,
  't5-v1.1-xl': 2_849_757_184,
  't5-v1.1-xxl': 11_135_332_352,
};

test.each(Object.entries(PUBLISHED))('%s has the published number of parameters', (name, published) => {
  expect(parameterCount(findArchitecture(name))).toBe(published);
});

/** Their papers and cards print a rounded count only. */
test.each([
  ['opt-66b', 65.7],
  ['opt-175b', 174.6],
])('%s has the published %f billion parameters', (name, billions) => {
  expect(parameterCount(findArchitecture(name)) / 1e9).toBeCloseTo(billions, 1);
});

test('every architecture is compared with a published count, and has a name of its own', () => {
  const names = ARCHITECTURES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !Object.hasOwn(PUBLISHED, name))).toEqual(['opt-66b', 'opt-175b']);
});

test('the largest module of t5-3b is its embedding, as DeepSpeed finds', () => {
  expect(largestModule(findArchitecture('t5-3b'))).toBe(32_899_072);
  expect(largestModule(findArchitecture('llama-2-7b'))).toBe(131_072_000);
});

test('tensor parallelism cuts each matrix once: the shares add up to it, norms stay whole', () => {
  const architecture = findArchitecture('gpt2-medium');
  for (const module of weightGroups(architecture).flatMap(({ modules }) => modules)) {
    const { matrix, bias } = shareOf(module, 4, architecture.kvHeads);
    const { rows, columns, split } = module;
    if (split === 'vocabulary') expect(matrix).toBe(Math.ceil(rows / 4) * columns);
    else expect(matrix * (split === 'none' ? 1 : 4)).toBe(rows * columns);
    expect(shareOf(module, 1, architecture.kvHeads)).toEqual({ matrix: rows * columns, bias: module.bias });
    expect(bias * (split === 'rows' || split === 'key-value' ? 4 : 1)).toBe(module.bias);
    expect(moduleElements(module)).toBe(rows * columns + module.bias);
  }
});

test('an unknown name is one line that names what is near', () => {
  expect(() => findArchitecture('llama2-7b')).toThrow(/^--arch: "llama2-7b" is not known; did you mean llama-2-7b/);
  expect(() => findArchitecture('resnet50')).toThrow(/families: gpt2, opt/);
  expect(findArchitecture('LLaMA-2-7B').name).toBe('llama-2-7b');
});
