/** What the panes of the Lab show at a position of the playhead, from the runs. */
import { type ProgramAxis } from '../../model/memory-map/program-axis.js';
import { type MemoryRun } from '../../model/memory-map/memory-run.js';
import { lowerBound, MomentReader } from '../../model/memory-map/moment.js';
import { momentWhy } from '../../model/lab/moment-why.js';
import { whyOf } from '../../model/lab/why.js';
import { type FitsProgress, type SideState } from './lab-state.js';
import { changeWords, operationWords, placeWords } from './lab-words.js';
import { tensorWords } from './why-words.js';

/** A side with its run. */
export type DoneSide = Extract<SideState, { readonly kind: 'done' }>;

/** Readers of runs, one a run: a walk from the last moment is cheap. */
export class MomentReaders {
  readonly #readers = new WeakMap<MemoryRun, MomentReader>();

  of(run: MemoryRun): MomentReader {
    const known = this.#readers.get(run) ?? new MomentReader(run);
    this.#readers.set(run, known);
    return known;
  }
}

/** Row of the block that an operation placed. */
export const blockOf = (run: MemoryRun, operation: number): number => lowerBound(run.blocks.bornAt, operation);

/** Where an operation stands in its program: the last marker of its own run, its number where the program names none. */
export function placeOf(run: MemoryRun, operation: number): string {
  if (run.markers.count === 0) return operationWords(operation);
  const row = lowerBound(run.markers.operation, operation + 1) - 1;
  return placeWords(row < 0 ? undefined : run.names[run.markers.name[row] ?? -1]);
}

/** Whether a side has met its failure at the position. */
export const isStopped = ({ result }: DoneSide, axis: ProgramAxis, run: number, position: number): boolean =>
  result.failure !== undefined && axis.operationAt(run, position) >= result.failure.operation;

/** The first side that has stopped at the position, as the Why panel tells it; undefined where none has. */
export function failureAt(done: readonly DoneSide[], axis: ProgramAxis, position: number): number | undefined {
  const found = done.findIndex((side, run) => isStopped(side, axis, run, position));
  return found < 0 ? undefined : found;
}

/** Blocks that the Why panel numbers, in the order of the numbers: of each set of frees the first one. */
export function numberedBlocks(
  done: readonly DoneSide[],
  failed: number | undefined,
): readonly { readonly run: number; readonly block: number }[] {
  const result = failed === undefined ? undefined : done[failed]?.result;
  if (failed === undefined || result?.failure?.frees === undefined) return [];
  return result.failure.frees.flatMap(({ tensors }) =>
    tensors.slice(0, 1).map(({ operation }) => ({ run: failed, block: blockOf(result.run, operation) })),
  );
}

/** The failure of a side as data of the Why panel. */
export function failureWhy({ plan, result }: DoneSide, fits: FitsProgress | undefined, letter: string) {
  const { failure, run } = result;
  if (failure === undefined) throw new Error('a side that completed has no failure');
  const workload = plan.program.kind === 'workload' ? plan.program.workload : undefined;
  const named = (fits?.rows ?? []).map((fit) => ({
    ...fit,
    words: workload === undefined ? fit.change : changeWords(fit.change, workload),
  }));
  const isProgram = (words: string): number => (words.endsWith(')') ? 0 : 1);
  return {
    kind: 'failure',
    side: letter,
    place: run.markers.count === 0 ? undefined : placeOf(run, failure.operation),
    operation: failure.operation,
    why: whyOf(failure),
    capacity: plan.setup.capacity,
    tensorsAlone: failure.tensorsAlone,
    fits: {
      rows: named.sort((a, b) => isProgram(a.words) - isProgram(b.words) || a.peakReserved - b.peakReserved),
      done: fits?.done ?? 0,
      total: fits?.total ?? 0,
      phase: fits?.phase ?? 'running',
    },
  } as const;
}

/** A moment of a side as data of the Why panel. */
export function momentOf(
  { result: { run } }: DoneSide,
  readers: MomentReaders,
  { operation, letter, bothFit }: { operation: number; letter: string; bothFit: readonly [number, number] | undefined },
) {
  const moment = momentWhy(run, readers.of(run).at(operation));
  return {
    kind: 'moment',
    side: letter,
    place: placeOf(run, operation),
    moment,
    bothFit,
    pins: moment.pins.map((pin) => ({
      ...pin,
      name: tensorWords({
        id: run.blocks.id[pin.block] ?? -1,
        label: run.names[run.blocks.name[pin.block] ?? -1] ?? '',
      }),
    })),
  } as const;
}
