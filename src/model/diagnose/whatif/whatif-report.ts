/** The answer of `vramlab whatif` (DESIGN section 5): one row a change, beside the model's own fresh start. */
import { formatNumber } from '../../../base/format.js';
import { say } from '../../../base/said.js';
import { showSize } from '../texts/printed-size.js';
import { type ReportTable } from '../tables.js';
import { bestRow, needOf } from '../card/remedy.js';
import { fidelityStep } from '../snapshot/fidelity-step.js';
import { type Change, collectsGarbage, settingChange, uncheckedRules } from './changes.js';
import { type Question, type WhatIfRow } from './run-change.js';
import { type WhatIfInput } from './whatif-input.js';

export interface WhatIf {
  readonly schema: 'vramlab-whatif';
  readonly version: 1;
  readonly name: string;
  readonly device: number | null;
  /** Bytes that every row had; null where nothing tells how large the device is. */
  readonly capacity: number | null;
  /** The recorded settings on a fresh start: what the rows compare with, not the real figure. */
  readonly baseline: WhatIfRow;
  readonly rows: readonly (WhatIfRow & { readonly unchecked: readonly string[] })[];
  /** False when it was stopped: the changes without a row are in `missing`. */
  readonly complete: boolean;
  readonly missing: readonly string[];
  /** What a reader must know before believing a row. */
  readonly notes: readonly string[];
}

/** The baseline as a change, and the changes asked about. */
export const baselineOf = (input: WhatIfInput): Change => settingChange(input.conf);

/**
 * Puts the rows together. `rows[0]` is the baseline's, the others are in the order of `changes`; undefined where a sweep
 * was stopped before it came to one.
 */
export function whatIf(
  input: WhatIfInput,
  changes: readonly Change[],
  rows: readonly (WhatIfRow | undefined)[],
  question: Question,
): WhatIf {
  const [baseline, ...others] = rows;
  if (baseline === undefined) throw new Error('a sweep begins with its baseline');
  const missing = changes.flatMap((change, index) =>
    others[index] === undefined ? [`${change.allocator} ${change.setting}`] : [],
  );
  return {
    schema: 'vramlab-whatif',
    version: 1,
    name: input.name,
    device: input.recorded?.device ?? null,
    capacity: question.capacity ?? null,
    baseline,
    rows: changes.flatMap((change, index) => {
      const row = others[index];
      return row === undefined ? [] : [{ ...row, unchecked: uncheckedRules(change) }];
    }),
    complete: missing.length === 0,
    missing,
    notes: [...stoppedNote(changes, rows.slice(1)), ...notesOn(input, changes, question)],
  };
}

function stoppedNote(changes: readonly Change[], rows: readonly (WhatIfRow | undefined)[]): string[] {
  const missing = changes.filter((_, index) => rows[index] === undefined);
  if (missing.length === 0) return [];
  const names = missing.map(({ allocator, setting }) =>
    allocator === 'caching' ? setting : setting === 'default' ? allocator : `${allocator} ${setting}`,
  );
  return [
    say`Incomplete: stopped after ${formatNumber(changes.length - missing.length)} of ${formatNumber(changes.length)} changes.
      Not answered: ${names.join('; ')}.`,
  ];
}

function notesOn(input: WhatIfInput, changes: readonly Change[], { capacity, search }: Question): string[] {
  const { recorded } = input;
  const notes = [
    say`The baseline is the same program on an empty model with the recorded settings; compare rows with it, not with the
      figures of the real run, whose heap had a history.`,
  ];
  if (recorded !== undefined) {
    notes.push(fidelityStep(recorded.fidelity));
    if (!recorded.isExact) {
      notes.push(say`The model does not repeat this run exactly, so every row is an estimate.`);
    }
    if (recorded.startOperations > 0) {
      notes.push(
        say`${formatNumber(recorded.startOperations)} blocks were live when the trace began; they are placed in the order of
          their addresses.`,
      );
    }
    if (recorded.usesPrivatePools) {
      notes.push(
        say`The run used private pools (CUDA graphs). PyTorch's rows keep them apart as far as the snapshot names them: pools
          of segments that were given back are known only from entries with a pool_id, and a pool counts as in use to the
          end. Other allocators have none and put everything together.`,
      );
    }
    if (recorded.otherDevices.length > 0) {
      notes.push(
        say`Only device ${recorded.device} is replayed; others with a trace: ${recorded.otherDevices.join(', ')}.`,
      );
    }
  }
  if (capacity === undefined) {
    notes.push(say`Nothing tells how large the device is, so whether a row fits is not said; give --capacity.`);
    if (changes.some(({ conf }) => collectsGarbage(conf))) {
      notes.push(
        say`Without a capacity garbage_collection_threshold has no limit to work against and changes nothing.`,
      );
    }
  }
  const unchecked = [...new Set(changes.flatMap(uncheckedRules))];
  if (unchecked.length > 0) {
    notes.push(
      say`Rules never checked on a real trace: ${unchecked.join(', ')}. They are exact against PyTorch's own allocator run
        operation by operation.`,
    );
  }
  if (!search) notes.push(say`The smallest capacity was not searched for: the trace is long; --smallest does it.`);
  return notes;
}

const HEADER = [
  say`setting`,
  say`allocator`,
  say`peak reserved`,
  say`against baseline`,
  say`fits`,
  say`retries`,
  say`device calls`,
  say`smallest`,
] as const;

const tableRows = ({ baseline, rows }: WhatIf): string[][] => [
  cells(baseline, baseline, say`baseline: ${baseline.setting}`),
  ...rows.map((row) => cells(row, baseline)),
];

const titleOf = ({ name, capacity }: WhatIf): string =>
  capacity === null ? say`${name}: what if, no capacity known` : say`${name}: what if, on ${showSize(capacity)}`;

/** The answer as tables for a page: the rows, and what to know before believing them. */
export const whatIfTables = (answer: WhatIf): ReportTable[] => [
  { title: titleOf(answer), about: bestLine(answer).join(' ').trim(), header: HEADER, rows: tableRows(answer) },
  { title: say`Before you believe a row`, about: '', header: [say`note`], rows: answer.notes.map((note) => [note]) },
];

/** The answer in lines for a terminal. */
export function whatIfText(answer: WhatIf): string {
  const table: readonly (readonly string[])[] = [HEADER, ...tableRows(answer)];
  const widths = HEADER.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const lines = table.map((line) =>
    line
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [titleOf(answer), '', ...lines, '', ...bestLine(answer), ...answer.notes.map((note) => `- ${note}`)].join(
    '\n',
  );
}

function cells(row: WhatIfRow, baseline: WhatIfRow, name = row.setting): string[] {
  if (row.peak_reserved === null || baseline.peak_reserved === null) {
    return [name, row.allocator, row.reason === undefined ? say`refused` : say`refused: ${row.reason}`];
  }
  const change = row.peak_reserved - baseline.peak_reserved;
  return [
    name,
    row.allocator,
    showSize(row.peak_reserved),
    row === baseline ? '' : change === 0 ? say`same` : `${change > 0 ? '+' : '\u2212'}${showSize(Math.abs(change))}`,
    row.fits === null ? '?' : row.fits ? say`yes` : say`no, stops at ${formatNumber(row.failed_at?.operation ?? 0)}`,
    row.retries === null ? '' : formatNumber(row.retries),
    row.device_calls === null ? '' : formatNumber(row.device_calls),
    row.smallest_capacity === undefined ? '' : showSize(row.smallest_capacity),
  ];
}

/** The change that asks least of the device, of those that a person can make. */
function bestLine({ baseline, rows }: WhatIf): string[] {
  const best = bestRow(baseline, rows);
  if (best === undefined) return [say`No change asked about needs less than the baseline.`, ''];
  const need = showSize(needOf(best));
  return [
    best.fits === true && baseline.fits === false
      ? say`Best: ${best.setting} fits where the baseline does not: ${need}.`
      : say`Best: ${best.setting} needs the least: ${need}.`,
    '',
  ];
}
