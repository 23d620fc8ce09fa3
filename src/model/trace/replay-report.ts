/** What a replay found, as the data of `vramlab replay --json` and as text for people. */
import { formatBytes } from '../../base/format.js';
import { type AllocatorSetup } from '../allocator/registry.js';
import { type Fragmentation } from './fragmentation.js';
import { type FailureStory, storyJson, storyText } from './failure-story.js';
import { type Pin, type PinnedTensor } from './pins.js';
import { type ReplayResult } from './replay.js';
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

/** Segments and tensors that the text names; JSON has them all. */
const MOST_PINS = 5;
const MOST_TENSORS = 3;

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
    ...outOfMemoryLines(result),
    ...storyLines(facts.story),
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

const storyLines = (story: FailureStory | undefined): string[] =>
  story === undefined ? [] : [...storyText(story), ''];

function outOfMemoryLines({ outcome }: ReplayResult): string[] {
  if (outcome.status === 'completed') return [];
  const { failure } = outcome;
  const { requested, totalFree, largestFree, deviceFree } = failure;
  const external = totalFree === 0 ? 0 : 1 - largestFree / totalFree;
  return [
    failure.text,
    '',
    `  asked for         ${both(requested)} (tensor ${outcome.id})`,
    `  free on device    ${both(deviceFree)}`,
    `  free in the cache ${both(totalFree)}, largest block ${formatBytes(largestFree)}`,
    `  external          ${external.toFixed(3)} = 1 - largest free / free`,
    `  so                ${conclusion(requested, totalFree, largestFree, deviceFree)}`,
    ...pinLines(outcome.pins),
    '',
  ];
}

function conclusion(requested: number, totalFree: number, largestFree: number, deviceFree: number): string {
  if (deviceFree >= requested)
    return 'the device has room, but a limit (a memory fraction) keeps the allocator from taking it';
  const short = requested - totalFree - deviceFree;
  if (short > 0) return `all free memory together is ${formatBytes(short)} short of the request: a true shortage`;
  if (largestFree >= requested) {
    return 'a free block is large enough, but the allocator may not use it for this request (other pool or stream, or a limit)';
  }
  return `${formatBytes(totalFree + deviceFree)} are free, but no piece of ${formatBytes(requested)}: fragmentation`;
}

function pinLines(pins: readonly Pin[]): string[] {
  if (pins.length === 0) return [];
  const shown = pins.slice(0, MOST_PINS);
  const free = pins.reduce((sum, pin) => sum + pin.free, 0);
  const rest = pins.length - shown.length;
  return [
    '',
    `  ${pins.length} segments hold ${formatBytes(free)} free that tensors in them keep from being released:`,
    ...shown.map(
      (pin) => `    ${formatBytes(pin.free)} free of ${formatBytes(pin.size)}, kept by ${keepers(pin.tensors)}`,
    ),
    ...(rest > 0 ? [`    and ${rest} more`] : []),
  ];
}

function keepers(tensors: readonly PinnedTensor[]): string {
  if (tensors.length === 0) return 'blocks that wait for a stream';
  const names = tensors.slice(0, MOST_TENSORS).map((tensor) => {
    const category = CATEGORY_NAMES[tensor.category];
    const kind = tensor.label !== '' ? tensor.label : category === 'unknown' ? undefined : category;
    return `tensor ${tensor.id}${kind === undefined ? '' : ` (${kind})`} of ${formatBytes(tensor.size)}`;
  });
  const rest = tensors.length - names.length;
  return `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
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
