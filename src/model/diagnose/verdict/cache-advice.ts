/**
 * What to do about a verdict on PyTorch's caching allocator. It knows the settings in force, so it never advises one
 * that is already on, and it names the memory that the cache does not know of.
 */
import { say } from '../../../base/said.js';
import { type Verdict } from '../diagnosis.js';
import { type Settings, isExpandable } from '../texts/settings.js';
import { showSize } from '../texts/printed-size.js';
import { type Figures, outsideOf } from './figures.js';
import { suspectedFraction } from './cache-rule.js';

export interface AdviceInput {
  readonly verdict: Verdict;
  readonly figures: Figures;
  readonly settings: Settings;
  /** Expandable segments exist for CUDA and HIP; XPU, NPU and others name their own variable. */
  readonly backend: string;
  /** The figures come from a snapshot: what it tells by itself is not advised. */
  readonly hasSnapshot?: boolean;
}

/** Advice lines, the most useful first. */
export function adviseCache(input: AdviceInput): readonly string[] {
  const { verdict, figures } = input;
  const lines: string[] = [];
  if (verdict === 'fragmentation') lines.push(...againstFragmentation(input));
  if (verdict === 'true-shortage') lines.push(...againstShortage(figures));
  if (verdict === 'limit-set') {
    lines.push(
      say`Raise or remove the limit: torch.cuda.set_per_process_memory_fraction(1.0), or per_process_memory_fraction in
        ${input.settings.variable}. A container, MIG slice or scheduler can set one too.`,
    );
  }
  if (verdict === 'other-process') lines.push(...againstOthers(figures));
  if (verdict === 'unknown') lines.push(...whenUnknown(figures));
  lines.push(...outsideTheCache(figures));
  if (input.settings.source !== undefined) lines.push(say`Settings seen in the log: ${input.settings.source}.`);
  return lines;
}

function againstFragmentation({ figures, settings, backend, hasSnapshot = false }: AdviceInput): string[] {
  const lines: string[] = [];
  const maxSplit = settings.options['max_split_size_mb'];
  if (isExpandable(settings)) {
    lines.push(
      say`expandable_segments is on already, so the hint in the text does not help: holes remain where live tensors keep
        pages mapped. Free long-lived tensors that sit between short-lived ones, or allocate them first.`,
    );
    if (maxSplit !== undefined) {
      lines.push(
        say`Drop max_split_size_mb (${maxSplit}): together with expandable_segments memory can grow without bound (pytorch#123548).`,
      );
    }
  } else if (backend === 'pytorch-cuda' || backend === 'pytorch-hip') {
    lines.push(
      say`Set ${settings.variable}=expandable_segments:True before the first allocation: cached memory then grows in one
        address range instead of separate segments. Not with CUDA IPC of tensors between processes on older versions.`,
    );
    if (maxSplit === undefined) {
      lines.push(
        hasSnapshot
          ? say`Where expandable segments cannot be used, max_split_size_mb keeps large segments whole; \`vramlab whatif\` on
              this file computes which value would have fitted.`
          : say`Where expandable segments cannot be used, max_split_size_mb keeps large segments whole; a memory snapshot of
              the run lets \`vramlab whatif\` compute the value that fits instead of guessing it.`,
      );
    }
  }
  lines.push(
    say`Preallocate what grows (concatenated caches, variable batch lengths: run the longest first): a tensor that grows by
      copying needs old and new at once and leaves holes.`,
  );
  lines.push(
    say`empty_cache() gives back only segments that are wholly free; the allocator has done that itself before it failed, so
      calling it right here does not help.`,
  );
  const need = figures.tried;
  if (need !== undefined && !hasSnapshot) {
    lines.push(
      say`Record the run with torch.cuda.memory._record_memory_history() and _dump_snapshot(): \`vramlab explain\` then names
        the blocks that pin the segments and the smallest set of frees that yields ${showSize(need.bytes)}.`,
    );
  }
  return lines;
}

function againstShortage(figures: Figures): string[] {
  const { tried, capacity } = figures;
  if (tried !== undefined && capacity !== undefined && tried.bytes > capacity.bytes) {
    return [
      say`No setting can place ${showSize(tried.bytes)} on ${showSize(capacity.bytes)}: look for a shape that is wrong or
        quadratic (attention scores, a broadcast, an outer product), and split the operation.`,
    ];
  }
  const there = (figures.inactive?.bytes ?? 0) + (figures.free?.bytes ?? 0);
  const short = tried === undefined ? undefined : showSize(Math.max(0, tried.bytes - there));
  return [
    short === undefined
      ? say`Use less at once: a smaller batch with gradient accumulation, activation checkpointing, lower precision, sharded
          or offloaded optimizer state. Allocator settings cannot make up a true shortage.`
      : say`Use less at once, by at least ${short}: a smaller batch with gradient accumulation, activation checkpointing, lower
          precision, sharded or offloaded optimizer state. Allocator settings cannot make up a true shortage.`,
    say`See what is live: torch.cuda.memory_summary(), or a memory snapshot, by call site. Tensors kept by a list of losses,
      by a caught exception or by the autograd graph count as live.`,
  ];
}

function againstOthers(figures: Figures): string[] {
  const find = say`Find who holds it: nvidia-smi (or rocm-smi, npu-smi) lists processes; a dead run, a notebook kernel, another
    rank on the same device, the desktop.`;
  return [
    figures.others.length === 0 ? find : say`${find} The text lists ${figures.others.map(showSize).join(', ')}.`,
    say`Pick another device (CUDA_VISIBLE_DEVICES), or end the other process; no allocator setting gives this memory back.`,
  ];
}

function whenUnknown(figures: Figures): string[] {
  const fraction = suspectedFraction(figures);
  const lines: string[] = [];
  if (fraction !== undefined) {
    lines.push(
      say`Look for set_per_process_memory_fraction(${fraction}) or a similar limit: the cache stopped right at that share of the device.`,
    );
  }
  if (figures.tried !== undefined && figures.free !== undefined && figures.free.bytes >= figures.tried.bytes) {
    lines.push(
      say`Check limits that the device does not report: ulimit -v and container memory, a memory fraction, a per-allocation
        limit of the driver, and whether another process freed memory between the failure and the reading.`,
    );
  } else {
    lines.push(
      say`Paste the whole message, the memory_summary() that follows it, or a memory snapshot: more figures decide it.`,
    );
  }
  return lines;
}

/** Why nvidia-smi shows more than the cache: contexts, libraries, communication buffers, other processes. */
function outsideTheCache(figures: Figures): string[] {
  const lines: string[] = [];
  const { thisProcess, reserved, free, capacity } = figures;
  if (thisProcess !== undefined && reserved !== undefined && thisProcess.bytes > reserved.bytes) {
    lines.push(
      say`This process holds ${showSize(thisProcess.bytes - reserved.bytes)} outside PyTorch's cache: the CUDA context and
        kernels, cuBLAS and cuDNN workspaces, NCCL buffers. nvidia-smi counts it, memory_allocated() does not.`,
    );
  }
  const outside = outsideOf(figures);
  if (outside !== undefined && outside.size.bytes > 0 && free !== undefined && capacity !== undefined) {
    lines.push(
      say`nvidia-smi shows about ${showSize(capacity.bytes - free.bytes)} in use; the part that this text does not account
        for is ${outside.formula} = ${showSize(outside.size.bytes)}: contexts (some hundred MiB a process), NCCL, the
        display, other processes.`,
    );
  }
  return lines;
}
