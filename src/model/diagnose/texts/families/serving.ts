/** Servers of language models, whose KV cache is a budget fixed at the start: vLLM and those like it. */
import { say } from '../../../../base/said.js';
import { answered, verdictStep } from '../../steps.js';
import { type Judged, type Message, type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { showSize } from '../printed-size.js';

const BLOCK_TOKENS = 16;
const OTHERS_SHARE = 0.25;

const VLLM_ADVICE = [
  say`KV bytes a token = 2 x layers x KV heads x head size x bytes a value; divide the KV budget by it to get tokens.`,
  say`Raise gpu_memory_utilization only as far as the rest fits: CUDA graphs, activations of the profiling run and other
    processes share the device. A smaller max_model_len, fp8 KV cache or tensor parallelism need less.`,
];

function judgeVllm({ facts, sizes, text }: Message): Judged {
  const number = (key: string): number | undefined => {
    const value = facts[key];
    return typeof value === 'number' ? value : undefined;
  };
  const tokens = number('kv_tokens');
  const length = number('max_model_len');
  if (tokens !== undefined && length !== undefined) {
    const blocks = Math.floor(tokens / BLOCK_TOKENS);
    return {
      ...plainly(
        'limit-set',
        say`the KV pool holds ${tokens} tokens = ${blocks} blocks of ${BLOCK_TOKENS}, one sequence of max_model_len needs ${length}`,
        [answered(say`1. max_model_len ${length} > KV tokens ${tokens}`, length > tokens), verdictStep('limit-set')],
        [say`Set max_model_len to at most ${tokens}.`, ...VLLM_ADVICE],
      ),
      derived: { kv_blocks16: blocks },
    };
  }
  const tried = sizes['tried_bytes'];
  const capacity = sizes['capacity_bytes'];
  const free = sizes['free_bytes'];
  if (tried !== undefined && capacity !== undefined && free !== undefined) {
    const used = capacity.bytes - free.bytes;
    const share = used / capacity.bytes;
    const others = share >= OTHERS_SHARE;
    const steps = [
      say`1. budget ${showSize(tried.bytes)} > free at the start ${showSize(free.bytes)}: yes, short by ${showSize(tried.bytes - free.bytes)}`,
      answered(
        say`2. in use before vLLM began: ${showSize(used)}, ${(100 * share).toFixed(0)} % of the device; at least 25 %`,
        others,
      ),
      verdictStep(others ? 'other-process' : 'limit-set'),
    ];
    const fits = Math.floor((100 * free.low) / capacity.high) / 100;
    return others
      ? plainly('other-process', say`${showSize(used)} of the device was in use before vLLM began`, steps, [
          say`End the process that holds it: a dead run, another server, a rank on the wrong device.`,
          ...VLLM_ADVICE,
        ])
      : plainly(
          'limit-set',
          say`gpu_memory_utilization asks for ${showSize(tried.bytes - free.bytes)} more than is free`,
          steps,
          [say`gpu_memory_utilization up to ${fits} would start here.`, ...VLLM_ADVICE],
        );
  }
  const needed = sizes['kv_needed_bytes'];
  const available = sizes['kv_available_bytes'];
  if (needed !== undefined && available !== undefined) {
    const derived: Record<string, number> = { tried_bytes: needed.bytes };
    const perToken = length === undefined ? undefined : needed.bytes / length;
    if (perToken !== undefined) derived['kv_bytes_per_token'] = Math.round(perToken);
    const estimate =
      number('estimated_max_model_len') ??
      (perToken === undefined ? undefined : Math.floor(available.bytes / perToken));
    return {
      ...plainly(
        'limit-set',
        say`one sequence of ${length ?? 'max_model_len'} tokens needs ${showSize(needed.bytes)} of KV cache and the budget leaves ${showSize(available.bytes)}`,
        [
          say`1. KV cache needed ${showSize(needed.bytes)} > available ${showSize(available.bytes)}: yes`,
          ...(perToken === undefined
            ? []
            : [say`2. ${showSize(needed.bytes)} / ${length ?? 0} tokens = ${showSize(perToken)} a token`]),
          verdictStep('limit-set'),
        ],
        [...(estimate === undefined ? [] : [say`Set max_model_len to at most ${estimate}.`]), ...VLLM_ADVICE],
      ),
      derived,
    };
  }
  if (/No available memory for the cache blocks/.test(text)) {
    return plainly(
      'limit-set',
      say`weights, activations and graphs use up the whole budget: nothing is left for KV blocks`,
      [say`1. KV budget after the profiling run: none`, verdictStep('limit-set')],
      VLLM_ADVICE,
    );
  }
  return plainly(
    'unknown',
    say`the text is cut before its figures`,
    [say`1. figures: not in the text`, verdictStep('unknown')],
    VLLM_ADVICE,
  );
}

export const vllm: TextFamily = {
  name: say`vllm`,
  anchor:
    /The model's max seq len \(|Free memory on device|No available memory for the cache blocks|To serve at least one request with the models?'?s? max/g,
  framework: 'vllm',
  fields: [
    field('max_model_len', String.raw`max seq len \({int}\)`),
    field('kv_tokens', String.raw`stored in KV cache \({int}\)`),
    {
      key: 'free_bytes',
      pattern: /on device ?[\w:]* ?\(([0-9.]+) ?(?:[KMGT]iB)?\/[0-9.]+ ?([KMGT]iB)\)/g,
      reader: 'size',
    },
    field('capacity_bytes', String.raw`on device ?[\w:]* ?\([0-9.]+ ?(?:[KMGT]iB)?/{size}\)`),
    field('utilization', String.raw`desired GPU memory utilization \({number},`),
    field('tried_bytes', String.raw`desired GPU memory utilization \([0-9.]+, {size}\)`),
    field('kv_needed_bytes', String.raw`\(?{size} KV cache is needed`),
    field('kv_available_bytes', String.raw`available(?: KV cache)?(?: memory)? \({size}\)`),
    field('estimated_max_model_len', 'estimated maximum model length is {int}'),
  ],
  judge: judgeVllm,
};
