/** The hard limit of a run on the bytes of buffers that live at once. */
import { badInput } from '../base/errors.js';
import { say } from '../base/said.js';
import { formatBytes } from '../base/format.js';
import { type RunRequest } from '../engine/protocol.js';
import { type AdapterFacts } from '../model/report/schema.js';
import { PROBE_BYTES } from './bench.js';

/** Bytes that an adapter has, as far as anything tells: its heaps, or the machine's for a software one; 0 if nothing does. */
function knownMemory(adapter: AdapterFacts, hostMemoryBytes = 0): number {
  const heap = Math.max(0, ...(adapter.memoryHeaps ?? []).map(({ sizeBytes }) => sizeBytes));
  return Math.max(heap, adapter.class === 'software' ? hostMemoryBytes : 0);
}

/** Refuses a budget that nothing can be measured with; needs no adapter. `option` names it. Throws `AppError` (`bad-input`). */
export function checkLeastBudget(option: string, budgetBytes: number): void {
  if (budgetBytes >= PROBE_BYTES) return;
  throw badInput(
    option,
    say`${option}: ${formatBytes(budgetBytes)} is too small to measure with; give at least ${formatBytes(PROBE_BYTES)}`,
  );
}

/** Refuses a budget over the adapter's memory, where that is known. Throws as `checkLeastBudget` does. */
export function checkMostBudget(
  option: string,
  budgetBytes: number,
  adapter: AdapterFacts,
  hostMemoryBytes?: number,
): void {
  const most = knownMemory(adapter, hostMemoryBytes);
  if (most === 0 || budgetBytes <= most) return;
  throw badInput(
    option,
    say`${option}: ${formatBytes(budgetBytes)} is more than this adapter has (${formatBytes(most)}); give less`,
  );
}

/** What a budget that nobody chose may be of what the adapter has. */
const MODEST_SHARE = 4;

/** The budget of a run: what was asked for; where nobody asked, at most a quarter of what is known to be there. */
export function modestBudget(
  {
    budgetBytes,
    isBudgetAsked,
    hostMemoryBytes,
  }: Pick<RunRequest, 'budgetBytes' | 'isBudgetAsked' | 'hostMemoryBytes'>,
  adapter: AdapterFacts,
): number {
  const known = knownMemory(adapter, hostMemoryBytes);
  if (isBudgetAsked === true || known === 0) return budgetBytes;
  return Math.min(budgetBytes, Math.max(PROBE_BYTES, Math.floor(known / MODEST_SHARE)));
}
