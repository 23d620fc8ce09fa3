/**
 * What must hold between the cells of a memory summary, within what flooring can hide: a row's total is the sum of its
 * pools, current is allocated minus freed, no peak lies under its current value, and memory that cannot be given back is
 * part of what is reserved and not active.
 */
import { type Printed, difference, sum } from '../texts/printed-size.js';
import { type Column, type Summary, type SummaryRow, rowFor } from './parse-summary.js';

export interface Identity {
  /** `Allocated memory, current: all = large + small`. */
  readonly name: string;
  readonly holds: boolean;
  /** Both sides with the interval that flooring leaves. */
  readonly detail: string;
}

const COLUMN_NAMES: readonly (readonly [Column, string])[] = [
  ['current', 'current'],
  ['peak', 'peak'],
  ['allocated', 'total allocated'],
  ['freed', 'total freed'],
];

/** Checks every identity that the table has the rows for. */
export function checkIdentities(summary: Summary): readonly Identity[] {
  const found: Identity[] = [];
  for (const row of summary.rows) {
    found.push(
      equal(
        `${name(row)}, current = total allocated - total freed`,
        row.values.current,
        difference(row.values.allocated, row.values.freed),
      ),
      atMost(`${name(row)}, current <= peak`, row.values.current, row.values.peak),
    );
  }
  for (const row of summary.rows) {
    if (row.pool !== 'all') continue;
    const large = summary.rows.find((other) => other.metric === row.metric && other.pool === 'large');
    const small = summary.rows.find((other) => other.metric === row.metric && other.pool === 'small');
    if (large === undefined || small === undefined) continue;
    for (const [column, title] of COLUMN_NAMES) {
      const both = sum(large.values[column], small.values[column]);
      // Two peaks need not be at the same moment: their sum bounds the peak of both.
      found.push(
        column === 'peak'
          ? atMost(`${row.metric}, peak <= large + small`, row.values.peak, both)
          : equal(`${row.metric}, ${title}: all = large + small`, row.values[column], both),
      );
    }
  }
  return [...found, ...acrossRows(summary)];
}

function acrossRows(summary: Summary): Identity[] {
  const found: Identity[] = [];
  for (const pool of ['all', 'large', 'small'] as const) {
    const at = (metric: RegExp): Printed | undefined => rowFor(summary, metric, pool)?.values.current;
    const suffix = pool === 'all' ? '' : ` (${pool} pool)`;
    const allocated = at(/^Allocated memory/);
    const active = at(/^Active memory/);
    const requested = at(/^Requested memory/);
    const reserved = at(/reserved memory/);
    const held = at(/^Non-releasable memory/);
    if (allocated !== undefined && active !== undefined) {
      found.push(atMost(`allocated <= active${suffix}`, allocated, active));
    }
    if (requested !== undefined && active !== undefined) {
      found.push(atMost(`requested <= active${suffix}`, requested, active));
    }
    if (active !== undefined && reserved !== undefined)
      found.push(atMost(`active <= reserved${suffix}`, active, reserved));
    if (active !== undefined && reserved !== undefined && held !== undefined) {
      found.push(atMost(`non-releasable <= reserved - active${suffix}`, held, difference(reserved, active)));
    }
  }
  return found;
}

const name = (row: SummaryRow): string => (row.pool === 'all' ? row.metric : `${row.metric} (${row.pool} pool)`);
const interval = (value: Printed): string => `[${value.low}, ${value.high}]`;

function equal(title: string, left: Printed, right: Printed): Identity {
  const holds = left.low <= right.high && left.high >= right.low;
  return { name: title, holds, detail: `${interval(left)} meets ${interval(right)}` };
}

function atMost(title: string, left: Printed, right: Printed): Identity {
  return { name: title, holds: left.low <= right.high, detail: `${interval(left)} <= ${interval(right)}` };
}
