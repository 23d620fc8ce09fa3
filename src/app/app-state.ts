/** Everything the elements share, and how it starts. */
import { type AdapterState } from './adapter-state.js';
import { type Kept, NOTHING_KEPT } from './kept-runs.js';
import { type RunContent, type RunState } from './run-state.js';
import { Store } from './store.js';
import { type LinkProblem, type Preferences } from './url-state.js';

export interface AppState {
  readonly preferences: Preferences;
  readonly linkProblems: readonly LinkProblem[];
  readonly adapter: AdapterState;
  readonly run: RunState;
  /** The run before this one: its lines stay on the chart, pale, until the new ones are there. */
  readonly earlier: RunContent | undefined;
  readonly kept: Kept;
}
export type AppStore = Store<AppState>;

export const createStore = (preferences: Preferences, linkProblems: readonly LinkProblem[]): AppStore =>
  new Store<AppState>({
    preferences,
    linkProblems,
    adapter: { kind: 'asking' },
    run: { phase: 'idle' },
    earlier: undefined,
    kept: NOTHING_KEPT,
  });
