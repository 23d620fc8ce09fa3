/** What a replay found, as the data of `vramlab replay --json` and as text for people. */
import { formatBytes } from '../../base/format.js';
import { type AllocatorSetup } from '../allocator/registry.js';
import { type Fragmentation } from './fragmentation.js';
import { type FailureStory, storyJson } from './failure-story.js';
import { type Pin } from './pins.js';
import { type ReplayResult } from './replay.js';
import { storyText } from './story-text.js';
import { CATEGORY_NAMES } from './trace.js';

export const REPLAY_SCHEMA = 'vramlab-replay';
const VERSION = 1;

export interface ReplayFacts {
  /** Name of the trace, or the file it is in. */
  readonly name: string;
  readonly setup: AllocatorSetup;
  readonly result: ReplayResult;
  /** The heap after the last operation. */
  readonly end: Fragmentation;
  readonly stats: Readonly<Record<string, number>>;
  /** Why the first failure happened; undefined when there was none. */
  readonly story?: FailureStory | undefined;
}

/** The object behind `--json`. Sizes are bytes. */
export function replayJson({ name, setup, result, end, stats, story }: ReplayFacts): Record<string, unknown> {
  const { outcome } = result;
  return {
    schema: REPLAY_SCHEMA,
    version: VERSION,
    name,
    allocator: setup.name,
    conf: setup.conf ?? '',
    torch: setup.name === 'caching' ? (setup.torch ?? '2.6') : null,
    capacity: setup.capacity,
    fraction: setup.fraction ?? null,
    operations: result.operations,
    outcome: outcome.status,
    oom_count: result.failures,
    oom:
      outcome.status === 'completed'
        ? null
        : {
            operation: outcome.operation,
            id: outcome.id,
            requested: outcome.failure.requested,
            total_free: outcome.failure.totalFree,
            largest_free: outcome.failure.largestFree,
            reserved: outcome.failure.reserved,
            allocated: outcome.failure.allocated,
            device_free: outcome.failure.deviceFree,
            error: outcome.failure.text,
            pins: outcome.pins.map(pinJson),
            story: story === undefined ? null : storyJson(story),
          },
    peak_allocated: result.peakAllocated,
    peak_reserved: result.peakReserved,
    peak_requested: result.peakRequested,
    final: {
      reserved: end.reserved,
      allocated: end.allocated,
      requested: end.requested,
      pending: end.pending,
      free: end.free,
      free_blocks: end.freeBlocks,
      largest_free: end.largestFree,
      sum_of_squares: end.sumOfSquares,
      external_fragmentation: end.external,
      internal_waste: end.internal,
      cache_waste: end.cacheWaste,
    },
    stats,
  };
}

const pinJson = (pin: Pin) => ({
  address: pin.address,
  size: pin.size,
  free: pin.free,
  largest_free: pin.largestFree,
  tensors: pin.tensors.map((tensor) => ({
    id: tensor.id,
    size: tensor.size,
    operation: tensor.operation,
    category: CATEGORY_NAMES[tensor.category] ?? 'unknown',
    ...(tensor.label === '' ? {} : { label: tensor.label }),
  })),
});

/** The result in lines for people: outcome, peaks, fragmentation, calls to the device; at an OOM the arithmetic. */
export function replayText(facts: ReplayFacts): string {
  const { name, setup, result, end } = facts;
  const lines = [
    `${name}: ${result.operations} operations on ${allocatorWords(setup)}`,
    result.outcome.status === 'completed'
      ? 'outcome: completed'
      : `outcome: out of memory, first at operation ${result.outcome.operation}; ${result.failures} in all`,
    '',
    ...outOfMemoryLines(result, facts.story),
    `peak allocated      ${both(result.peakAllocated)}`,
    `peak reserved       ${both(result.peakReserved)}`,
    `peak requested      ${both(result.peakRequested)}`,
    '',
    'at the end',
    `  reserved          ${both(end.reserved)}`,
    `  allocated         ${both(end.allocated)}`,
    `  internal waste    ${both(end.internal)} = allocated - requested`,
    `  free in the cache ${both(end.free)} in ${end.freeBlocks} blocks, largest ${formatBytes(end.largestFree)}`,
    `  external          ${end.external.toFixed(3)} = 1 - largest free / free`,
    `  cache waste       ${end.cacheWaste.toFixed(3)} = free / reserved`,
    ...deviceLines(facts.stats),
  ];
  return `${lines.join('\n')}\n`;
}

function allocatorWords({ name, conf, torch, capacity, fraction }: AllocatorSetup): string {
  const parts = [
    `${name}${name === 'caching' ? ` (PyTorch ${torch ?? '2.6'})` : ''}`,
    `capacity ${formatBytes(capacity)}`,
    ...(conf === undefined || conf === '' ? [] : [`conf ${conf}`]),
    ...(fraction === undefined ? [] : [`fraction ${fraction}`]),
  ];
  return parts.join(', ');
}

function outOfMemoryLines({ outcome }: ReplayResult, story: FailureStory | undefined): string[] {
  if (outcome.status === 'completed') return [];
  const lines = story === undefined ? [] : [...storyText(story, outcome.pins), ''];
  return [outcome.failure.text, '', ...lines];
}

function deviceLines(stats: Readonly<Record<string, number>>): string[] {
  const calls = stats['num_device_alloc'];
  if (calls === undefined) return [];
  return [
    '',
    `calls to the device ${calls} allocations, ${stats['num_device_free'] ?? 0} frees, ` +
      `${stats['num_alloc_retries'] ?? 0} retries after a flush, ${stats['num_sync_all_streams'] ?? 0} synchronisations`,
  ];
}

/** `1.5 GiB (1610612736 B)`: for people and for arithmetic. */
const both = (size: number): string => `${formatBytes(size).padEnd(10)} (${size} B)`;
