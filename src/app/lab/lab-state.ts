/** What the Lab knows at a moment: settings, both runs, what would fit, the runs on the GPU. */
import { type LabFit } from '../../model/lab/lab-fits.js';
import { type LabRun } from '../../model/lab/lab-run.js';
import { ProgramAxis } from '../../model/memory-map/program-axis.js';
import { type LabRequest, type Words } from '../handover.js';
import { type LabView } from './lab-link.js';
import { type LabPlan, type PlannedSide } from './lab-plan.js';
import { type RealSide } from './real-state.js';

export type SideState =
  | { readonly kind: 'waiting' | 'running' }
  | { readonly kind: 'done'; readonly plan: PlannedSide; readonly result: LabRun }
  | { readonly kind: 'refused'; readonly words: string };

export interface FitsProgress {
  /** The side that the changes are tried for: 0 or 1. */
  readonly side: number;
  readonly rows: readonly LabFit[];
  readonly done: number;
  readonly total: number;
  readonly phase: 'running' | 'done' | 'stopped';
}

export interface LabState {
  readonly view: LabView;
  readonly brought: LabRequest | undefined;
  readonly plan: LabPlan;
  readonly sides: readonly [SideState, SideState];
  readonly fits: FitsProgress | undefined;
  readonly real: readonly [RealSide, RealSide];
  readonly isRealRunning: boolean;
  /** A file that was refused, or a program that a link names but cannot carry. */
  readonly trouble: Words;
}

/** Where both runs stand on one axis, and where it starts: at the first failure, else at the end. */
export function axisOf(
  sides: readonly SideState[],
): { readonly axis: ProgramAxis; readonly start: number } | undefined {
  const done = sides.filter((side) => side.kind === 'done');
  if (done.length === 0) return undefined;
  const axis = new ProgramAxis(done.map(({ result }) => result.run));
  const failed = done.findIndex(({ result }) => result.failure !== undefined);
  const start = failed < 0 ? axis.length - 1 : axis.positionOf(failed, done[failed]?.result.failure?.operation ?? 0);
  return { axis, start };
}
