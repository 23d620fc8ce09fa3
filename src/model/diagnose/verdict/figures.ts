/**
 * The figures of one failed allocation as the rule wants them, taken from what a text printed: impossible ones (a
 * counter that wrapped, free memory beyond the card) are set aside with a sentence, never silently repaired.
 */
import { say } from '../../../base/said.js';
import { type Printed, atLeastZero, difference, exactly, showSize, sum } from '../texts/printed-size.js';

export interface Figures {
  readonly tried: Printed | undefined;
  /** What the device would have to give for it, where that is known to be more: a whole segment. */
  readonly fromDevice?: Printed;
  readonly capacity: Printed | undefined;
  readonly free: Printed | undefined;
  readonly allocated: Printed | undefined;
  /** All bytes that the cache holds. */
  readonly reserved: Printed | undefined;
  /** Cached but not allocated. */
  readonly inactive: Printed | undefined;
  /** A limit on this process that the text prints. */
  readonly allowed: Printed | undefined;
  /** Everything that this process holds on the device, the cache included. */
  readonly thisProcess: Printed | undefined;
  /** What other processes hold, where the text lists them. */
  readonly others: readonly number[];
  readonly oddities: readonly string[];
}

/** 2^60: no device has it, so a figure at or over it is an unsigned subtraction that wrapped. */
const WRAPPED = 2 ** 60;

export interface PrintedFigures {
  readonly sizes: Readonly<Record<string, Printed>>;
  readonly others?: readonly number[];
  /** PyTorch 1.0 to 1.3 print `cached` = reserved - allocated (their source subtracts before printing). */
  readonly reservedIsInactive?: boolean;
}

/** Sorts printed sizes (keys as in the facts) into figures. */
export function figuresOf(printed: PrintedFigures): Figures {
  const oddities: string[] = [];
  const take = (key: string, name: string): Printed | undefined => {
    const size = printed.sizes[key];
    if (size === undefined) return undefined;
    if (Math.abs(size.bytes) < WRAPPED) return size;
    oddities.push(
      key === 'free_bytes'
        ? say`${name} is printed as ${showSize(size.bytes)}: a 64-bit counter that wrapped below zero, not a size; taken as
            none`
        : say`${name} is printed as ${showSize(size.bytes)}: a 64-bit counter that wrapped below zero, not a size; not used`,
    );
    return undefined;
  };
  const capacity = take('capacity_bytes', say`capacity`);
  let free = take('free_bytes', say`free`);
  if (free === undefined && printed.sizes['free_bytes'] !== undefined) free = exactly(0); // just below zero: none is free
  if (free !== undefined && capacity !== undefined && free.low > capacity.high) {
    oddities.push(
      say`free (${showSize(free.bytes)}) is more than the device has (${showSize(capacity.bytes)}); not used`,
    );
    free = undefined;
  }
  const allocated = take('allocated_bytes', say`allocated`);
  const shown = take('reserved_bytes', say`reserved`);
  const printedInactive = take('inactive_bytes', say`reserved but unallocated`);
  const inactive = inactiveOf(allocated, shown, printedInactive, printed.reservedIsInactive === true, oddities);
  const reserved =
    printed.reservedIsInactive === true || (shown === undefined && inactive !== undefined)
      ? allocated === undefined || inactive === undefined
        ? undefined
        : sum(allocated, inactive)
      : shown;
  if (capacity !== undefined && allocated !== undefined && allocated.low > capacity.high) {
    oddities.push(
      say`allocated (${showSize(allocated.bytes)}) is more than the device has (${showSize(capacity.bytes)}): the driver
        spilled into shared system memory (Windows)`,
    );
  }
  return {
    tried: take('tried_bytes', say`the request`),
    capacity,
    free,
    allocated,
    reserved,
    inactive,
    allowed: take('allowed_bytes', say`the allowed limit`),
    thisProcess: take('this_process_bytes', say`memory of this process`),
    others: printed.others ?? [],
    oddities,
  };
}

function inactiveOf(
  allocated: Printed | undefined,
  reserved: Printed | undefined,
  printed: Printed | undefined,
  reservedIsInactive: boolean,
  oddities: string[],
): Printed | undefined {
  if (printed !== undefined) return atLeastZero(printed);
  if (reserved === undefined || allocated === undefined) return undefined;
  if (reservedIsInactive) return reserved;
  if (allocated.low > reserved.high) {
    oddities.push(
      say`allocated (${showSize(allocated.bytes)}) is more than reserved (${showSize(reserved.bytes)}): counters of
        different moments; the cache is taken as empty`,
    );
    return exactly(0);
  }
  return atLeastZero(difference(reserved, allocated));
}

/**
 * Device memory that is neither free nor this process's, undefined where the text does not tell. Where the process's
 * own total is printed it is used; else everything outside the cache counts, the process's own context included.
 */
export function outsideOf(figures: Figures): { readonly size: Printed; readonly formula: string } | undefined {
  const { capacity, free, thisProcess } = figures;
  const cache = largerOf(figures.reserved, figures.allocated);
  if (capacity === undefined || cache === undefined || free === undefined) return undefined;
  const own = thisProcess !== undefined && thisProcess.bytes >= cache.bytes ? thisProcess : cache;
  const left = difference(difference(capacity, own), free);
  const [all, used, unused] = [showSize(capacity.bytes), showSize(own.bytes), showSize(free.bytes)];
  const formula =
    own === thisProcess
      ? say`${all} capacity - ${used} this process - ${unused} free`
      : figures.reserved === undefined
        ? say`${all} capacity - ${used} allocated - ${unused} free`
        : say`${all} capacity - ${used} reserved - ${unused} free`;
  return { size: atLeastZero(left), formula };
}

function largerOf(a: Printed | undefined, b: Printed | undefined): Printed | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.bytes >= b.bytes ? a : b;
}
