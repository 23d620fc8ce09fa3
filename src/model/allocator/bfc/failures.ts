/** Failed requests: what the original logs about them, how often, and the record of the last one. */
import { type AllocationFailure } from '../allocator.js';
import { dumpLines, type DumpState, failureText, headerText } from './dump.js';
import { type LogLine } from './options.js';
import { type Request } from './placement.js';

/** The original stops logging after ten failures a process; with retries allowed it goes on, a model need not. */
const LOGGED_FAILURES = 10;

/** `fails`: nothing is tried again. `retries`: it waited for frees first. `tolerated`: the caller can live without. */
export type FailureMode = 'fails' | 'retries' | 'tolerated';

export class Failures {
  last: AllocationFailure | undefined;
  readonly #onLog: ((line: LogLine) => void) | undefined;
  #logged = 0;

  constructor(onLog: ((line: LogLine) => void) | undefined) {
    this.#onLog = onLog;
  }

  log(line: LogLine): void {
    this.#onLog?.(line);
  }

  /** Logs the failure of a request. The text of the record is what was logged, the first line of a dump after ten. */
  report(state: DumpState, request: Request, mode: FailureMode, deviceFree: number): void {
    const lines = this.#lines(state, request, mode);
    for (const line of lines) this.log(line);
    if (request.size === 0) return; // a null pointer, not an out of memory
    this.last = {
      requested: request.size,
      totalFree: state.regions.poolBytes - state.statistics.bytesInUse,
      largestFree: state.heap.largestFree(),
      reserved: state.regions.poolBytes,
      allocated: state.statistics.bytesInUse,
      deviceFree,
      text: lines.length > 0 ? lines.map(([, text]) => text).join('\n') : headerText(state.config, request),
    };
  }

  #lines(state: DumpState, request: Request, mode: FailureMode): LogLine[] {
    if (this.#logged >= LOGGED_FAILURES) return [];
    this.#logged++;
    // A request of 0 bytes fails before anything is looked at: no dump.
    const dump = mode === 'tolerated' || request.size === 0 ? [] : dumpLines(state, request);
    return mode === 'retries' ? dump : [...dump, ['W', failureText(state.config, request, mode === 'tolerated')]];
  }
}
