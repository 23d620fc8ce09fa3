/**
 * A golden file of PyTorch's allocator against the model: every column after every operation, errors, snapshots, history
 * entries, the statistics and the text of memory_summary at the end, and the calls to the device.
 *
 * In a program with several streams the original completes frees in the order of a hash map: the order of
 * `free_completed` inside one operation and the running totals of `inactive_split` are its own there, and are compared
 * without order, or not at all (golden/pytorch/README.md).
 */
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { HISTORY_ACTIONS, type History } from '../allocator/caching/history.js';
import { memorySummary } from '../allocator/caching/memory-summary.js';
import { NULL_BLOCK } from '../allocator/allocator.js';
import { SimulatedDevice } from '../memory/simulated-device.js';
import { snapshotSegments } from '../snapshot/snapshot.js';
import { addOperation } from '../trace/operations.js';
import { Replay } from '../trace/replay.js';
import { TraceBuilder } from '../trace/trace-builder.js';
import { OPERATION, type Trace } from '../trace/trace.js';
import { type GoldenSegment, type GoldenSetup, type PytorchTrace, readPytorchTrace } from './pytorch-file.js';
import { type Tally } from './tally.js';

export interface PytorchModel {
  readonly allocator: CachingAllocator;
  readonly device: SimulatedDevice;
}

/** The model under the settings of a golden file. */
export function pytorchModel({ config, capacity, fraction, pytorch }: GoldenSetup, history: boolean): PytorchModel {
  const device = new SimulatedDevice(capacity);
  const allocator = new CachingAllocator({
    capacity,
    conf: config,
    fraction: fraction ?? undefined,
    torch: pytorch.startsWith('2.14') ? '2.14' : '2.6',
    memory: device,
    history,
  });
  return { allocator, device };
}

/** Checks one parsed file. Throws `AppError` (`bad-input`) for one that is no golden trace of PyTorch. */
export function checkPytorchTrace(value: unknown, source: string, tally: Tally): void {
  const file = readPytorchTrace(value, source);
  const trace = traceOfFile(file, source);
  const model = pytorchModel(file, true);
  const { allocator } = model;
  const replay = new Replay(allocator, { source, refusals: 'record' });
  const severalStreams = hasSeveralStreams(trace);
  const history = new HistoryCheck(allocator.history, file.trace, severalStreams, tally);
  for (let i = 0; i < trace.length; i++) {
    const at = (what: string) => (): string => `operation ${i} ${JSON.stringify(file.ops[i])}, ${what}`;
    replay.step(trace, i);
    const { failure, refusal } = replay.last;
    const row = stateAfter(allocator, replay.last.handle);
    for (const [column, values] of Object.entries(file.expected)) tally.equal(at(column), row[column], values[i]);
    tally.equal(at('error'), failure?.text ?? refusal, file.errors[String(i)]);
    const snapshot = file.snapshots[String(i)];
    if (snapshot !== undefined) compareSegments(at('snapshot'), allocator, snapshot, tally);
    history.check(at('history'));
  }
  history.end();
  compareStats(allocator.stats(), file.final.stats, severalStreams, tally);
  compareSegments(() => 'end, segments', allocator, file.final.segments, tally);
  // Where running totals may be the original's own, the text is made from its figures.
  const stats = severalStreams ? file.final.stats : allocator.stats();
  tally.equal(() => 'end, memory_summary', memorySummary(stats), file.final.memory_summary);
  compareCalls(model, file.mock, severalStreams, tally);
}

export function traceOfFile(file: PytorchTrace, source: string): Trace {
  const builder = new TraceBuilder(source);
  for (const operation of file.ops) addOperation(builder, operation);
  return builder.finish();
}

function hasSeveralStreams(trace: Trace): boolean {
  const streams = new Set<number>();
  for (let i = 0; i < trace.length; i++) {
    const kind = trace.kind[i];
    if (kind === OPERATION.allocate || kind === OPERATION.recordStream) streams.add(trace.stream[i] ?? 0);
  }
  return streams.size > 1;
}

/** One value for each column of `expected`. */
function stateAfter(allocator: CachingAllocator, handle: number): Readonly<Record<string, number>> {
  const { totals, statistics } = allocator;
  const placed = handle >= 0;
  return {
    addr: placed ? allocator.addressOf(handle) : handle === NULL_BLOCK ? -2 : -1,
    size: placed ? allocator.sizeOf(handle) : -1,
    allocated: totals.allocated,
    reserved: totals.reserved,
    active: totals.active,
    inactive_split: allocator.inactiveSplitBytes,
    requested: totals.requested,
    segments: totals.segments,
    num_alloc_retries: statistics.numAllocRetries,
    num_ooms: statistics.numOoms,
    num_device_alloc: statistics.numDeviceAlloc,
    num_device_free: statistics.numDeviceFree,
    num_sync_all_streams: statistics.numSyncAllStreams,
  };
}

/** Compares the segments and blocks now with those of a golden snapshot. */
export function compareSegments(
  what: () => string,
  allocator: CachingAllocator,
  want: readonly GoldenSegment[],
  tally: Tally,
): void {
  const got = snapshotSegments(allocator.heap());
  tally.equal(() => `${what()}, number of segments`, got.length, want.length);
  for (const [i, segment] of want.entries()) {
    const { blocks = [], ...fields } = got[i] ?? {};
    const { blocks: wantBlocks, ...wantFields } = segment;
    for (const [key, field] of Object.entries(wantFields)) {
      tally.equal(() => `${what()}, segment ${i}, ${key}`, (fields as Readonly<Record<string, unknown>>)[key], field);
    }
    const rows = blocks.map(({ address, size, requested_size, state }) => [address, size, requested_size, state]);
    tally.equal(() => `${what()}, segment ${i}, blocks`, rows, wantBlocks);
  }
}

/** Compares statistics. `ignoreTotals`: running totals of inactive_split may be off by one where streams meet. */
export function compareStats(
  got: Readonly<Record<string, number>>,
  want: Readonly<Record<string, number>>,
  ignoreTotals: boolean,
  tally: Tally,
): void {
  for (const [key, value] of Object.entries(want)) {
    if (ignoreTotals && /^inactive_split(_bytes)?\..*\.(allocated|freed)$/.test(key)) continue;
    tally.equal(() => `end, stats, ${key}`, got[key], value);
  }
}

/** Compares the calls to the device. Queries of events depend on the order of the hash map where streams meet. */
export function compareCalls(
  { device }: PytorchModel,
  want: Readonly<Record<string, number>> | undefined,
  severalStreams: boolean,
  tally: Tally,
): void {
  const got: Readonly<Record<string, number>> = { ...device.calls, used: device.used };
  for (const [name, count] of Object.entries(want ?? {})) {
    if (severalStreams && name === 'cudaEventQuery') continue;
    tally.equal(() => `end, device, ${name}`, got[name], count);
  }
}

type Entry = readonly [string, number, number, number];

/** Compares history entries operation by operation. */
class HistoryCheck {
  #checked = 0;

  constructor(
    private readonly history: History | undefined,
    private readonly want: readonly Entry[],
    private readonly anyOrder: boolean,
    private readonly tally: Tally,
  ) {}

  /** Compares the entries that the last operation added. */
  check(what: () => string): void {
    const { history } = this;
    const from = this.#checked;
    const to = history?.length ?? 0;
    if (history === undefined || from === to) return;
    const got: Entry[] = [];
    for (let i = from; i < to; i++) got.push(entryAt(history, i));
    this.#compare(what, got, this.want.slice(from, to));
    this.#checked = to;
  }

  /** The golden file has no more entries than the model. */
  end(): void {
    this.tally.equal(() => 'end, history entries', this.#checked, this.want.length);
  }

  #compare(what: () => string, got: readonly Entry[], want: readonly Entry[]): void {
    if (!this.anyOrder) {
      this.tally.equal(what, got, want);
      return;
    }
    const completes = ([action]: Entry): boolean => action === 'free_completed';
    const others = (entry: Entry): boolean => !completes(entry);
    this.tally.equal(what, got.filter(others), want.filter(others));
    this.tally.equal(what, sorted(got.filter(completes)), sorted(want.filter(completes)));
  }
}

function entryAt(history: History, i: number): Entry {
  return [HISTORY_ACTIONS[history.actionAt(i)] ?? '', history.addressAt(i), history.sizeAt(i), history.streamAt(i)];
}

const sorted = (entries: readonly Entry[]): string[] => entries.map((entry) => JSON.stringify(entry)).sort();
