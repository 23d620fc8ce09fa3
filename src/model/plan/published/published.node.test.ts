/**
 * Tables of papers and tools, each to the digit that it prints. The sources stand in test-data/plan/published.json beside
 * the numbers, and in the name of each test.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { findArchitecture } from '../architecture/presets.js';
import { largestModule, parameterCount, weightGroups } from '../architecture/weights.js';
import { accelerateRows, accelerateSize } from './accelerate.js';
import { adapterParameters, type AdapterTargets, isAdapted } from './adapters.js';
import { deepSpeedText, zero2States, zero3States } from './deepspeed.js';
import { eleutherFigures, type EleutherInput } from './eleuther.js';
import { cacheBytes, cachePerToken } from './kv-cache.js';
import { type LayerCase, layerActivations, selectiveShare } from './korthikanti.js';
import { zeroModelStates, type ZeroStage } from './zero-paper.js';

const published = JSON.parse(
  readFileSync(new URL('../../../../test-data/plan/published.json', import.meta.url), 'utf8'),
) as PublishedTables;

interface PublishedTables {
  'zero-table1': {
    expected: { dp: number; params_billion: number; stage: string; gb_decimal: number; exact: number; model: string }[];
  };
  'zero-gpt2': { inputs: { params: number }; expected: { fp16_params_gb: number; model_states_gb_at_least: number } };
  'korthikanti-formula': {
    expected: {
      model: string;
      a: number;
      h: number;
      s: number;
      b: number;
      tp: number;
      five_as_over_h: number;
      attention_share_saved_by_selective: number;
      bytes_per_layer: Record<string, number>;
      percent_of_tp_only: Record<string, number>;
    }[];
  };
  'ds-zero3-2851M': {
    expected: { per_cpu_gb: number; per_gpu_gb: number; cpu_bytes: number; gpu_bytes: number }[];
  };
  'ds-zero3-t5-3b-live': { expected: { per_cpu_gb: number; per_gpu_gb: number }[] };
  'ds-zero2-2851M': {
    expected: Record<'docs' | 'code_now', { per_cpu_gb: number; per_gpu_gb: number }[]>;
  };
  'ds-t5-large': { expected: Record<string, number> };
  'ds-issue-4527': { expected: { rows: { per_cpu_gb: number | null; per_gpu_gb: number | null }[] } };
  'eleuther-calc': { expected: Record<string, number | string>[] };
  'ml-eng-kv': {
    expected: {
      kv_mb_per_token: number;
      kv_mb_1024: number;
      kv_gb_1024x128: number;
      seq32768: {
        hidden_states_gib: number;
        per_layer_copies: number;
        per_layer_gib: number;
        checkpointed_gib: number;
        logits_gib: number;
        saved_gib: number[];
      };
    };
  };
}

const GB = 2 ** 30;
/** As a program prints a size in units of 2^30 with two decimals. */
const printed = (size: number): number => Number((size / GB).toFixed(2));

describe('ZeRO, arXiv:1910.02054', () => {
  const STAGES: Readonly<Record<string, ZeroStage>> = { Pos: 1, 'Pos+g': 2, 'Pos+g+p': 3 };

  test.each(published['zero-table1'].expected)('Table 1: $model, $dp devices, $stage', (row) => {
    const gb = zeroModelStates(row.params_billion * 1e9, STAGES[row.stage] ?? 0, row.dp) / 1e9;
    expect(Math.abs(gb - row.exact)).toBeLessThan(0.000_051);
    // The 7.5B column is rounded to three digits, the others are cut to whole GB; the last cell has one decimal.
    const shown = row.params_billion === 7.5 ? roundHalfUp(gb, 3) : row.gb_decimal < 100 ? cut(gb, 1) : cut(gb, 0);
    expect(shown).toBe(row.gb_decimal);
  });

  it('section 3.1: GPT-2 of 1.5 billion parameters', () => {
    const { inputs, expected } = published['zero-gpt2'];
    expect((2 * inputs.params) / 1e9).toBe(expected.fp16_params_gb);
    expect(zeroModelStates(inputs.params, 0, 1) / 1e9).toBe(expected.model_states_gb_at_least);
  });

  // Table 2 and Figure 1: 7.5 billion parameters on 64 devices.
  test.each([
    [0, 120],
    [1, 31.4],
    [2, 16.6],
    [3, 1.9],
  ] as const)('Figure 1: stage %i takes %f GB', (stage, gb) => {
    expect(Number((zeroModelStates(7.5e9, stage, 64) / 1e9).toFixed(1))).toBe(gb);
  });
});

/** Three significant digits; a half goes up, as in the table (41.25 is printed 41.3). */
function roundHalfUp(value: number, digits: number): number {
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(value)));
  const places = value < 1 ? 2 : decimals;
  return Math.round(value * 10 ** places + 1e-9) / 10 ** places;
}
const cut = (value: number, decimals: number): number => Math.trunc(value * 10 ** decimals) / 10 ** decimals;

describe('Korthikanti et al., arXiv:2205.05198', () => {
  const CASES: Readonly<Record<string, LayerCase>> = {
    single: 'single',
    none: 'tensor',
    sp: 'tensor + sequence',
    'tp+sel': 'tensor + selective',
    'sp+sel': 'tensor + sequence + selective',
    full: 'full',
  };

  test.each(published['korthikanti-formula'].expected)('Table 2 for the $model model', (row) => {
    const shape = { sequence: row.s, batch: row.b, hidden: row.h, heads: row.a, tensorParallel: row.tp };
    for (const [name, bytes] of Object.entries(row.bytes_per_layer)) {
      expect(layerActivations(CASES[name] ?? 'single', shape), name).toBe(bytes);
    }
    const whole = layerActivations('tensor', shape);
    for (const [name, percent] of Object.entries(row.percent_of_tp_only)) {
      const share = (100 * layerActivations(CASES[name] ?? 'single', shape)) / whole;
      expect(Number(share.toFixed(2)), name).toBe(percent);
    }
    expect(Number(selectiveShare(shape).toFixed(4))).toBe(row.attention_share_saved_by_selective);
    expect((5 * row.a * row.s) / row.h).toBeCloseTo(row.five_as_over_h, 4);
  });
});

const printedRows = (rows: readonly { cpuBytes: number; gpuBytes: number }[]) =>
  rows.map(({ cpuBytes, gpuBytes }) => ({ per_cpu_gb: printed(cpuBytes), per_gpu_gb: printed(gpuBytes) }));

describe('DeepSpeed, docs/code-docs/source/memory.rst', () => {
  const cold = { parameters: 2851e6, largestLayer: 32e6, gpusPerNode: 8, nodes: 1 };

  it('ZeRO-3 cold, 2851M parameters, to the byte and to the cent', () => {
    const rows = zero3States(cold);
    const { expected } = published['ds-zero3-2851M'];
    expect(rows.map(({ cpuBytes, gpuBytes }) => [cpuBytes, gpuBytes])).toEqual(
      expected.map(({ cpu_bytes, gpu_bytes }) => [cpu_bytes, gpu_bytes]),
    );
    expect(printedRows(rows)).toEqual(expected.map(({ per_cpu_gb, per_gpu_gb }) => ({ per_cpu_gb, per_gpu_gb })));
  });

  it('ZeRO-3 live on t5-3b, from the architecture alone', () => {
    const t5 = findArchitecture('t5-3b');
    const live = { parameters: parameterCount(t5), largestLayer: largestModule(t5), gpusPerNode: 8, nodes: 1 };
    expect(printedRows(zero3States(live))).toEqual(published['ds-zero3-t5-3b-live'].expected);
    expect(deepSpeedText(live, zero3States(live), true).slice(1, 3)).toEqual([
      'HW: Setup with 1 node, 8 GPUs per node.',
      'SW: Model with 2851M total params, 32M largest layer params.',
    ]);
  });

  it('ZeRO-2: the documentation prints 15.93 GB, the code 11.28', () => {
    const pick = ({ per_cpu_gb, per_gpu_gb }: { per_cpu_gb: number; per_gpu_gb: number }) => ({
      per_cpu_gb,
      per_gpu_gb,
    });
    const { docs, code_now } = published['ds-zero2-2851M'].expected;
    expect(printedRows(zero2States(cold, 'docs'))).toEqual(docs.map(pick));
    expect(printedRows(zero2States(cold))).toEqual(code_now.map(pick));
    // The live model of the same page.
    const live = { ...cold, parameters: parameterCount(findArchitecture('t5-3b')) };
    expect(printedRows(zero2States(live, 'docs'))).toEqual([
      { per_cpu_gb: 127.48, per_gpu_gb: 5.31 },
      { per_cpu_gb: 127.48, per_gpu_gb: 15.93 },
    ]);
  });

  it('the worked example, t5-large on 4 devices, in whole MB', () => {
    const t5 = findArchitecture('t5-large');
    const rows = zero3States({
      parameters: parameterCount(t5),
      largestLayer: largestModule(t5),
      gpusPerNode: 4,
      nodes: 1,
    });
    const { expected } = published['ds-t5-large'];
    expect((parameterCount(t5) / 1e6).toFixed(2)).toBe('737.67');
    expect((largestModule(t5) / 1e6).toFixed(2)).toBe('32.90');
    const mb = (row: number) => Math.floor((rows[row]?.gpuBytes ?? 0) / 2 ** 20);
    expect([mb(4), mb(0), mb(2)]).toEqual([expected['case1_MB'], expected['case2_MB'], expected['case3_MB']]);
    expect(Math.floor((4 * largestModule(t5)) / 2 ** 20)).toBe(expected['largest_layer_MB']);
  });

  it('deepspeedai/DeepSpeed#4527: 6805M parameters on 4 devices', () => {
    // The thread prints the counts in whole millions; a CPU figure of 171.13 GB is one for 6805.4 million and up.
    const rows = printedRows(zero3States({ parameters: 6805.5e6, largestLayer: 131e6, gpusPerNode: 4, nodes: 1 }));
    published['ds-issue-4527'].expected.rows.forEach(({ per_cpu_gb, per_gpu_gb }, i) => {
      if (per_cpu_gb !== null) expect(rows[i]?.per_cpu_gb).toBe(per_cpu_gb);
      if (per_gpu_gb !== null) expect(rows[i]?.per_gpu_gb).toBe(per_gpu_gb);
    });
  });

  it('divides the CPU by nodes: 18 bytes a parameter over 2 nodes, at least 4 for each device of a node', () => {
    const rows = zero3States({ ...cold, gpusPerNode: 4, nodes: 2 });
    expect(rows[0]?.cpuBytes).toBe(2851e6 * 9 * 1.5);
    expect(rows[1]?.cpuBytes).toBe(2851e6 * 16 * 1.5);
  });
});

describe('EleutherAI cookbook, calc_transformer_mem.py', () => {
  /** The example commands in its __main__, and the further runs of the table. */
  const pythia = { checkpointActivations: true, partitionActivations: true, batch: 8, zeroStage: 1 } as const;
  const llama = { layers: 32, sequence: 4096, heads: 32, hidden: 4096, expansion: 3.5 } as const;
  const RUNS: Readonly<Record<string, Partial<EleutherInput>>> = {
    'pythia-6.9B': { ...pythia, layers: 32, heads: 32, hidden: 4096, tensorParallel: 2, devices: 128 },
    'pythia-12B': { ...pythia, layers: 36, heads: 40, hidden: 5120, tensorParallel: 4, devices: 256 },
    '20B default': { checkpointActivations: true, partitionActivations: true },
    'llama-7B': llama,
    'llama-7B --infer': { ...llama, infer: true },
    '20B zero3 8 GPU ckpt': { checkpointActivations: true, zeroStage: 3, devices: 8 },
    '20B zero2 8 GPU ckpt': { checkpointActivations: true, zeroStage: 2, devices: 8 },
  };

  test.each(published['eleuther-calc'].expected)('$name', (row) => {
    const figures = eleutherFigures(RUNS[String(row['name'])] ?? {});
    const shown: Readonly<Record<string, number>> = {
      params_B: Number((figures.parameters / 1e9).toFixed(2)),
      activation_GiB: printed(figures.activation),
      model_GiB: printed(figures.model),
      gradient_GiB: printed(figures.gradient),
      optimizer_GiB: printed(figures.optimizer),
      communication_GiB: printed(figures.communication),
      kv_GiB: printed(figures.keyValueCache),
      total_GiB: printed(figures.total),
      per_replica_GiB: printed(figures.replica),
    };
    for (const [key, value] of Object.entries(row)) {
      if (typeof value === 'number')
        expect(Math.abs((shown[key] ?? NaN) - value), `${key}: ${shown[key] ?? ''}`).toBeLessThan(0.0101);
    }
  });
});

describe('key-value caches', () => {
  it('stas00/ml-engineering: Llama-3.1-8B', () => {
    const llama = findArchitecture('llama-3.1-8b');
    const { expected } = published['ml-eng-kv'];
    expect(cachePerToken(llama)).toBe(131_072);
    expect(Number((cachePerToken(llama) / 1e6).toFixed(3))).toBe(expected.kv_mb_per_token);
    expect(Math.round(cacheBytes(llama, 1024) / 1e6)).toBe(expected.kv_mb_1024);
    expect(Number((cacheBytes(llama, 1024, 128) / 1e9).toFixed(1))).toBe(expected.kv_gb_1024x128);
    const { seq32768: long } = expected;
    const hidden = 2 * 32_768 * llama.hidden;
    expect(hidden / GB).toBe(long.hidden_states_gib);
    expect((hidden * long.per_layer_copies) / GB).toBe(long.per_layer_gib);
    expect((hidden * llama.layers) / GB).toBe(long.checkpointed_gib);
    expect(Number(((4 * 32_768 * llama.vocabulary) / GB).toFixed(1))).toBe(long.logits_gib);
    // What is saved: the logits and their gradient; or all that the layers keep, and the logits.
    const logits = (4 * 32_768 * llama.vocabulary) / GB;
    expect([Math.round(2 * logits), Math.round(logits + long.per_layer_gib * llama.layers)]).toEqual(long.saved_gib);
  });

  // arXiv:2309.06180 section 3: OPT-13B takes 800 KB a token. The others by their published configurations.
  test.each([
    ['opt-13b', 819_200],
    ['llama-2-7b', 524_288],
    ['llama-2-70b', 327_680],
    ['llama-3-70b', 327_680],
    ['mistral-7b', 131_072],
    ['qwen2.5-7b', 57_344],
  ])('%s keeps %i bytes a token', (name, bytes) => {
    expect(cachePerToken(findArchitecture(name))).toBe(bytes);
  });

  it('vllm#34076: 98,304 bytes a token are 24.0 GiB for 262,144 tokens', () => {
    expect(cacheBytes({ layers: 48, kvHeads: 4, headSize: 128 }, 262_144) / GB).toBe(24);
  });
});

describe('Hugging Face accelerate estimate-memory', () => {
  it('bert-base-cased, docs/source/usage_guides/model_size_estimator.md', () => {
    const bert = findArchitecture('bert-base-cased');
    // Two buffers of 512 numbers of 8 bytes: positions and token types.
    const rows = accelerateRows(parameterCount(bert), largestModule(bert), 2 * 4096);
    const shown = rows.map(({ largestLayer, total, training }) => [largestLayer, total, training].map(accelerateSize));
    expect(shown).toEqual([
      ['84.95 MB', '413.18 MB', '1.61 GB'],
      ['42.47 MB', '206.59 MB', '826.36 MB'],
      ['21.24 MB', '103.29 MB', '413.18 MB'],
      ['10.62 MB', '51.65 MB', '206.59 MB'],
    ]);
  });
});

describe('adapters', () => {
  const adapted = (name: string, rank: number, targets: AdapterTargets) => {
    const modules = weightGroups(findArchitecture(name)).flatMap((group) => group.modules);
    return adapterParameters(
      modules.filter((module) => isAdapted(module, targets)),
      rank,
    );
  };

  it('LoRA, arXiv:2106.09685 Table 4 and section 4.2: GPT-3 175B', () => {
    expect(adapted('opt-175b', 1, 'qv')).toBe(4_718_592);
    expect(Number(((adapted('opt-175b', 4, 'qv') * 2) / 2 ** 20).toFixed(0))).toBe(36);
  });

  it('huggingface/peft: "trainable params: 4,194,304" for LLaMA 7B, rank 8, q and v', () => {
    expect(adapted('llama-7b', 8, 'qv')).toBe(4_194_304);
    expect(adapted('llama-7b', 16, 'all')).toBe(39_976_960);
  });
});
