/** What lies on the desk of Diagnose: files that are being read, files with their verdict, and the questions asked of them. */
import { type OpeningProgress, type SnapshotDevice } from '../../engine/model-protocol.js';
import { type SnapshotComparison } from '../../model/diagnose/compare/compare-snapshots.js';
import { type Diagnosis } from '../../model/diagnose/diagnosis.js';
import { type Change } from '../../model/diagnose/whatif/changes.js';
import { type WhatIfRow } from '../../model/diagnose/whatif/run-change.js';
import { type WhatIfInput } from '../../model/diagnose/whatif/whatif-input.js';
import { type MemoryRun } from '../../model/memory-map/memory-run.js';

export interface FileHead {
  readonly id: number;
  readonly name: string;
  /** Bytes of the file as it lies there. */
  readonly bytes: number;
}

export type DeskFile =
  | (FileHead & { readonly phase: 'opening'; readonly progress: OpeningProgress | undefined })
  | (FileHead & { readonly phase: 'explaining' })
  | ReadyFile;

export interface ReadyFile extends FileHead {
  readonly phase: 'ready';
  readonly diagnosis: Diagnosis;
  /** What only a snapshot has. */
  readonly snapshot: SnapshotView | undefined;
}

export interface SnapshotView {
  readonly devices: readonly SnapshotDevice[];
  /** The one that is shown. */
  readonly device: number;
  readonly run: RunView;
  readonly sweep: Sweep;
}

/** The trace as the memory view draws it. */
export type RunView =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly run: MemoryRun }
  /** Nothing was recorded on this device. */
  | { readonly phase: 'none' }
  | { readonly phase: 'failed'; readonly message: string };

export type Sweep = { readonly phase: 'preparing' } | { readonly phase: 'none'; readonly message: string } | ReadySweep;

export interface ReadySweep {
  readonly phase: 'ready';
  readonly input: WhatIfInput;
  /** Bytes that the rows may have; undefined where nobody says. */
  readonly capacity: number | undefined;
  /** Whether the smallest device is looked for. */
  readonly search: boolean;
  /** Settings of the baseline. */
  readonly conf: string;
  /** The baseline first. */
  readonly rows: readonly SweepRow[];
}

export interface SweepRow {
  readonly id: number;
  readonly change: Change;
  /** Added by the person, who may take it away again. */
  readonly isOwn: boolean;
  readonly state: RowState;
}

export type RowState =
  | { readonly phase: 'queued' }
  | { readonly phase: 'computing' }
  | { readonly phase: 'done'; readonly row: WhatIfRow }
  | { readonly phase: 'stopped' }
  | { readonly phase: 'failed'; readonly message: string };

/** What the stage shows. */
export type Shown = { readonly kind: 'file'; readonly id: number } | { readonly kind: 'comparison' };

export interface DeskState {
  readonly files: readonly DeskFile[];
  /** Undefined while no file is ready. */
  readonly shown: Shown | undefined;
  /** Files of which the first that is ready is shown; what was shown stays until then. */
  readonly awaited: readonly number[];
  /** Files that could not be used: one line each, with what to do. */
  readonly refusals: readonly string[];
  readonly comparison: SnapshotComparison | undefined;
}

export const EMPTY_DESK: DeskState = {
  files: [],
  shown: undefined,
  awaited: [],
  refusals: [],
  comparison: undefined,
};

/** The file that is shown, if it is there and one is. */
export const shownFile = ({ files, shown }: DeskState): DeskFile | undefined =>
  shown?.kind === 'file' ? files.find(({ id }) => id === shown.id) : undefined;

/** Ready snapshots: those that can be compared. */
export const snapshotsOf = ({ files }: DeskState): readonly ReadyFile[] =>
  files.filter((file) => file.phase === 'ready').filter(({ snapshot }) => snapshot !== undefined);

/** Rows that have an answer. */
export const answered = ({ rows }: ReadySweep): readonly { readonly change: Change; readonly row: WhatIfRow }[] =>
  rows.flatMap(({ change, state }) => (state.phase === 'done' ? [{ change, row: state.row }] : []));

/** What a row changes: a setting of PyTorch's allocator, the allocator, or the code. */
export type RowKind = 'setting' | 'allocator' | 'code';
export const rowKind = ({ allocator, trace }: Change): RowKind =>
  trace > 0 ? 'code' : allocator === 'caching' ? 'setting' : 'allocator';

/** Whether no row is waited for any more. */
export const isSettled = ({ rows }: ReadySweep): boolean =>
  rows.every(({ state }) => state.phase !== 'queued' && state.phase !== 'computing');
