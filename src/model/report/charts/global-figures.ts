/** The bandwidth of global memory that a run found: one figure a kernel, at its largest working set. */
import { type Row } from '../schema.js';
import { isSizedIn, type SizedRow, stemOf } from './sized-point.js';

const GLOBAL = /^tiers\/(?:global\/(?:read|triad|add|copy|scale|write)(?:\/|$)|copy-buffer$)/;
/** Reading is what streaming is; a copy's figure counts bytes read and written. */
const ORDER = [
  'tiers/global/read',
  'tiers/global/triad',
  'tiers/global/add',
  'tiers/global/copy',
  'tiers/global/scale',
];

export interface GlobalFigure {
  readonly row: SizedRow;
  /** False where the row's own flag says that instructions were the limit: then it is no figure of the memory. */
  readonly isMemoryBound: boolean;
}

/** Best first: memory-bound figures before others, reads before copies, larger working sets before smaller ones. */
export function globalFigures(rows: readonly Row[]): readonly GlobalFigure[] {
  const largest = new Map<string, SizedRow>();
  for (const row of rows.filter(isSizedIn('GB/s'))) {
    const stem = stemOf(row.id);
    const known = largest.get(stem);
    if (GLOBAL.test(stem) && (known === undefined || known.workingSet < row.workingSet)) largest.set(stem, row);
  }
  return [...largest.values()]
    .map((row) => ({ row, isMemoryBound: !row.flags.includes('instruction-bound') }))
    .sort(
      (a, b) =>
        Number(b.isMemoryBound) - Number(a.isMemoryBound) ||
        rank(a.row) - rank(b.row) ||
        b.row.workingSet - a.row.workingSet ||
        b.row.value - a.row.value,
    );
}

function rank(row: SizedRow): number {
  const found = ORDER.findIndex((stem) => row.id.startsWith(`${stem}/`));
  return found < 0 ? ORDER.length : found;
}
