/** What the parts of the caching allocator share: blocks, pools, settings, statistics and the device. */
import { type DeviceMemory } from '../../memory/device-memory.js';
import {
  ADDRESS,
  AGE,
  BlockTable,
  BORN,
  DOUBLES,
  INDEX,
  INTS,
  NEXT,
  PREV,
  REQUESTED,
  SEGMENT,
  SIZE,
  UNIT,
} from './block-table.js';
import { type History } from './history.js';
import { type TorchVersion } from './oom-text.js';
import { Pool, type PrivatePool, type Shelf } from './pools.js';
import { type Settings } from './settings.js';
import { RESERVED_BYTES, Statistics } from './statistics.js';

export class AllocatorState {
  readonly table = new BlockTable();
  readonly statistics = new Statistics();
  /** Every shelf by number; a block's INDEX points here. */
  readonly shelves: Shelf[] = [];
  readonly small = new Pool(this.shelves, this.table, true);
  readonly large = new Pool(this.shelves, this.table, false);
  readonly privatePools = new Map<number, PrivatePool>();
  /** Private pools that allocations go to now, in the order they were begun. */
  readonly scopes: PrivatePool[] = [];
  /** Bytes that the memory fraction allows; undefined without a limit. */
  allowed: number | undefined;
  /** Serial number of the next segment; stays 0 in 2.6, where ties go by address alone. */
  segmentSerial = 0;

  constructor(
    readonly device: DeviceMemory,
    readonly settings: Settings,
    readonly torch: TorchVersion,
    readonly history: History | undefined,
  ) {}

  get reserved(): number {
    return this.statistics.current(RESERVED_BYTES);
  }

  /** True while free blocks age: garbage collection is on and a memory fraction is set. */
  get collectsGarbage(): boolean {
    return this.allowed !== undefined && this.settings.garbageCollectionThreshold > 0;
  }

  shelfOf(block: number): Shelf {
    return this.shelves[this.table.i32[(block << INTS) + INDEX]!]!;
  }

  addressOf(block: number): number {
    return this.table.f64[(block << DOUBLES) + ADDRESS]!;
  }

  sizeOf(block: number): number {
    return this.table.i32[(block << INTS) + SIZE]! * UNIT;
  }

  /** Puts a block among the free ones of its shelf; it is new there (garbage collection counts from now). */
  putFree(shelf: Shelf, block: number): void {
    this.table.i32[(block << INTS) + BORN] = shelf.pool.searches;
    shelf.free.insert(block);
  }

  /** Serial number for a segment that has just been taken from the device. */
  nextAge(): number {
    if (this.torch === '2.14') this.segmentSerial += 1;
    return this.segmentSerial;
  }

  /** A block that covers `units` units from `address` on, in no state yet and without neighbours. */
  newBlock(shelf: Shelf, address: number, units: number, age: number, segment: number): number {
    const table = this.table;
    const block = table.take();
    const at = block << INTS;
    table.f64[(block << DOUBLES) + ADDRESS] = address;
    table.f64[(block << DOUBLES) + REQUESTED] = 0;
    table.i32[at + SIZE] = units;
    table.i32[at + PREV] = 0;
    table.i32[at + NEXT] = 0;
    table.i32[at + INDEX] = shelf.number;
    table.i32[at + AGE] = age;
    table.i32[at + SEGMENT] = segment;
    return block;
  }
}
