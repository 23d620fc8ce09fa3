/**
 * Reads `torch.cuda.memory_summary()` tables out of a pasted text: today's form and those of older versions (KB for
 * KiB, no Requested row, no Oversize rows), cut tables, two lines joined, comment marks in front.
 */
import { type Printed } from '../texts/printed-size.js';

export type Column = 'current' | 'peak' | 'allocated' | 'freed';
export type Pool = 'all' | 'large' | 'small';

export interface SummaryRow {
  /** `Allocated memory`, `GPU reserved memory`, `Allocations`, ...: the row it belongs to. */
  readonly metric: string;
  readonly pool: Pool;
  /** The cells as printed, single spaces. */
  readonly printed: readonly [string, string, string, string];
  /** Bytes, or a count; the true value lies in [low, high], because the table floors. */
  readonly values: Readonly<Record<Column, Printed>>;
  readonly counts: boolean;
}

export interface Summary {
  readonly device: number | undefined;
  readonly ooms: number | undefined;
  readonly retries: number | undefined;
  readonly rows: readonly SummaryRow[];
}

const HEADER = /memory summary, device ID (\d+)/i;
const EVENTS = /(?:CUDA|HIP|XPU|NPU) OOMs: *(\d+) *\| *\w+ retries: *(\d+)/;
const CELL = String.raw` *(-?\d+ ?(?:[KMGTPE]?i?B|[KMGTP])?) *`;
const ROW = new RegExp(String.raw`\| *([A-Za-z][A-Za-z -]{3,40}?) *\|${CELL}\|${CELL}\|${CELL}\|${CELL}\|`);
const POOL = /^from (large|small) pool$/;
const BINARY: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4, P: 5, E: 6 };

/** Every table in the lines, in order. A table begins at its title, or at the first row where the title is cut off. */
export function parseSummaries(lines: readonly string[]): readonly Summary[] {
  const tables: Summary[] = [];
  let device: number | undefined;
  let events: readonly [number, number] | undefined;
  let rows: SummaryRow[] = [];
  let metric = '';
  const flush = (): void => {
    if (rows.length > 0) tables.push({ device, ooms: events?.[0], retries: events?.[1], rows });
    rows = [];
    events = undefined;
    device = undefined;
    metric = '';
  };
  for (const line of lines) {
    const header = HEADER.exec(line);
    if (header !== null) {
      flush();
      device = Number(header[1]);
    }
    const counted = EVENTS.exec(line);
    if (counted !== null) events = [Number(counted[1]), Number(counted[2])];
    const cells = ROW.exec(line);
    if (cells === null) continue;
    const label = (cells[1] ?? '').trim();
    const pool = POOL.exec(label)?.[1];
    if (pool === undefined) metric = label;
    if (metric === '') continue;
    const printed = [cells[2], cells[3], cells[4], cells[5]].map((cell) => (cell ?? '').trim().replace(/ +/g, ' '));
    rows.push(rowOf(metric, pool === 'large' || pool === 'small' ? pool : 'all', printed));
  }
  flush();
  return tables;
}

function rowOf(metric: string, pool: Pool, printed: readonly string[]): SummaryRow {
  const [current = '', peak = '', allocated = '', freed = ''] = printed;
  return {
    metric,
    pool,
    printed: [current, peak, allocated, freed],
    values: { current: cell(current), peak: cell(peak), allocated: cell(allocated), freed: cell(freed) },
    counts: !/memory/i.test(metric),
  };
}

/** A printed cell: sizes are floored to their binary unit ("KB" is KiB), counts to thousands or millions. */
function cell(text: string): Printed {
  const [, digits = '0', unitText = ''] = /^(-?\d+) ?(\D*)$/.exec(text) ?? [];
  const isSize = unitText.endsWith('B');
  const exponent = BINARY[isSize ? unitText.slice(0, -1).replace('i', '') : unitText] ?? 0;
  const unit = isSize ? 1024 ** exponent : 1000 ** exponent;
  const low = Number(digits) * unit;
  return { bytes: low, low, high: low + unit - 1 };
}

/** The row of a metric and pool, undefined where the table is cut or the version has none. */
export const rowFor = (summary: Summary, metric: RegExp, pool: Pool = 'all'): SummaryRow | undefined =>
  summary.rows.find((row) => row.pool === pool && metric.test(row.metric));
