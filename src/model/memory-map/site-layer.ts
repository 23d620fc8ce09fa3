/**
 * One place in the code as a layer of the stacked timeline: bytes in use that it allocated, after each operation.
 *
 *     const layer = siteLayer(run, 'app/nn_utils.py:6 exp');
 *     layer?.bytesAt(3484);
 */
import { CATEGORY_COUNT, type MemoryRun, NEVER } from './memory-run.js';
import { lowerBound } from './moment.js';

export class SiteLayer {
  /** Operations after which the bytes of the place differ from before; one can come twice, the later counts. */
  readonly #operations: Int32Array;
  /** Categories that its blocks have, and the bytes of each from an operation on. */
  readonly #categories: readonly number[];
  readonly #sums: readonly Float64Array[];
  /** The category that most of its bytes are of. */
  readonly category: number;

  /** `rows`: its rows of `run.blocks`, at least one, in order. */
  constructor(
    readonly name: string,
    { blocks }: MemoryRun,
    rows: Int32Array,
  ) {
    const { bornAt, freedAt, size, category } = blocks;
    const totals = new Float64Array(CATEGORY_COUNT);
    for (const row of rows) totals[category[row]!]! += size[row]!;
    this.category = totals.indexOf(Math.max(...totals));
    this.#categories = [...totals.keys()].filter((each) => totals[each]! > 0);
    const freed = rows.filter((row) => freedAt[row] !== NEVER).sort((a, b) => freedAt[a]! - freedAt[b]!);
    const count = rows.length + freed.length;
    this.#operations = new Int32Array(count);
    this.#sums = this.#categories.map(() => new Float64Array(count));
    const running = new Float64Array(CATEGORY_COUNT);
    let [born, gone] = [0, 0];
    for (let place = 0; place < count; place++) {
      const isBirth = born < rows.length && (gone >= freed.length || bornAt[rows[born]!]! <= freedAt[freed[gone]!]!);
      const row = isBirth ? rows[born++]! : freed[gone++]!;
      running[category[row]!]! += isBirth ? size[row]! : -size[row]!;
      this.#operations[place] = isBirth ? bornAt[row]! : freedAt[row]!;
      this.#categories.forEach((each, column) => (this.#sums[column]![place] = running[each]!));
    }
  }

  /** The last part of the place: `nn_utils.py:6` of `app/nn_utils.py:6 exp`. */
  get shortName(): string {
    return /[^/\\\s]+:\d+/.exec(this.name)?.[0] ?? this.name;
  }

  /** Bytes in use of each category after an operation. */
  categoriesAt(operation: number): Float64Array {
    const sums = new Float64Array(CATEGORY_COUNT);
    const place = lowerBound(this.#operations, operation + 1) - 1;
    if (place >= 0) this.#categories.forEach((each, column) => (sums[each] = this.#sums[column]![place]!));
    return sums;
  }

  /** Bytes in use after an operation. */
  bytesAt(operation: number): number {
    const place = lowerBound(this.#operations, operation + 1) - 1;
    return place < 0 ? 0 : this.#sums.reduce((sum, column) => sum + column[place]!, 0);
  }
}

/** The layer of a name of blocks; undefined where no block of the run has it. */
export function siteLayer(run: MemoryRun, name: string): SiteLayer | undefined {
  const at = run.names.indexOf(name);
  if (at < 0) return undefined;
  const rows: number[] = [];
  for (let row = 0; row < run.blocks.count; row++) if (run.blocks.name[row] === at) rows.push(row);
  return rows.length === 0 ? undefined : new SiteLayer(name, run, Int32Array.from(rows));
}
