/**
 * An out-of-memory text held against the snapshot of the same process. The text prints two decimals of what the snapshot has
 * to the byte, and knows what a snapshot does not: the capacity, a limit, other processes.
 */
import { formatNumber } from '../../../base/format.js';
import { say } from '../../../base/said.js';
import { segmentSize } from '../../allocator/caching/rounding.js';
import { type OomState } from '../../snapshot/oom-states.js';
import { type Diagnosis } from '../diagnosis.js';
import { type SnapshotDiagnosis, type Surroundings } from '../snapshot/explain-snapshot.js';
import { type Printed, exactly, showSize } from '../texts/printed-size.js';

interface NamedText {
  readonly name: string;
  readonly diagnosis: Diagnosis;
}

/** Requests of 1 to 10 MiB share segments of this size. */
const LARGE_SEGMENT = 20 * 2 ** 20;
/** Figures of the text that a snapshot does not have. */
const ONLY_IN_TEXT = ['capacity_bytes', 'allowed_bytes', 'this_process_bytes', 'process_bytes'];

/** What the texts know about a failure beyond the snapshot. */
export function surroundingsOf(failure: OomState, texts: readonly NamedText[]): Surroundings {
  const text = texts.find(({ diagnosis }) => sameFailure([failure], diagnosis) !== undefined)?.diagnosis;
  if (text === undefined) return {};
  const listed = text.facts['process_bytes'];
  return {
    capacity: printed(text, 'capacity_bytes'),
    allowed: printed(text, 'allowed_bytes'),
    thisProcess: printed(text, 'this_process_bytes'),
    others: Array.isArray(listed) ? listed : [],
  };
}

/** The diagnosis of the snapshot with what the texts add and where they differ; unchanged without texts. */
export const crossChecked = (diagnosis: SnapshotDiagnosis, texts: readonly NamedText[]): SnapshotDiagnosis =>
  texts.reduce(withText, diagnosis);

function withText(result: SnapshotDiagnosis, text: NamedText): SnapshotDiagnosis {
  const failure = sameFailure(result.oom_state, text.diagnosis);
  if (failure === undefined) return withoutMatch(result, text);
  const compared = compareFigures(failure, text.diagnosis);
  const added = Object.fromEntries(
    Object.entries(text.diagnosis.facts).filter(([key]) => ONLY_IN_TEXT.includes(key) && !(key in result.facts)),
  );
  return {
    ...result,
    facts: { ...result.facts, ...added },
    steps: [
      ...result.steps,
      say`cross-check: ${text.name} is the failure at entry ${formatNumber(failure.event)} of device ${failure.device}`,
      ...compared.map(({ line }) => say`cross-check: ${line}`),
    ],
    oddities: [
      ...result.oddities,
      ...compared
        .filter(({ same }) => !same)
        .map(({ line }) => say`${text.name} and the snapshot differ: ${line}; the snapshot counts, it is exact`),
    ],
  };
}

/** The snapshot holds no such failure: the text has the verdict, the snapshot the state before or after it. */
function withoutMatch(result: SnapshotDiagnosis, { name, diagnosis }: NamedText): SnapshotDiagnosis {
  const reserved = printed(diagnosis, 'reserved_bytes');
  const state =
    reserved === undefined
      ? say`cross-check: ${name} speaks of a failure that the snapshot does not hold; the two are of different moments or
          processes`
      : say`cross-check: ${name} speaks of a failure that the snapshot does not hold: ${showSize(reserved.bytes)} reserved
          there, ${showSize(result.state.reserved_bytes)} in the dump; the two are of different moments or processes`;
  if (result.oom_state.length > 0) return { ...result, steps: [...result.steps, state] };
  return {
    ...result,
    verdict: diagnosis.verdict,
    why: say`${diagnosis.why} (from ${name}; the trace of the snapshot holds no failed request)`,
    steps: [...diagnosis.steps.map((step) => say`${name}: ${step}`), state, ...result.steps],
    advice: [...new Set([...diagnosis.advice, ...result.advice])],
  };
}

/** The failure whose request prints as the text prints it; among several the last one whose device has as much free. */
function sameFailure(failures: readonly OomState[], text: Diagnosis): OomState | undefined {
  const tried = printed(text, 'tried_bytes');
  if (tried === undefined) return undefined;
  const device = text.facts['device'];
  const fitting = failures.filter(
    (failure) =>
      (device === undefined || failure.device === device) &&
      (within(failure.tried_bytes, tried) || within(segmentSize(failure.tried_bytes, LARGE_SEGMENT), tried)),
  );
  const free = printed(text, 'free_bytes');
  const exact = free === undefined ? [] : fitting.filter((failure) => within(failure.device_free_bytes, free));
  return exact.at(-1) ?? fitting.at(-1);
}

interface Compared {
  readonly line: string;
  readonly same: boolean;
}

function compareFigures(failure: OomState, text: Diagnosis): Compared[] {
  const pairs: readonly (readonly [string, number, string])[] = [
    [say`device free`, failure.device_free_bytes, 'free_bytes'],
    [say`allocated`, failure.allocated_bytes, 'allocated_bytes'],
    [say`reserved`, failure.reserved_bytes, 'reserved_bytes'],
  ];
  return pairs.flatMap(([name, exact, key]) => {
    const shown = printed(text, key);
    if (shown === undefined || Number.isNaN(exact)) return [];
    const same = within(exact, shown);
    const verdict = same
      ? say`the same within the printed precision`
      : say`${showSize(Math.abs(exact - shown.bytes))} apart`;
    return [{ same, line: say`${name}: text ${showSize(shown.bytes)}, snapshot ${formatNumber(exact)} B: ${verdict}` }];
  });
}

/** A sum of two printed figures carries both errors, which its interval does not show. */
const SUM_SLACK = 0.011 * 2 ** 30;

const within = (exact: number, { low, high }: Printed): boolean => exact >= low && exact <= high;

function printed({ facts, ranges }: Diagnosis, key: string): Printed | undefined {
  const bytes = facts[key];
  if (typeof bytes !== 'number') return undefined;
  const range = ranges[key];
  if (range !== undefined) return { bytes, low: range[0], high: range[1] };
  return key === 'reserved_bytes' ? { bytes, low: bytes - SUM_SLACK, high: bytes + SUM_SLACK } : exactly(bytes);
}
