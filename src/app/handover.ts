/**
 * How another page opens something in the Lab: two runs side by side on one scrubber. A what-if row of Diagnose hands
 * over its own program under the recorded settings beside the same program under the changed ones; Plan hands over the
 * trace of one step.
 *
 *     services.store.update((state) => ({ ...state, labRequest: request }));
 *     services.router.go('lab', '');
 *
 * `openInLab` does both. The Lab takes the request when it is shown. It lives as long as the tab: a program of a person's
 * own never enters a link.
 */
import { type Trace } from '../model/trace/trace.js';
import { type AppStore } from './app-state.js';
import { type Router } from './router.js';

/** A text made when it is drawn, so that it follows a switch of the language. */
export type Words = () => string;

export const NO_WORDS: Words = () => '';

export interface LabSide {
  /** In a few words, on top of the side: `recorded settings`, `expandable_segments:True`. */
  readonly label: Words;
  /** The program in columns; two sides may share one. */
  readonly trace: Trace;
  /** As in `--allocator`. */
  readonly allocator: string;
  /** Its settings, '' for the defaults. */
  readonly conf: string;
  /** `caching` only: the version to follow. */
  readonly torch?: '2.6' | '2.14';
  /** `caching` only: share of the device that PyTorch may use. */
  readonly fraction?: number;
}

export interface LabRequest {
  /** Name of the program: of the snapshot, the trace file, the plan. */
  readonly name: string;
  readonly a: LabSide;
  readonly b: LabSide;
  /** Bytes that both may have. */
  readonly capacity: number;
  /** What a reader has to know, such as that the rows are an estimate; `NO_WORDS` for nothing. */
  readonly note: Words;
}

/** Shows a pair of runs in the Lab. */
export function openInLab(
  { store, router }: { readonly store: AppStore; readonly router: Router },
  request: LabRequest,
) {
  store.update((state) => ({ ...state, labRequest: request }));
  router.go('lab', '');
}
