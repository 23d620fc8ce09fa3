/** Everything the elements share, and how it starts. */
import { type AdapterState } from './adapter-state.js';
import { type GpuHolder } from './gpu-turns.js';
import { type LabRequest } from './handover.js';
import { type Kept, NOTHING_KEPT } from './kept-runs.js';
import { NO_COPY, type OwnCopy } from './own-copy.js';
import { type RunContent, type RunState } from './run-state.js';
import { Store } from './store.js';
import { HOME, type LinkProblem, type Preferences } from './url-state.js';

export interface AppState {
  /** Name of the page on screen. */
  readonly page: string;
  /** What each page shows, as its own part of a link; absent: not visited, or its defaults. */
  readonly views: Readonly<Record<string, string>>;
  readonly preferences: Preferences;
  readonly linkProblems: readonly LinkProblem[];
  readonly adapter: AdapterState;
  readonly run: RunState;
  /** Who works on the GPU now, as far as this tab knows. */
  readonly gpuHolder: GpuHolder | undefined;
  /** The run before this one: its lines stay on the chart, pale, until the new ones are there. */
  readonly earlier: RunContent | undefined;
  readonly kept: Kept;
  /** What another page gave to the Lab and the Lab has not taken yet. */
  readonly labRequest: LabRequest | undefined;
  readonly ownCopy: OwnCopy;
}
export type AppStore = Store<AppState>;

/** The state at the start: what the link and the browser's memory say. */
export const createStore = (
  preferences: Preferences,
  linkProblems: readonly LinkProblem[] = [],
  { page = HOME, view }: { readonly page?: string | undefined; readonly view?: string | undefined } = {},
): AppStore =>
  new Store<AppState>({
    page,
    views: view === undefined ? {} : { [page]: view },
    preferences,
    linkProblems,
    adapter: { kind: 'asking' },
    run: { phase: 'idle' },
    gpuHolder: undefined,
    earlier: undefined,
    kept: NOTHING_KEPT,
    labRequest: undefined,
    ownCopy: NO_COPY,
  });
