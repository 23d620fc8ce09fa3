/** What kinds of things a snapshot file holds, counted: for a machine that compares files, and to see what a file lacks. */
import { ACTIONS, BLOCK, type RecordedSnapshot } from '../../snapshot/recorded-snapshot.js';

/** Names of the states of a block, by `BLOCK`. */
const STATES: readonly (readonly [string, number])[] = [
  ['active_allocated', BLOCK.allocated],
  ['active_pending_free', BLOCK.pending],
  ['inactive', BLOCK.inactive],
  ['unknown', BLOCK.unknown],
];

export interface SnapshotContents {
  readonly form: RecordedSnapshot['form'];
  /** Whether a segment is expandable. */
  readonly expandable: boolean;
  /** Blocks by state; states that no block has are left out. */
  readonly block_states: Readonly<Record<string, number>>;
  /** Pools of the segments, [0, 0] the common one, in ascending order. */
  readonly pools: readonly (readonly [number, number])[];
  /** Streams of the segments, in ascending order. */
  readonly streams: readonly number[];
  /** Entries by action, one object for each trace in the file. */
  readonly trace_actions: readonly Readonly<Record<string, number>>[];
}

/** Counts what the file holds. */
export function snapshotContents({ form, segments, blocks, traces }: RecordedSnapshot): SnapshotContents {
  const pools = new Map(segments.map(({ pool }) => [pool.join(), pool]));
  return {
    form,
    expandable: segments.some(({ expandable }) => expandable),
    block_states: counted(blocks.state, STATES),
    pools: [...pools.values()].sort(([a, b], [c, d]) => a - c || b - d),
    streams: [...new Set(segments.map(({ stream }) => stream))].sort((a, b) => a - b),
    trace_actions: traces.map(({ action }) =>
      counted(
        action,
        [...ACTIONS.entries()].map(([code, name]) => [name, code]),
      ),
    ),
  };
}

function counted(codes: Uint8Array, names: readonly (readonly [string, number])[]): Record<string, number> {
  const counts = new Uint32Array(256);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return Object.fromEntries(
    names.map(([name, code]) => [name, counts[code] ?? 0] as const).filter(([, count]) => count > 0),
  );
}
