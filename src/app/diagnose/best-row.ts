/** What the rows of a what-if table come to, while they are still being answered too. */
import { bestRow, needOf } from '../../model/diagnose/card/remedy.js';
import { type WhatIfRow } from '../../model/diagnose/whatif/run-change.js';
import { isSettled, type ReadySweep } from './desk-state.js';

/** The answer of the recorded settings, once it is there. */
export function baselineRow({ rows: [first] }: ReadySweep): WhatIfRow | undefined {
  return first?.state.phase === 'done' ? first.state.row : undefined;
}

/** The row of PyTorch's allocator that needs least, and its number; undefined while none needs less than the first. */
export function bestOf(sweep: ReadySweep): { readonly id: number; readonly row: WhatIfRow } | undefined {
  const baseline = baselineRow(sweep);
  if (baseline === undefined) return undefined;
  const others = sweep.rows
    .slice(1)
    .flatMap(({ id, state }) => (state.phase === 'done' ? [{ id, row: state.row }] : []));
  const best = bestRow(
    baseline,
    others.map(({ row }) => row),
  );
  return others.find(({ row }) => row === best);
}

/**
 * The place in the code that has a layer of its own in the timeline, by the name that its blocks have: the one of the best
 * row; where that changes a setting, the one that saves most of all places asked about. '' while rows are out, and where
 * none of them saves anything.
 */
export function bestSite(sweep: ReadySweep): string {
  const baseline = baselineRow(sweep);
  if (baseline === undefined || !isSettled(sweep)) return '';
  const best = bestOf(sweep)?.id;
  const [first] = sweep.rows
    .flatMap(({ id, change: { site }, state }) =>
      site === undefined || state.phase !== 'done' ? [] : [{ site, isBest: id === best, need: needOf(state.row) }],
    )
    .filter(({ need }) => need < needOf(baseline))
    .sort((a, b) => Number(b.isBest) - Number(a.isBest) || a.need - b.need);
  return first?.site ?? '';
}
