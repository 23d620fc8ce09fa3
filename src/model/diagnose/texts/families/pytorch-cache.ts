/**
 * PyTorch's native caching allocator, 1.0 to the newest, on every backend that copied its text (CUDA, HIP, XPU, NPU,
 * MUSA, ...). Two shapes: figures in parentheses (to 2.0) and figures in sentences (from 2.1, where capacity is
 * spelled "capacty" once).
 */
import { say } from '../../../../base/said.js';
import { verdictStep } from '../../steps.js';
import { adviseCache } from '../../verdict/cache-advice.js';
import { judgeCache } from '../../verdict/cache-rule.js';
import { figuresOf } from '../../verdict/figures.js';
import { showSize } from '../printed-size.js';
import { field } from '../fields.js';
import { type Judged, type Message, type TextFamily, plainly } from '../family.js';
import { type Settings } from '../settings.js';

const FOUR_GIB = 4 * 2 ** 30;

const FIELDS = [
  field('tried_bytes', 'Tried to allocate {size}'),
  field('device', String.raw`\((?:GPU|NPU|XPU|MLU|HPU|device)\s*{int};`),
  field('device', '(?:GPU|NPU|XPU|MLU|HPU) {int} has a total'),
  field('capacity_bytes', '{size} total capacity'),
  field('capacity_bytes', 'total capaci?ty of {size}'),
  field('free_bytes', 'of which {size} is free'),
  field('free_bytes', '{size} free;'),
  field('allocated_bytes', '{size} already allocated'),
  field('allocated_bytes', 'allocated memory {size} is allocated by PyTorch'),
  field('active_bytes', '{size} current active'),
  field('reserved_bytes', '{size} reserved in total by PyTorch'),
  field('reserved_bytes', String.raw`{size} cached[;)]`),
  field('inactive_bytes', '{size} is reserved by PyTorch but unallocated'),
  field('private_pool_bytes', '{size} allocated in private pools'),
  field('allowed_bytes', '{size} allowed;'),
  field('this_process_bytes', 'this process has {size} memory in use'),
  field('process_bytes', '[Pp]rocess [0-9]+ has {size} memory in use', 'every-size'),
];

/** The backend of a message, in the field's words. Texts without a name are CUDA's. */
function backendOf(text: string): string {
  const name = /\b([A-Z]{3,8}) out of memory/.exec(text)?.[1] ?? /\((NPU|XPU|MLU|HPU) [0-9]/.exec(text)?.[1];
  if (name !== undefined && name !== 'GPU') return `pytorch-${name.toLowerCase()}`;
  return text.includes('can NOT allocate memory block') ? 'pytorch-xpu' : 'pytorch-cuda';
}

function judge(message: Message, settings: Settings): Judged {
  const { facts, sizes, framework, text } = message;
  if (framework === 'pytorch-xpu') {
    const limited = xpuLimit(message);
    if (limited !== undefined) return limited;
  }
  const others = facts['process_bytes'];
  const figures = figuresOf({
    sizes,
    others: Array.isArray(others) ? others : [],
    reservedIsInactive: sizes['reserved_bytes'] !== undefined && /[KMG]iB cached[;)]|bytes cached[;)]/.test(text),
  });
  const verdict = judgeCache(figures);
  const derived =
    facts['reserved_bytes'] === undefined && figures.reserved !== undefined
      ? { reserved_bytes: figures.reserved.bytes }
      : {};
  return {
    ...verdict,
    steps: [...versionNote(text), ...verdict.steps],
    advice: adviseCache({ verdict: verdict.verdict, figures, settings, backend: framework }),
    derived,
    oddities: figures.oddities,
  };
}

function versionNote(text: string): string[] {
  if (/ cached[;)]/.test(text)) {
    return [
      say`note: this version (1.0 to 1.3) prints "cached" after subtracting what is allocated: reserved is allocated + cached`,
    ];
  }
  return [];
}

/** Intel's runtime refuses a single allocation over 4 GiB on many devices, however much is free. */
function xpuLimit({ sizes, text }: Message): Judged | undefined {
  const tried = sizes['tried_bytes'];
  const stated = text.includes('can NOT allocate memory block');
  const nothingHeld = (sizes['allocated_bytes']?.bytes ?? -1) === 0 && sizes['free_bytes'] === undefined;
  if (tried === undefined || (!stated && !(nothingHeld && tried.bytes > FOUR_GIB))) return undefined;
  const capacity = sizes['capacity_bytes'];
  if (capacity !== undefined && tried.bytes > capacity.bytes) return undefined;
  const inactive = sizes['inactive_bytes'];
  const allocated = sizes['allocated_bytes'];
  const judged = plainly(
    'limit-set',
    stated
      ? say`one allocation of ${showSize(tried.bytes)} is over the 4 GiB that Intel's runtime gives a single allocation`
      : say`one allocation of ${showSize(tried.bytes)} is over the 4 GiB that Intel's runtime gives a single allocation; nothing
          else is held, so memory is not short`,
    [
      say`1. size of the request: ${showSize(tried.bytes)}`,
      say`2. request > 4.00 GiB, the runtime's limit for one allocation: yes`,
      verdictStep('limit-set'),
    ],
    [
      say`Use a newer driver and oneAPI runtime with relaxed allocation limits (UR_L0_ENABLE_RELAXED_ALLOCATION_LIMITS=1), or
        split the tensor.`,
    ],
  );
  return inactive === undefined || allocated === undefined || sizes['reserved_bytes'] !== undefined
    ? judged
    : { ...judged, derived: { reserved_bytes: allocated.bytes + inactive.bytes } };
}

export const pytorchCache: TextFamily = {
  name: say`pytorch cache`,
  anchor:
    /\b[A-Za-z]{3,8} out of memory\. ?Tried to allocate (?!more than)|\((?:GPU|NPU|XPU|MLU|HPU) ?[0-9]+; [0-9.]+ ?[KMGT]?i?B total|\b(?:GPU|NPU|XPU) [0-9]+ has a total capac|can NOT allocate memory block/g,
  parts: /^(?:\(|GPU|NPU|XPU|can NOT)/,
  framework: backendOf,
  fields: FIELDS,
  judge,
};
