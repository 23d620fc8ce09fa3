/**
 * Private pools (CUDA graphs, torch.cuda.MemPool): while one is begun, all allocations go to it. Its memory may go back
 * to the device when nobody uses the pool any more.
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { type ExpandableSegments } from './expandable-segments.js';
import { FlatHashTable, poolHash } from './flat-hash-table.js';
import { releasePool } from './flush.js';
import { Pool, type PrivatePool } from './pools.js';
import { type AllocatorState } from './state.js';

export class PrivatePools {
  /** Released by all users; they may still hold memory. */
  readonly #freeable = new FlatHashTable<PrivatePool>(poolHash);

  constructor(private readonly state: AllocatorState) {}

  /** Where a request goes: the pool that was begun first (2.6) or last (2.14), else the common one. */
  poolFor(isSmall: boolean): Pool {
    const { scopes, torch, small, large } = this.state;
    const owner = torch === '2.6' ? scopes[0] : scopes[scopes.length - 1];
    if (owner === undefined) return isSmall ? small : large;
    return isSmall ? owner.small : owner.large;
  }

  /** Opens a pool, or joins one that is in use. Throws `AppError` (`bad-input`) when it is open or already released. */
  begin(id: number): void {
    const { privatePools, scopes } = this.state;
    const known = privatePools.get(id);
    if (known !== undefined && scopes.includes(known)) {
      throw badInput(
        'pool',
        say`private pool ${id}: beginAllocateToPool: already recording to mempool_id; end it first`,
      );
    }
    if (known !== undefined && known.useCount === 0) {
      throw badInput('pool', say`private pool ${id} was released and still holds memory; use another id`);
    }
    const pool = known ?? this.#open(id);
    pool.useCount += 1;
    scopes.push(pool);
  }

  end(id: number): void {
    const { scopes } = this.state;
    const place = scopes.findIndex((pool) => pool.id === id);
    if (place < 0) {
      throw badInput(
        'pool',
        say`private pool ${id}: endAllocatePool: not currently recording to mempool_id; begin it first`,
      );
    }
    scopes.splice(place, 1);
  }

  /** One user less. */
  release(id: number): void {
    const pool = this.state.privatePools.get(id);
    if (pool === undefined || pool.useCount === 0) {
      throw badInput('pool', say`private pool ${id} is not in use; release it once for each begin`);
    }
    pool.useCount -= 1;
    if (pool.useCount === 0) this.#freeable.add(id, pool);
  }

  /** Gives the free segments of unused pools back, and drops pools that hold none. */
  flush(expandable: ExpandableSegments): void {
    this.#freeable.sweep((id, pool) => {
      releasePool(this.state, expandable, pool.small);
      releasePool(this.state, expandable, pool.large);
      const holdsMemory = pool.segments > 0 || pool.mappedBytes > 0;
      if (!holdsMemory) this.state.privatePools.delete(id);
      return holdsMemory;
    });
  }

  #open(id: number): PrivatePool {
    if (!Number.isSafeInteger(id))
      throw badInput('pool', say`private pool: ${id} is not a usable id; give a whole number`);
    const pool: PrivatePool = new PrivatePoolOf(this.state, id);
    this.state.privatePools.set(id, pool);
    return pool;
  }
}

class PrivatePoolOf implements PrivatePool {
  readonly small: Pool;
  readonly large: Pool;
  useCount = 0;
  segments = 0;
  mappedBytes = 0;
  constructor(
    state: AllocatorState,
    readonly id: number,
  ) {
    this.small = new Pool(state.shelves, state.table, true, this);
    this.large = new Pool(state.shelves, state.table, false, this);
  }
}
