/** What the panes of the Lab show, from its state: outcomes, reasons, and what stands there before a run. */
import { msg } from '@lit/localize';
import { type AppState } from '../../../app/app-state.js';
import { othersTurn } from '../../../app/gpu-turns.js';
import { modelWords } from '../../../app/model-words.js';
import {
  type DoneSide,
  failureAt,
  failureWhy,
  isStopped,
  type MomentReaders,
  momentOf,
  placeOf,
} from '../../../app/lab/lab-figures.js';
import { type axisOf, type LabState, type SideState } from '../../../app/lab/lab-state.js';
import { completesWords, fitsWords, outOfMemoryWords } from '../../../app/lab/lab-words.js';
import { gpuHolderWords } from '../../../app/words.js';
import { type ProgramAxis } from '../../../model/memory-map/program-axis.js';
import { type SideOutcome } from '../../parts/side-head/side-head.js';
import { type WhyState } from '../../parts/why-panel/why-state.js';

export const LETTERS = ['A', 'B'] as const;
export type LabAxis = ReturnType<typeof axisOf>;

/** What the Why panel shows at the playhead: the failure of the side that has stopped, else the moment. */
export function whyState({ sides, view, fits }: LabState, made: LabAxis, readers: MomentReaders): WhyState {
  const done = doneOf(sides);
  if (made === undefined) return { kind: 'nothing' };
  const position = view.position ?? made.start;
  const failed = failureAt(done, made.axis, position);
  const side = done[failed ?? 0];
  if (side === undefined) return { kind: 'nothing' };
  const index = sides.indexOf(side);
  const letter = LETTERS[index] ?? 'A';
  if (failed !== undefined) return failureWhy(side, fits?.side === index ? fits : undefined, letter);
  const [a, b] = done.map(({ result }) => result);
  const bothFit =
    a !== undefined && b !== undefined && a.failure === undefined && b.failure === undefined
      ? ([a.peakReserved, b.peakReserved] as const)
      : undefined;
  return momentOf(side, readers, { operation: made.axis.operationAt(0, position), letter, bothFit });
}

/** What stands in place of the maps before there is a run. */
export function waitingWords({ plan, sides }: LabState): string {
  if (plan.status === 'refused') {
    return msg('A setting cannot be used; it says why. The runs follow when it is right.', { desc: 'Lab: no run' });
  }
  return sides.some(({ kind }) => kind === 'refused')
    ? msg('A side was refused; its head says why.', { desc: 'Lab: no run' })
    : msg('Running on the model', { desc: 'Lab: while the model runs' });
}

export const doneOf = (sides: LabState['sides']): readonly DoneSide[] =>
  sides.filter((side): side is DoneSide => side.kind === 'done');

/** How a side stands at the playhead. */
export function outcomeOf(
  side: SideState | undefined,
  at: {
    readonly axis: ProgramAxis | undefined;
    readonly run: number;
    readonly position: number;
    readonly isShort: boolean;
  },
): SideOutcome {
  switch (side?.kind) {
    case undefined:
    case 'waiting':
    case 'running':
      return { kind: side?.kind ?? 'waiting' };
    case 'refused':
      return { kind: 'refused', words: modelWords(side.words) };
    case 'done': {
      const { failure, peakReserved, run: made } = side.result;
      if (failure === undefined) {
        return { kind: 'completes', words: at.isShort ? fitsWords() : completesWords(peakReserved) };
      }
      if (at.axis === undefined || !isStopped(side, at.axis, at.run, at.position)) return { kind: 'running' };
      return { kind: 'out-of-memory', words: outOfMemoryWords(placeOf(made, failure.operation)) };
    }
  }
}

/** What the GPU run is, or why there is none now. */
export function gpuWords({ adapter, gpuHolder }: Pick<AppState, 'adapter' | 'gpuHolder'>): string {
  if (adapter.kind === 'none' || adapter.kind === 'lost') {
    return msg('No adapter here, so only the model runs. It answers at once and needs none.', {
      desc: 'under the button',
    });
  }
  const other = othersTurn(gpuHolder, 'lab');
  if (other !== undefined) return gpuHolderWords(other);
  return msg(
    'The model answers at once. The GPU run creates the same segments as real buffers and checks every word.',
    { desc: 'under the button' },
  );
}
