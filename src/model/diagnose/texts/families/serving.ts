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
  if (/No available memory for the cache blocks/.test(text)) return nothingForBlocks(sizes);
  const form = OTHER_FORMS.find(({ test }) => test.test(text));
  if (form !== undefined) {
    return plainly(form.verdict, form.why, [say`1. figures: not in the text`, verdictStep(form.verdict)], form.advice);
  }
  return plainly(
    'unknown',
    say`the text is cut before its figures`,
    [say`1. figures: not in the text`, verdictStep('unknown')],
    VLLM_ADVICE,
  );
}

/** The budget and what the profiling run took of it, where the log prints them. */
function nothingForBlocks(sizes: Message['sizes']): Judged {
  const {
    kv_available_bytes: left,
    budget_bytes: budget,
    weights_bytes: weights,
    activations_bytes: activations,
  } = sizes;
  const step =
    budget !== undefined && weights !== undefined && activations !== undefined && left !== undefined
      ? say`1. budget ${showSize(budget.bytes)} - weights ${showSize(weights.bytes)} - activations ${showSize(activations.bytes)} - outside
          PyTorch ${showSize(sizes['outside_bytes']?.bytes ?? 0)} = ${showSize(left.bytes)} for KV blocks`
      : left === undefined
        ? say`1. KV budget after the profiling run: none`
        : say`1. KV budget after the profiling run: ${showSize(left.bytes)}`;
  return plainly(
    'limit-set',
    left === undefined
      ? say`weights, activations and graphs use up the whole budget: nothing is left for KV blocks`
      : say`weights, activations and graphs use up the whole budget: ${showSize(left.bytes)} is left for KV blocks`,
    [step, verdictStep('limit-set')],
    VLLM_ADVICE,
  );
}

interface OtherForm {
  readonly test: RegExp;
  readonly verdict: Judged['verdict'];
  readonly why: string;
  readonly advice: readonly string[];
}

const OTHER_FORMS: readonly OtherForm[] = [
  {
    test: /Error in memory profiling/,
    verdict: 'other-process',
    why: say`free memory rose while vLLM measured what it needs: another process on the device gave memory back meanwhile, so the measurement means nothing`,
    advice: [say`Start one server after the other, or give each a device of its own.`],
  },
  {
    test: /out of memory occurred when warming up/,
    verdict: 'limit-set',
    why: say`the KV cache had taken its budget, and warming up with the largest number of requests did not fit beside it`,
    advice: [say`Lower max_num_seqs or gpu_memory_utilization: what is not in the budget is room for this step.`],
  },
  {
    test: /mem-fraction-static/,
    verdict: 'limit-set',
    why: say`weights fill the share of the device that --mem-fraction-static gives to weights and KV cache: nothing is left for the cache`,
    advice: [say`Raise --mem-fraction-static, or use tensor parallelism (--tp) or a more quantised model.`],
  },
  {
    test: /Prefill out of memory|Decode out of memory/,
    verdict: 'limit-set',
    why: say`the KV pool has no room for the tokens of this batch: the pool is fixed at the start`,
    advice: [say`Lower --max-running-requests or --chunked-prefill-size, or raise --mem-fraction-static.`],
  },
  {
    test: /Not enough memory to handle \d+ prefill tokens/,
    verdict: 'limit-set',
    why: say`the warm-up with the largest prefill that was asked for did not fit`,
    advice: [say`Lower --max-batch-prefill-tokens, or --max-input-tokens and --max-total-tokens.`],
  },
];

/** Which server printed the message. */
function serverOf(text: string): string {
  if (/mem-fraction-static|(?:Prefill|Decode) out of memory/.test(text)) return 'sglang';
  return /prefill tokens\. You need/.test(text) ? 'text-generation-inference' : 'vllm';
}

export const vllm: TextFamily = {
  name: say`vllm`,
  anchor:
    /Error in memory profiling|out of memory occurred when warming up|try to increase --mem-fraction-static|(?:Prefill|Decode) out of memory\.|Not enough memory to handle \d+ prefill tokens|The model's max seq len \(|Free memory on device|No available memory for the cache blocks|To serve at least one request with the models?'?s? max/g,
  framework: serverOf,
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
  context: [
    field('budget_bytes', String.raw`gpu_memory_utilization \([\d.]+\) = {size}`),
    field('weights_bytes', 'model weights take {size}'),
    field('activations_bytes', 'activation peak memory takes {size}'),
    field('outside_bytes', 'non_torch_memory takes {size}'),
    field('kv_available_bytes', 'reserved for KV Cache is {size}'),
    field('kv_available_bytes', 'Available KV cache memory: {size}'),
  ],
  judge: judgeVllm,
};
