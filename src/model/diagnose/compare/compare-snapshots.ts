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

/** Compares two snapshots or more. */
export function compareSnapshots(snapshots: readonly RecordedSnapshot[]): SnapshotComparison {
  const sites = new Table(snapshots.length);
  const categories = new Table(snapshots.length);
  snapshots.forEach((snapshot, index) => {
    const { blocks } = snapshot;
    const names = new Map<number, { readonly site: string; readonly category: string }>();
    for (let row = 0; row < blocks.count; row++) {
      if (blocks.state[row] !== BLOCK.allocated) continue;
      const stack = blocks.stack[row] ?? -1;
      let name = names.get(stack);
      if (name === undefined) {
        name = { site: callSite(snapshot, stack), category: categoryOfStack(snapshot, stack) };
        names.set(stack, name);
      }
      const size = blocks.size[row] ?? 0;
      sites.add(name.site, name.category, index, size);
      categories.add('', name.category, index, size);
    }
  });
  return {
    schema: 'vramlab-snapshot-comparison',
    version: 1,
    names: snapshots.map(({ name }) => name),
    states: snapshots.map((snapshot) => snapshotState(snapshot)),
    by_site: sites.rows().slice(0, MOST_ROWS),
    by_category: categories.rows(),
  };
}

/** Sums by place and category, a column for each snapshot. */
class Table {
  readonly #rows = new Map<string, { site: string; category: string; bytes: number[]; blocks: number[] }>();

  constructor(private readonly columns: number) {}

  add(site: string, category: string, column: number, size: number): void {
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
    row.bytes[column] = (row.bytes[column] ?? 0) + size;
    row.blocks[column] = (row.blocks[column] ?? 0) + 1;
  }

  rows(): ComparedRow[] {
    return [...this.#rows.values()]
      .map((row) => ({ ...row, difference_bytes: Math.max(...row.bytes) - Math.min(...row.bytes) }))
      .sort((a, b) => b.difference_bytes - a.difference_bytes || Math.max(...b.bytes) - Math.max(...a.bytes));
  }
}
