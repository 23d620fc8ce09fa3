/**
 * The suite `dispatch`: what a dispatch, a pass and a submit cost, by the slope of the time over 1 .. N of them one after
 * the other, and what a page waits for nothing. The naive figure, one dispatch and a wait, is shown beside for what it is.
 */
import { type Preset } from '../../model/report/schema.js';
import { type Job, type Suite } from '../suite.js';
import { runFloorRow } from './floor-row.js';
import { runSlopeRow, type Slope } from './slope-row.js';

/** Most of a kind in one timed run. A submit of 1,000 takes longer than a quick row has. */
const COUNTS: Readonly<Record<Preset, Readonly<Record<Slope, readonly number[]>>>> = {
  quick: { dispatch: [100, 1000], pass: [100, 1000], submit: [100] },
  standard: { dispatch: [100, 1000], pass: [100, 1000], submit: [100, 1000] },
  full: { dispatch: [100, 1000, 4000], pass: [100, 1000], submit: [100, 1000] },
};

export const dispatch: Suite = {
  rows(_environment, request) {
    const job = (id: string, run: Job['run']): Job => ({ id, suite: 'dispatch', measures: 'ns', isSpread: true, run });
    const slopes = (['dispatch', 'pass', 'submit'] as const).flatMap((kind) => [
      ...COUNTS[request.preset][kind].map((count) => {
        const id = `dispatch/${kind}/slope-${count}`;
        return job(id, (context) => runSlopeRow(context, { id, kind, count }));
      }),
      ...(kind === 'dispatch' ? [floor('dispatch/dispatch/naive', 'naive')] : []),
    ]);
    function floor(id: string, kind: Parameters<typeof runFloorRow>[1]['kind']): Job {
      return job(id, (context) => runFloorRow(context, { id, kind }));
    }
    const jobs = [...slopes, floor('dispatch/empty-queue', 'empty-queue'), floor('dispatch/map-4B', 'map-4B')];
    return { jobs, leavesOthers: true, dispose: () => undefined };
  },
};
