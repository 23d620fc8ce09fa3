/**
 * Whether expandable segments were on when a recorded run asked its device for memory. A process may switch them while it
 * runs; a file holds what was in force at its end, but cudaMalloc and mapping tell the two apart at each call. When in
 * between a switch came is not in a trace: it counts from the first call that shows it.
 */
import { ACTION, type RecordedTrace } from './recorded-snapshot.js';
import { type StartHeap } from './start-heap.js';

export class RecordedSwitches {
  /** First entry that shows a switch; undefined where all calls are of one kind. */
  readonly changedAt: number | undefined;
  readonly #trace: RecordedTrace;
  #next = 0;
  #isOn: boolean | undefined;

  constructor(trace: RecordedTrace, start: StartHeap) {
    this.#trace = trace;
    const kinds = new Set(start.segments.map(({ rangeBase }) => rangeBase !== undefined));
    // A heap of both kinds was made under both settings.
    let first = kinds.size > 1 ? 0 : undefined;
    for (let event = 0; first === undefined && event < trace.count; event++) {
      const isOn = shownBy(trace.action[event]!);
      if (isOn === undefined) continue;
      kinds.add(isOn);
      if (kinds.size > 1) first = event;
    }
    this.changedAt = first;
  }

  /** State at an entry, each at or after the one before; undefined where the file's settings hold. */
  at(event: number): boolean | undefined {
    if (this.changedAt === undefined) return undefined;
    for (; this.#next <= event; this.#next++) this.#isOn = shownBy(this.#trace.action[this.#next]!) ?? this.#isOn;
    return this.#isOn ?? this.#firstShown();
  }

  /** Before the first call: as the first one shows. */
  #firstShown(): boolean | undefined {
    for (const action of this.#trace.action) {
      const isOn = shownBy(action);
      if (isOn !== undefined) return isOn;
    }
    return undefined;
  }
}

const shownBy = (action: number): boolean | undefined =>
  action === ACTION.segmentMap ? true : action === ACTION.segmentAlloc ? false : undefined;
