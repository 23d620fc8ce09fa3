/**
 * One axis for runs that do the same work with different operations: positions count from the start of the program, and
 * a marker that two runs share stands at one position. Between two such places the run with more operations gives the
 * length, so that a step along the axis never skips an operation of any run.
 *
 *     const axis = new ProgramAxis([concat, preallocated]);
 *     axis.operationAt(1, axis.positionOf(0, 2353)); // where B is when A runs out of memory
 *
 * With one run a position is its operation. Positions go from -1, before everything, to `length - 1`.
 */
import { type MemoryRun } from './memory-run.js';
import { lowerBound } from './moment.js';

export interface AxisMarker {
  readonly position: number;
  readonly label: string;
}

export class ProgramAxis {
  readonly runs: readonly MemoryRun[];
  /** Positions, without the one before everything. */
  readonly length: number;
  /** Markers that all runs share, in order. */
  readonly markers: readonly AxisMarker[];
  /** Positions of the places where all runs meet, the start first and the end last. */
  readonly #positions: Int32Array;
  /** Operations of each run at these places. */
  readonly #operations: readonly Int32Array[];

  constructor(runs: readonly MemoryRun[]) {
    this.runs = runs;
    const shared = sharedMarkers(runs);
    const places = shared.length + 2;
    this.#positions = new Int32Array(places);
    this.#operations = runs.map(({ operations }, index) => {
      const column = new Int32Array(places);
      column[0] = -1;
      shared.forEach(({ at }, place) => (column[place + 1] = at[index] ?? 0));
      column[places - 1] = operations;
      return column;
    });
    this.#positions[0] = -1;
    for (let place = 1; place < places; place++) {
      const lengths = this.#operations.map((column) => column[place]! - column[place - 1]!);
      this.#positions[place] = this.#positions[place - 1]! + Math.max(0, ...lengths);
    }
    this.length = Math.max(0, this.#positions[places - 1]!);
    this.markers = shared.map(({ label }, place) => ({ label, position: this.#positions[place + 1]! }));
  }

  /** The last operation that a run has carried out at a position; where it stopped, the one that it stopped at. */
  operationAt(run: number, position: number): number {
    return Math.min(this.plannedAt(run, position), (this.runs[run]?.end ?? 0) - 1);
  }

  /** The same, had the run not stopped. */
  plannedAt(run: number, position: number): number {
    const column = this.#operations[run];
    if (column === undefined) return -1;
    const at = Math.min(Math.max(-1, Math.trunc(position)), this.length - 1);
    const place = this.#placeOf(this.#positions, at);
    const length = this.#positions[place + 1]! - this.#positions[place]!;
    const operations = column[place + 1]! - column[place]!;
    if (length === 0) return column[place]!;
    return column[place]! + Math.floor(((at - this.#positions[place]!) * operations) / length);
  }

  /** The first position at which a run has carried an operation out. */
  positionOf(run: number, operation: number): number {
    const column = this.#operations[run];
    if (column === undefined) return -1;
    const at = Math.min(Math.max(-1, Math.trunc(operation)), (this.runs[run]?.operations ?? 0) - 1);
    const place = this.#placeOf(column, at);
    const length = this.#positions[place + 1]! - this.#positions[place]!;
    const operations = column[place + 1]! - column[place]!;
    if (operations === 0) return this.#positions[place]!;
    return this.#positions[place]! + Math.ceil(((at - column[place]!) * length) / operations);
  }

  /** Whether a run stopped at a failure before or at this position. */
  isStopped(run: number, position: number): boolean {
    const of = this.runs[run];
    return of !== undefined && stopsAtFailure(of) && this.plannedAt(run, position) >= of.end - 1;
  }

  /** The shared marker at or before a position; undefined before the first. */
  markerAt(position: number): AxisMarker | undefined {
    let low = 0;
    let high = this.markers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.markers[middle]!.position <= position) low = middle + 1;
      else high = middle;
    }
    return this.markers[low - 1];
  }

  /** The place whose stretch an operation or position lies in: the last one at or before it that has a stretch. */
  #placeOf(column: Int32Array, at: number): number {
    return Math.min(Math.max(0, lowerBound(column, at + 1) - 1), column.length - 2);
  }
}

/** Whether a run ends with a failure: also where that is the last operation of the program. */
export const stopsAtFailure = ({ end, failures }: MemoryRun): boolean =>
  end > 0 && failures.operation[failures.count - 1] === end - 1;

interface SharedMarker {
  readonly label: string;
  /** Operation in each run. */
  readonly at: readonly number[];
}

/** Markers that stand in all runs, matched by label and how often it came before, as far as their order agrees. */
function sharedMarkers(runs: readonly MemoryRun[]): SharedMarker[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const known = others.map(labelledMarkers);
  const last = runs.map(() => -1);
  const shared: SharedMarker[] = [];
  for (const [key, { label, operation }] of labelledMarkers(first)) {
    const at = [operation];
    for (const markers of known) at.push(markers.get(key)?.operation ?? -1);
    if (at.some((each, run) => each <= (last[run] ?? -1))) continue;
    at.forEach((each, run) => (last[run] = each));
    shared.push({ label, at });
  }
  return shared;
}

function labelledMarkers({ markers, names }: MemoryRun): Map<string, { label: string; operation: number }> {
  const seen = new Map<string, number>();
  const byKey = new Map<string, { label: string; operation: number }>();
  for (let row = 0; row < markers.count; row++) {
    const label = names[markers.name[row]!] ?? '';
    const before = seen.get(label) ?? 0;
    seen.set(label, before + 1);
    byKey.set(`${before} ${label}`, { label, operation: markers.operation[row]! });
  }
  return byKey;
}
