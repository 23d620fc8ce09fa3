/**
 * Snapshots side by side: two moments of one process, or one of each rank. What is live, by place in the code and by what
 * it seems to be for, in the final dump of each; what differs most comes first.
 */
import { callSite } from '../../snapshot/call-site.js';
import { BLOCK, type RecordedSnapshot } from '../../snapshot/recorded-snapshot.js';
import { snapshotState, type SnapshotState } from '../../snapshot/snapshot-state.js';
import { categoryOfStack } from '../../snapshot/stack-category.js';

export interface ComparedRow {
  readonly site: string;
  readonly category: string;
  /** One value a snapshot, in their order. */
  readonly bytes: readonly number[];
  readonly blocks: readonly number[];
  /** Most less least. */
  readonly difference_bytes: number;
}

export interface SnapshotComparison {
  readonly schema: 'vramlab-snapshot-comparison';
  readonly version: 1;
  readonly names: readonly string[];
  readonly states: readonly SnapshotState[];
  readonly by_site: readonly ComparedRow[];
  readonly by_category: readonly ComparedRow[];
}

const MOST_ROWS = 40;

/** What is live in the final dump of one snapshot: all that a comparison needs of it. */
export interface LiveSnapshot {
  readonly name: string;
  readonly state: SnapshotState;
  readonly sites: readonly LiveSite[];
}

export interface LiveSite {
  readonly site: string;
  readonly category: string;
  readonly bytes: number;
  readonly blocks: number;
}

/** The live blocks of a snapshot by place in the code. */
export function liveSnapshot(snapshot: RecordedSnapshot): LiveSnapshot {
  const { blocks } = snapshot;
  const byStack = new Map<number, { bytes: number; blocks: number }>();
  for (let row = 0; row < blocks.count; row++) {
    if (blocks.state[row] !== BLOCK.allocated) continue;
    const stack = blocks.stack[row] ?? -1;
    let sum = byStack.get(stack);
    if (sum === undefined) {
      sum = { bytes: 0, blocks: 0 };
      byStack.set(stack, sum);
    }
    sum.bytes += blocks.size[row] ?? 0;
    sum.blocks++;
  }
  return {
    name: snapshot.name,
    state: snapshotState(snapshot),
    sites: [...byStack].map(([stack, sum]) => ({
      site: callSite(snapshot, stack),
      category: categoryOfStack(snapshot, stack),
      ...sum,
    })),
  };
}

/** Compares two snapshots or more. */
export const compareSnapshots = (snapshots: readonly RecordedSnapshot[]): SnapshotComparison =>
  compareLive(snapshots.map(liveSnapshot));

/** Compares what is live in two snapshots or more. */
export function compareLive(snapshots: readonly LiveSnapshot[]): SnapshotComparison {
  const sites = new Table(snapshots.length);
  const categories = new Table(snapshots.length);
  snapshots.forEach((snapshot, index) => {
    for (const { site, category, bytes, blocks } of snapshot.sites) {
      sites.add(site, category, index, bytes, blocks);
      categories.add('', category, index, bytes, blocks);
    }
  });
  return {
    schema: 'vramlab-snapshot-comparison',
    version: 1,
    names: snapshots.map(({ name }) => name),
    states: snapshots.map(({ state }) => state),
    by_site: sites.rows().slice(0, MOST_ROWS),
    by_category: categories.rows(),
  };
}

/** Sums by place and category, a column for each snapshot. */
class Table {
  readonly #rows = new Map<string, { site: string; category: string; bytes: number[]; blocks: number[] }>();

  constructor(private readonly columns: number) {}

  add(site: string, category: string, column: number, bytes: number, blocks: number): void {
    const key = `${category} ${site}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = {
        site,
        category,
        bytes: new Array<number>(this.columns).fill(0),
        blocks: new Array<number>(this.columns).fill(0),
      };
      this.#rows.set(key, row);
    }
    row.bytes[column] = (row.bytes[column] ?? 0) + bytes;
    row.blocks[column] = (row.blocks[column] ?? 0) + blocks;
  }

  rows(): ComparedRow[] {
    return [...this.#rows.values()]
      .map((row) => ({ ...row, difference_bytes: Math.max(...row.bytes) - Math.min(...row.bytes) }))
      .sort((a, b) => b.difference_bytes - a.difference_bytes || Math.max(...b.bytes) - Math.max(...a.bytes));
  }
}
