/** How the desk changes: pure steps from one state to the next. */
import { messageOf } from '../../base/errors.js';
import { type SnapshotDevice } from '../../engine/model-protocol.js';
import {
  type DeskFile,
  type DeskState,
  type FileHead,
  type ReadyFile,
  type RowState,
  type SnapshotView,
  snapshotsOf,
} from './desk-state.js';

/** The state with one file changed; as it was where the file is gone. */
export function withFile(state: DeskState, id: number, change: (file: DeskFile) => DeskFile): DeskState {
  const at = state.files.findIndex((file) => file.id === id);
  const file = state.files[at];
  return file === undefined ? state : { ...state, files: state.files.with(at, change(file)) };
}

/** The state with the snapshot of a ready file changed. */
export const withSnapshot = (state: DeskState, id: number, change: (view: SnapshotView) => SnapshotView): DeskState =>
  withFile(state, id, (file) =>
    file.phase === 'ready' && file.snapshot !== undefined ? { ...file, snapshot: change(file.snapshot) } : file,
  );

/** The state with one row of a sweep changed. */
export const withRow = (state: DeskState, id: number, row: number, next: RowState): DeskState =>
  withSnapshot(state, id, (view) =>
    view.sweep.phase === 'ready'
      ? {
          ...view,
          sweep: {
            ...view.sweep,
            rows: view.sweep.rows.map((each) => (each.id === row ? { ...each, state: next } : each)),
          },
        }
      : view,
  );

/** Files that begin to be read. The first of them that is ready will be shown; what was refused before is forgotten. */
export const withOpening = (state: DeskState, heads: readonly FileHead[]): DeskState => ({
  ...state,
  files: [...state.files, ...heads.map((head): DeskFile => ({ ...head, phase: 'opening', progress: undefined }))],
  awaited: heads.map(({ id }) => id),
  refusals: [],
});

/** A file that has its verdict: shown when it was waited for. */
export function withReady(state: DeskState, id: number, parts: Pick<ReadyFile, 'diagnosis' | 'snapshot'>): DeskState {
  const next = withFile(state, id, ({ name, bytes }): ReadyFile => ({ id, name, bytes, phase: 'ready', ...parts }));
  if (next === state) return state;
  const isWanted = state.awaited.includes(id) || state.shown === undefined;
  return isWanted ? { ...next, shown: { kind: 'file', id }, awaited: [] } : next;
}

/** The person chose a ready file: what is still read will not take its place. */
export const withShown = (state: DeskState, id: number): DeskState =>
  state.files.some((file) => file.id === id && file.phase === 'ready')
    ? { ...state, shown: { kind: 'file', id }, awaited: [] }
    : state;

/** One more file that could not be used. */
export const withRefusal = (state: DeskState, error: unknown): DeskState => ({
  ...state,
  refusals: [...state.refusals, messageOf(error)],
});

/** A file taken away; where it was shown, the ready one beside it takes its place. */
export function withoutFile(state: DeskState, id: number): DeskState {
  const at = state.files.findIndex((file) => file.id === id);
  if (at < 0) return state;
  const files = state.files.toSpliced(at, 1);
  const isReady = ({ phase }: DeskFile): boolean => phase === 'ready';
  const next = files.slice(at).find(isReady) ?? files.slice(0, at).findLast(isReady);
  const isShown = state.shown?.kind === 'file' && state.shown.id === id;
  const comparison =
    state.comparison !== undefined && snapshotsOf({ ...state, files }).length < 2 ? undefined : state.comparison;
  const lost = isShown || (state.shown?.kind === 'comparison' && comparison === undefined);
  return {
    ...state,
    files,
    awaited: state.awaited.filter((each) => each !== id),
    comparison,
    shown: !lost ? state.shown : next === undefined ? undefined : { kind: 'file', id: next.id },
  };
}

/** The device that failed, else the one with the most entries; its trace and its what-if table are still to come. */
export function firstView(devices: readonly SnapshotDevice[]): SnapshotView | undefined {
  const first = [...devices].sort((a, b) => Number(b.hasFailure) - Number(a.hasFailure) || b.events - a.events)[0];
  return first === undefined ? undefined : freshView(devices, first.device);
}

/** A device before anything of it is known. */
export const freshView = (devices: readonly SnapshotDevice[], device: number): SnapshotView => ({
  devices,
  device,
  run: { phase: 'loading' },
  sweep: { phase: 'preparing' },
});

/** `oom.pickle (2)` where there is an `oom.pickle`: two ranks may write files of one name. */
export function distinctName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let number = 2;
  while (taken.includes(`${name} (${number})`)) number++;
  return `${name} (${number})`;
}
