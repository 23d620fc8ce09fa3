/** Blocks that a text finds, and the way from one to the next. */
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { searchBlocks } from '../../../model/memory-map/search.js';
import { type BlockRef } from './view-events.js';

export interface ViewSearch {
  readonly text: string;
  /** Rows of the blocks, by run. */
  readonly found: readonly Int32Array[];
}

/** What a text finds in each run; nothing where it is empty. */
export const searchRuns = (runs: readonly MemoryRun[], text: string): ViewSearch => ({
  text,
  found: runs.map((run) => searchBlocks(run, text).blocks),
});

/** The block after one of those that were found, after the last one the first; undefined where nothing was found. */
export function nextFound({ found }: ViewSearch, after: BlockRef | undefined): BlockRef | undefined {
  const all = found.flatMap((blocks, run) => Array.from(blocks, (block) => ({ run, block })));
  const at = all.findIndex(({ run, block }) => run === after?.run && block === after.block);
  return all[(at + 1) % all.length];
}
