/**
 * A memory summary in words: what the cache holds, which part of it `empty_cache()` would give back (whole free
 * segments) and which it would not (holes in segments that are partly in use), and whether expandable segments were on.
 */
import { say } from '../../../base/said.js';
import { type Diagnosis, type Facts } from '../diagnosis.js';
import { showSize } from '../texts/printed-size.js';
import { checkIdentities, type Identity } from './identities.js';
import { type Pool, type Summary, type SummaryRow, rowFor } from './parse-summary.js';

export interface SummaryReading {
  readonly summary: Summary;
  readonly facts: Facts;
  readonly identities: readonly Identity[];
  readonly steps: readonly string[];
  readonly advice: readonly string[];
  /** The segment and non-releasable rows are all zero although memory is reserved: only expandable segments do that. */
  readonly expandable: boolean;
}

/** A table of a memory summary as a diagnosis holds it. */
export interface PrintedTable {
  readonly device: number | null;
  readonly ooms: number | null;
  readonly retries: number | null;
  readonly rows: readonly PrintedRow[];
}

/** A row: its cells as printed, and each as bytes or a count, floored as the table floors. */
interface PrintedRow {
  readonly metric: string;
  readonly pool: Pool;
  readonly printed: SummaryRow['printed'];
  readonly current: number;
  readonly peak: number;
  readonly total_allocated: number;
  readonly total_freed: number;
}

/** What a paste with memory summaries and no message gives: the diagnosis of the first, and every table. */
export interface SummaryDiagnosis extends Diagnosis {
  readonly tables: readonly PrintedTable[];
}

/** The table as plain data, so that a machine need not read it again. */
export const printedTable = ({ device, ooms, retries, rows }: Summary): PrintedTable => ({
  device: device ?? null,
  ooms: ooms ?? null,
  retries: retries ?? null,
  rows: rows.map(({ metric, pool, printed, values }) => ({
    metric,
    pool,
    printed,
    current: values.current.bytes,
    peak: values.peak.bytes,
    total_allocated: values.allocated.bytes,
    total_freed: values.freed.bytes,
  })),
});

/** Reads a table in words. Figures are the printed ones, in bytes; what the table lacks is left out. */
export function explainSummary(summary: Summary): SummaryReading {
  const bytes = (metric: RegExp): number | undefined => rowFor(summary, metric)?.values.current.bytes;
  const reserved = bytes(/reserved memory/);
  const allocated = bytes(/^Allocated memory/);
  const active = bytes(/^Active memory/) ?? allocated;
  const requested = bytes(/^Requested memory/);
  const held = bytes(/^Non-releasable memory/);
  const segments = rowFor(summary, /reserved segments/)?.values.current.bytes;
  const holes = rowFor(summary, /^Non-releasable allocs/)?.values.current.bytes;
  const inactive = reserved === undefined || active === undefined ? undefined : Math.max(0, reserved - active);
  const expandable = (reserved ?? 0) > 0 && segments === 0 && held === 0;
  const releasable = inactive === undefined || held === undefined ? undefined : Math.max(0, inactive - held);
  const facts: Record<string, number> = {};
  const put = (key: string, value: number | undefined): void => {
    if (value !== undefined) facts[key] = value;
  };
  put('device', summary.device);
  put('ooms', summary.ooms);
  put('retries', summary.retries);
  put('reserved_bytes', reserved);
  put('allocated_bytes', allocated);
  put('active_bytes', active);
  put('requested_bytes', requested);
  put('inactive_bytes', inactive);
  put('non_releasable_bytes', held);
  put('releasable_bytes', releasable);
  put('rounding_slack_bytes', requested === undefined || allocated === undefined ? undefined : allocated - requested);
  put('segments', segments);

  const identities = checkIdentities(summary);
  const broken = identities.filter((identity) => !identity.holds);
  const steps: string[] = [];
  if (reserved !== undefined && active !== undefined && inactive !== undefined) {
    steps.push(
      say`reserved ${showSize(reserved)} - active ${showSize(active)} = ${showSize(inactive)} cached and not in use`,
    );
  }
  if (expandable) {
    steps.push(
      say`segment and non-releasable rows are 0 although memory is reserved: expandable segments are on, and these rows do not
        count them`,
    );
  } else if (held !== undefined && releasable !== undefined) {
    steps.push(
      holes === undefined
        ? say`of that, ${showSize(held)} is non-releasable: holes in segments that are partly in use, which empty_cache()
            cannot give back`
        : say`of that, ${showSize(held)} is non-releasable, in ${holes} free blocks: holes in segments that are partly in use,
            which empty_cache() cannot give back`,
      say`and ${showSize(releasable)} is in segments that are wholly free: empty_cache() gives that back to the device`,
    );
  }
  if (requested !== undefined && allocated !== undefined && allocated > requested) {
    steps.push(say`rounding: ${showSize(allocated - requested)} of the allocated bytes were not asked for`);
  }
  steps.push(
    broken.length === 0
      ? say`${identities.length} identities checked, 0 broken`
      : say`${identities.length} identities checked, ${broken.length} broken:
          ${broken.map((identity) => `${identity.name} (${identity.detail})`).join('; ')}`,
  );
  return { summary, facts, identities, steps, advice: adviceOf(summary, held, releasable, expandable), expandable };
}

function adviceOf(
  summary: Summary,
  held: number | undefined,
  releasable: number | undefined,
  expandable: boolean,
): string[] {
  const lines: string[] = [];
  if (!expandable && held !== undefined && releasable !== undefined) {
    lines.push(
      releasable > held
        ? say`torch.cuda.empty_cache() would give ${showSize(releasable)} back to other users of the device and keep ${showSize(held)}.`
        : say`torch.cuda.empty_cache() would give back only ${showSize(releasable)}; ${showSize(held)} stays in partly used segments.`,
    );
  }
  if (expandable) {
    lines.push(
      say`expandable_segments is on: empty_cache() unmaps whole free pages (2 MiB small, 20 MiB large pool), these rows do not show how many.`,
    );
  }
  if ((summary.retries ?? 0) > 0) {
    lines.push(
      say`${summary.retries ?? 0} times the allocator flushed its whole cache and tried again: each costs a device synchronisation, and many
        mean that the job runs at the edge.`,
    );
  }
  lines.push(
    say`nvidia-smi shows more than GPU reserved memory: the CUDA context, cuBLAS and cuDNN workspaces, NCCL buffers and other processes are outside this table.`,
  );
  return lines;
}
