/** Blocks of a snapshot as columns: how many bytes a row takes, and what the texts of their states mean. */
import { BLOCK, type RecordedBlocks } from './recorded-snapshot.js';

/** `BLOCK` by the text of the file; the documentation of PyTorch and its files name one state differently. */
export const BLOCK_STATES: ReadonlyMap<string, number> = new Map([
  ['inactive', BLOCK.inactive],
  ['active_allocated', BLOCK.allocated],
  ['active_pending_free', BLOCK.pending],
  ['active_awaiting_free', BLOCK.pending],
]);

/** Columns of `count` blocks in one buffer; nothing is known of them yet. */
export function blockColumns(count: number): RecordedBlocks {
  const buffer = new ArrayBuffer(count * (3 * 8 + 2 * 4 + 1));
  const columns = {
    count,
    address: new Float64Array(buffer, 0, count),
    size: new Float64Array(buffer, 8 * count, count),
    requested: new Float64Array(buffer, 16 * count, count),
    stack: new Int32Array(buffer, 24 * count, count),
    segment: new Int32Array(buffer, 28 * count, count),
    state: new Uint8Array(buffer, 32 * count, count),
  };
  columns.requested.fill(NaN);
  columns.stack.fill(-1);
  columns.state.fill(BLOCK.unknown);
  return columns;
}
