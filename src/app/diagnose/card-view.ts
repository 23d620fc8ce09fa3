/** The verdict card in words: which state it is in, what stands first, and the sums beside it. */
import { msg } from '@lit/localize';
import { headlineOf, hasTwoCauses } from '../../model/diagnose/card/headline.js';
import { type Remedy, remedyOf } from '../../model/diagnose/card/remedy.js';
import { isSnapshotDiagnosis, sumsOf, type Sum } from '../../model/diagnose/card/sums.js';
import { isExact } from '../../model/snapshot/fidelity.js';
import { type Fidelity } from '../../model/snapshot/fidelity-figures.js';
import { answered, isSettled, type ReadyFile, type ReadySweep, rowKind } from './desk-state.js';
import {
  fidelityWords,
  headlineWords,
  remedyWords,
  stopsWords,
  tagWords,
  twoCausesWords,
  verdictWords,
} from './diagnose-words.js';

export interface CardView {
  /** Which mark stands before the state: fits, fails, or neither is known. */
  readonly tone: 'ok' | 'bad' | 'unknown';
  readonly state: string;
  /** One or two lines: the cause, then what would have fitted. */
  readonly headlines: readonly string[];
  /** The reasons, as the model gives them. */
  readonly why: string;
  readonly fidelity: { readonly text: string; readonly isExact: boolean } | undefined;
  readonly sums: readonly Sum[];
  readonly steps: readonly string[];
  readonly advice: readonly string[];
  readonly oddities: readonly string[];
  /** Entry of the failure that is judged; undefined without one. */
  readonly event: number | undefined;
}

/** The card of a file; grows as the rows of its sweep come in. */
export function cardOf({ diagnosis, snapshot }: ReadyFile): CardView {
  const sweep = snapshot?.sweep.phase === 'ready' ? snapshot.sweep : undefined;
  const remedy = sweep === undefined ? undefined : sweepRemedy(sweep);
  const head = headlineWords(headlineOf(diagnosis));
  const asked = sweep === undefined || !isAskedOtherwise(sweep) ? undefined : stateOfQuestion(sweep);
  const fidelity = isSnapshotDiagnosis(diagnosis)
    ? diagnosis.fidelity.find(({ device }) => device === snapshot?.device)
    : undefined;
  const { verdict, why, steps, advice, oddities } = diagnosis;
  return {
    tone: asked?.tone ?? (verdict === 'unknown' ? 'unknown' : 'bad'),
    state: asked?.state ?? (hasTwoCauses(diagnosis) ? twoCausesWords(verdict) : verdictWords(verdict)),
    headlines: [
      ...(head === undefined ? [] : [head]),
      ...(remedy === undefined || sweep?.capacity === undefined ? [] : [remedyWords(remedy, sweep.capacity)]),
    ],
    why,
    fidelity: fidelity === undefined ? undefined : fidelityView(fidelity),
    sums: sumsOf(diagnosis),
    steps,
    advice,
    oddities,
    event: isSnapshotDiagnosis(diagnosis)
      ? diagnosis.oom_state.filter(({ device }) => device === snapshot?.device).at(-1)?.event
      : undefined,
  };
}

const fidelityView = (fidelity: Fidelity): CardView['fidelity'] => ({
  text: fidelityWords(fidelity),
  isExact: isExact(fidelity),
});

/** Whether the person asks about a size that the recording does not tell. */
const isAskedOtherwise = ({ capacity, input }: ReadySweep): boolean =>
  capacity !== undefined && capacity !== input.capacity;

function stateOfQuestion(sweep: ReadySweep): Pick<CardView, 'tone' | 'state'> | undefined {
  const baseline = answered(sweep)[0];
  if (sweep.rows[0]?.state.phase !== 'done' || baseline === undefined || sweep.capacity === undefined) return undefined;
  const { failed_at: failure, fits } = baseline.row;
  if (fits === true) return { tone: 'ok', state: msg('Fits', { desc: 'verdict: the program on the asked device' }) };
  if (failure === undefined) return undefined;
  const event = sweep.input.events?.[failure.operation] ?? failure.operation;
  return { tone: 'bad', state: stopsWords(sweep.capacity, event, failure.size) };
}

/** What the rows that are in come to; undefined while one that is out could change it, or where no size is known. */
export function sweepRemedy(sweep: ReadySweep): Remedy | undefined {
  const [first, ...others] = sweep.rows;
  if (sweep.capacity === undefined || first?.state.phase !== 'done') return undefined;
  const rowsOf = (kind: 'setting' | 'code') =>
    others.flatMap(({ change, state }) => (rowKind(change) === kind && state.phase === 'done' ? [state.row] : []));
  const rows = { settings: rowsOf('setting'), code: rowsOf('code') };
  return remedyOf(first.state.row, rows, sweep.capacity, isSettled(sweep));
}

/** A word for the list of files: of the question where one was asked, else of the verdict. */
export function fileTag(file: ReadyFile): { readonly text: string; readonly isBad: boolean } {
  const sweep = file.snapshot?.sweep.phase === 'ready' ? file.snapshot.sweep : undefined;
  const first = sweep?.rows[0]?.state;
  if (file.diagnosis.verdict === 'unknown' && first?.phase === 'done' && first.row.fits !== null) {
    return first.row.fits
      ? { text: msg('fits', { desc: 'tag of a file' }), isBad: false }
      : { text: msg('does not fit', { desc: 'tag of a file' }), isBad: true };
  }
  return { text: tagWords(file.diagnosis.verdict), isBad: file.diagnosis.verdict !== 'unknown' };
}
