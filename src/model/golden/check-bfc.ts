/**
 * A golden file of BFC against the model: every column of every row, the device calls, the log texts of both years, and
 * the end. The real allocator gave the same rows in both years unless the file has no text of 2025.
 */
import { type BfcVersion } from '../allocator/bfc/options.js';
import { Replay } from '../trace/replay.js';
import { TraceBuilder } from '../trace/trace-builder.js';
import { idOf, OPERATION, type Trace } from '../trace/trace.js';
import { addBfcOperation } from '../trace/operations.js';
import { churnBfc } from '../workload/churn.js';
import { traceOf } from '../workload/trace-program.js';
import { type BfcChurn, type BfcRows, readBfcGolden } from './bfc-file.js';
import { BfcModel, type NewHash } from './bfc-model.js';
import { Tally } from './tally.js';

/** Checks one parsed file. Throws `AppError` (`bad-input`) for one that is no golden file of BFC. */
export function checkBfcGolden(value: unknown, source: string, newHash: NewHash): Tally {
  const tally = new Tally();
  const file = readBfcGolden(value, source);
  if (file.kind === 'churn') checkChurn(file.churn, tally, source, newHash);
  else {
    checkRows(file.rows, '2026', tally, source, newHash);
    if (file.rows.log_2025 !== undefined) checkRows(file.rows, '2025', tally, source, newHash);
  }
  return tally;
}

const CHANGE_LISTS = ['peak', 'pool', 'peak_pool', 'regions', 'next_region', 'largest_alloc', 'largest_free'] as const;
type ChangeList = (typeof CHANGE_LISTS)[number];

/** From this many rows with device calls on, files keep only the first 40 of them. */
const KEPT_CALL_ROWS = 60;

function checkRows(rows: BfcRows, version: BfcVersion, tally: Tally, source: string, newHash: NewHash): void {
  const trace = traceOfRows(rows, source);
  const model = new BfcModel(rows.config, version, newHash);
  const replay = new Replay(model.allocator, { source });
  const changes = Object.fromEntries(CHANGE_LISTS.map((list) => [list, new Map(rows[list])]));
  const current: Partial<Record<ChangeList, number | null>> = {};
  const counts = new Map(rows.num_allocs_at);
  const log = version === '2025' ? rows.log_2025 : rows.log_2026;
  const fails: number[] = [];
  for (let i = 0; i < trace.length; i++) {
    const at = (what: string) => (): string => `${version}, row ${i} (${rows.ops[i] ?? ''}), ${what}`;
    model.startRow();
    replay.step(trace, i);
    const { handle, freedSize } = replay.last;
    const allocates = trace.kind[i] === OPERATION.allocate;
    const frees = trace.kind[i] === OPERATION.free;
    if (allocates && handle < 0) fails.push(i);
    tally.equal(at('off'), allocates ? model.addOffset(handle) : null, rows.off[i]);
    const size = allocates && handle >= 0 ? model.allocator.sizeOf(handle) : 0;
    tally.equal(at('alloc'), allocates ? size : frees ? freedSize : null, rows.alloc[i]);
    const stats = model.allocator.stats();
    tally.equal(at('in_use'), stats['bytes_in_use'], rows.in_use[i]);
    const state = stateOf(model);
    for (const list of CHANGE_LISTS) {
      const changed = changes[list]?.get(i);
      if (changed !== undefined) current[list] = changed;
      tally.equal(at(list), state[list], current[list]);
    }
    if (counts.has(i)) tally.equal(at('num_allocs'), stats['num_allocs'], counts.get(i));
    checkCalls(rows, i, model, tally, at('device calls'));
    const lines = log?.[String(i)];
    if (lines !== undefined) tally.equal(at('log'), model.log, lines);
  }
  tally.equal(() => `${version}, oom_rows`, fails, rows.oom_rows);
  tally.equal(() => `${version}, operations`, trace.length, rows.final.ops);
  model.compareEnd(tally, `${version}, end`, rows.final);
}

function traceOfRows(rows: BfcRows, source: string): Trace {
  const builder = new TraceBuilder(source);
  for (const operation of rows.ops) addBfcOperation(builder, operation);
  return builder.finish();
}

function stateOf({ allocator }: BfcModel): Record<ChangeList, number | undefined> {
  const stats = allocator.stats();
  return {
    peak: stats['peak_bytes_in_use'],
    pool: stats['pool_bytes'],
    peak_pool: stats['peak_pool_bytes'],
    regions: allocator.totals.segments,
    next_region: allocator.nextRegionBytes,
    largest_alloc: stats['largest_alloc_size'],
    largest_free: allocator.largestFree,
  };
}

/** Calls of one row. A row's middle may be shortened to `["...", n]`; rows left out of long files are not compared. */
function checkCalls(rows: BfcRows, row: number, model: BfcModel, tally: Tally, what: () => string): void {
  const want = rows.sub[String(row)];
  if (want === undefined) {
    if (rows.sub_calls_rows <= KEPT_CALL_ROWS) tally.equal(what, model.calls, []);
    return;
  }
  const gap = want.findIndex((call) => call[0] === '...');
  if (gap < 0) {
    tally.equal(what, model.calls, want);
    return;
  }
  const left = Number(want[gap]?.[1] ?? 0);
  const tail = want.slice(gap + 1);
  tally.equal(what, model.calls.length, gap + left + tail.length);
  tally.equal(what, [...model.calls.slice(0, gap), ...model.calls.slice(gap + left)], [...want.slice(0, gap), ...tail]);
}

/** The generated churn: its text's hash, then each configuration in both years at each checkpoint. */
function checkChurn(file: BfcChurn, tally: Tally, source: string, newHash: NewHash): void {
  const trace = traceOf(churnBfc, { ops: file.ops });
  const text = newHash();
  for (let i = 0; i < trace.length; i++) text.update(`${operationText(trace, i)}\n`);
  tally.equal(() => 'trace_sha256', text.digest(), file.trace_sha256);
  for (const { config, checkpoints } of file.variants) {
    for (const version of ['2026', '2025'] as const) {
      const model = new BfcModel(config, version, newHash);
      const replay = new Replay(model.allocator, { source });
      let next = 0;
      for (let i = 0; i < trace.length && next < checkpoints.length; i++) {
        replay.step(trace, i);
        if (trace.kind[i] === OPERATION.allocate) model.addOffset(replay.last.handle);
        const checkpoint = checkpoints[next];
        if (checkpoint?.ops !== i + 1) continue;
        next++;
        model.compareEnd(tally, `${version}, ${JSON.stringify(config)}, after ${i + 1}`, checkpoint);
      }
    }
  }
}

function operationText(trace: Trace, i: number): string {
  const id = idOf(trace, trace.tensor[i] ?? -1);
  return trace.kind[i] === OPERATION.allocate ? `a ${id} ${trace.size[i] ?? 0}` : `f ${id}`;
}
