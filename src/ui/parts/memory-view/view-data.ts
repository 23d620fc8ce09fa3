/** What is worked out from the runs of a view, once for each pair: axis, readers, layouts, categories, steps. */
import { MomentReader, type Moment } from '../../../model/memory-map/moment.js';
import { CATEGORY_COUNT, type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { numberedMarkers } from '../../../model/memory-map/paint/track-axis.js';
import { ProgramAxis, stopsAtFailure } from '../../../model/memory-map/program-axis.js';
import { type LayoutMode, type MapLayout } from '../../../model/memory-map/row-layout.js';

export class ViewData {
  readonly axis: ProgramAxis;
  readonly categories: ReadonlySet<number>;
  /** Word of the numbered markers (`step`) and how many there are. */
  readonly steps: { readonly word: string; readonly count: number } | undefined;
  /** Positions of all failures, in order. */
  readonly failures: readonly number[];
  readonly #readers: readonly MomentReader[];
  readonly layouts = new Map<LayoutMode, readonly MapLayout[]>();

  constructor(readonly runs: readonly MemoryRun[]) {
    this.axis = new ProgramAxis(runs);
    this.categories = categoriesOf(runs);
    this.#readers = runs.map((run) => new MomentReader(run));
    const numbered = numberedMarkers(this.axis.markers);
    this.failures = runs
      .flatMap((run, index) => [...run.failures.operation].map((at) => this.axis.positionOf(index, at)))
      .sort((a, b) => a - b);
    this.steps = numbered && { word: numbered.word, count: numbered.markers.length };
  }

  /** The last position. */
  get last(): number {
    return this.axis.length - 1;
  }

  operationAt(run: number, position: number): number {
    return this.axis.operationAt(run, position);
  }

  momentAt(run: number, position: number): Moment | undefined {
    return this.#readers[run]?.at(this.axis.operationAt(run, position));
  }

  /** The first failure after a position, else the first of all; undefined where nothing failed. */
  failureAfter(position: number): number | undefined {
    return this.failures.find((at) => at > position) ?? this.failures[0];
  }

  /** The failure at which a run stopped that comes first after a position: where playing pauses. */
  stopAfter(position: number): number | undefined {
    const stops = this.runs.flatMap((run, index) =>
      stopsAtFailure(run) ? [this.axis.positionOf(index, run.end - 1)] : [],
    );
    return stops.filter((at) => at > position).sort((a, b) => a - b)[0];
  }

  isFailure(run: number, position: number): boolean {
    const of = this.runs[run];
    if (of === undefined) return false;
    const operation = this.axis.operationAt(run, position);
    return of.failures.operation.includes(operation);
  }
}

/** Categories that occur in a run. */
function categoriesOf(runs: readonly MemoryRun[]): ReadonlySet<number> {
  const seen = new Set<number>();
  for (const { blocks } of runs) {
    for (let row = 0; row < blocks.count && seen.size < CATEGORY_COUNT; row++) seen.add(blocks.category[row] ?? 0);
  }
  return seen;
}
