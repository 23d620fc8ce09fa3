/**
 * Which private pool (CUDA graphs, torch.cuda.MemPool) a recorded address belongs to. Newer traces say it in every entry
 * (`pool_id`); of older ones only the segments in the file do. The pools of segments that were given back before it was
 * written are inferred (`inferred-pools.ts`); without that they count as common.
 */
import { type InferredPools } from './inferred-pools.js';
import { type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';

/** Number of a private pool; undefined for the common ones. */
export const privatePoolOf = ([graph, user]: readonly [number, number]): number | undefined =>
  graph === 0 && user === 0 ? undefined : graph * 2 ** 20 + user;

export class RecordedPools {
  readonly #trace: RecordedTrace;
  readonly #pairs: readonly number[];
  readonly #ranges: readonly { readonly start: number; readonly end: number; readonly pool: number }[];
  /** True where some entry or segment names a private pool. */
  readonly any: boolean;

  constructor(
    snapshot: RecordedSnapshot,
    trace: RecordedTrace,
    private readonly inferred?: InferredPools,
  ) {
    this.#trace = trace;
    this.#pairs = snapshot.poolPairs;
    this.#ranges = snapshot.segments.flatMap(({ device, address, size, pool }) => {
      const number = privatePoolOf(pool);
      return device !== trace.device || number === undefined
        ? []
        : [{ start: address, end: address + size, pool: number }];
    });
    this.any = inferred !== undefined || this.#ranges.length > 0 || this.#pairs.some((part) => part !== 0);
  }

  /** Of an allocation in the trace; undefined for the common pools. */
  of(event: number): number | undefined {
    const pair = this.#trace.pool[event]!;
    if (pair >= 0) return privatePoolOf([this.#pairs[2 * pair] ?? 0, this.#pairs[2 * pair + 1] ?? 0]);
    return this.inferred === undefined ? this.at(this.#trace.addr[event]!) : this.inferred.of(event);
  }

  /** Of a segment or block when the trace began. */
  atStart(address: number): number | undefined {
    return this.inferred === undefined ? this.at(address) : this.inferred.atStart(address);
  }

  /** Of an address, as the segments at the end have it. */
  at(address: number): number | undefined {
    return this.#ranges.find(({ start, end }) => address >= start && address < end)?.pool;
  }
}
