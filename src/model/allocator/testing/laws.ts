/**
 * The laws that every allocator keeps, as property tests over seeded programs. A test file calls `allocatorLaws` once
 * for each configuration:
 *
 *     allocatorLaws('buddy', { make: () => new DawnAllocator(new BumpMemory(64 * MiB)), alignment: 256 });
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../base/errors.js';
import { TraceBuilder } from '../../trace/trace-builder.js';
import { OPERATION, type Trace } from '../../trace/trace.js';
import { type Allocator, type Heap, NULL_BLOCK } from '../allocator.js';

export interface LawSubject {
  /** A fresh allocator; the program is given to those that plan ahead. */
  readonly make: (program: Trace) => Allocator;
  /** Addresses of blocks are multiples of it. */
  readonly alignment: number;
  /** After everything is freed and `flush()`, no memory of the device is held. */
  readonly givesAllBack: boolean;
  /** It refuses programs other than the one it was made for. */
  readonly servesOnlyItsProgram?: boolean;
  /** Largest request of the programs. */
  readonly largest?: number;
}

const KiB = 1024;
const STREAMS = 3;

/** Sizes around the places where allocators round, split and change pools. */
const sizes = (largest: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: 0, max: 2 * KiB }),
    fc.integer({ min: 1, max: largest }),
    fc
      .tuple(fc.integer({ min: 4, max: Math.floor(Math.log2(largest)) }), fc.integer({ min: -1, max: 1 }))
      .map(([power, by]) => Math.min(largest, 2 ** power + by)),
  );

interface Step {
  readonly what: number;
  readonly size: number;
  readonly pick: number;
  readonly stream: number;
}

const programs = (largest: number): fc.Arbitrary<Trace> =>
  fc
    .array(
      fc.record({
        what: fc.nat(99),
        size: sizes(largest),
        pick: fc.nat(1e6),
        stream: fc.nat(STREAMS - 1),
      }),
      { maxLength: 120, size: 'max' },
    )
    .map(traceOf);

/** Steps as a program that never frees what is not alive. */
function traceOf(steps: readonly Step[]): Trace {
  const builder = new TraceBuilder('laws');
  const live: number[] = [];
  let id = 0;
  for (const { what, size, pick, stream } of steps) {
    if (what < 55 || live.length === 0) {
      builder.allocate(++id, size, stream);
      live.push(id);
    } else if (what < 94) {
      const [freed] = live.splice(pick % live.length, 1);
      if (freed !== undefined) builder.free(freed);
    } else if (what < 97) builder.synchronize();
    else builder.emptyCache();
  }
  return builder.finish();
}

/** A program under way on an allocator. */
class Run {
  /** Handles of tensors in use. */
  readonly live = new Map<number, { readonly handle: number; readonly requested: number }>();
  readonly addresses: number[] = [];

  constructor(readonly allocator: Allocator) {}

  step(program: Trace, i: number): void {
    const tensor = program.tensor[i] ?? -1;
    switch (program.kind[i]) {
      case OPERATION.allocate: {
        const requested = program.size[i] ?? 0;
        const handle = this.allocator.malloc(requested, program.stream[i]);
        this.addresses.push(handle >= 0 ? this.allocator.addressOf(handle) : handle);
        if (handle >= 0) this.live.set(tensor, { handle, requested });
        return;
      }
      case OPERATION.free: {
        const block = this.live.get(tensor);
        this.live.delete(tensor);
        if (block !== undefined) this.allocator.free(block.handle);
        return;
      }
      case OPERATION.emptyCache:
        this.allocator.flush();
        return;
      default:
        this.allocator.controls?.synchronize?.();
    }
  }

  freeAll(): void {
    for (const { handle } of this.live.values()) this.allocator.free(handle);
    this.live.clear();
  }
}

/** A law, cheaper than `expect` in loops over blocks. */
function law(holds: boolean, what: () => string): void {
  if (!holds) throw new Error(what());
}

/** Each segment is tiled by its blocks, and the blocks in use are exactly those handed out. */
function checkHeap(run: Run, heap: Heap): void {
  const { allocator } = run;
  let reserved = 0;
  let allocated = 0;
  let end = -Infinity;
  const handles: number[] = [];
  for (const segment of heap.segments) {
    law(segment.address >= end, () => `segments ${segment.address} and the one before overlap`);
    end = segment.address + segment.size;
    reserved += segment.size;
    let at = segment.address;
    for (const block of segment.blocks) {
      law(block.address === at, () => `block at ${block.address}, expected at ${at}`);
      law(block.size > 0, () => `block at ${at} has ${block.size} bytes`);
      at += block.size;
      if (block.state !== 'allocated') continue;
      handles.push(block.handle);
      allocated += block.size;
      law(allocator.addressOf(block.handle) === block.address, () => `addressOf ${block.handle} is not ${at}`);
      law(allocator.sizeOf(block.handle) === block.size, () => `sizeOf ${block.handle} is not ${block.size}`);
    }
    law(at === end, () => `blocks end at ${at}, their segment at ${end}`);
  }
  const ascending = (a: number, b: number): number => a - b;
  const given = [...run.live.values()].map(({ handle }) => handle);
  expect(handles.sort(ascending)).toEqual(given.sort(ascending));
  expect(allocated).toBe(allocator.totals.allocated);
  expect(reserved).toBe(allocator.totals.reserved);
}

function checkBlocks(run: Run, alignment: number): void {
  let requestedBytes = 0;
  for (const { handle, requested } of run.live.values()) {
    requestedBytes += requested;
    const address = run.allocator.addressOf(handle);
    law(address % alignment === 0, () => `address ${address} is no multiple of ${alignment}`);
    const size = run.allocator.sizeOf(handle);
    law(size >= requested, () => `${size} bytes for a request of ${requested}`);
  }
  expect(run.allocator.totals.requested).toBe(requestedBytes);
}

/** A failure has its figures, and changes nothing in use. */
function checkFailure(run: Run, size: number, before: number): void {
  const failure = run.allocator.lastFailure();
  expect(failure).toBeDefined();
  if (failure === undefined) return;
  expect(failure.requested).toBe(size);
  expect(failure.allocated).toBe(before);
  expect(run.allocator.totals.allocated).toBe(before);
  expect(failure.reserved).toBe(run.allocator.totals.reserved);
  expect(failure.largestFree).toBeLessThanOrEqual(failure.totalFree);
  expect(failure.text).not.toBe('');
}

/** Registers the laws as tests of one configuration. */
export function allocatorLaws(name: string, subject: LawSubject): void {
  const program = programs(subject.largest ?? 16 * 1024 * KiB);
  describe(`${name} keeps the laws of allocators`, () => {
    it('no overlap, nothing lost, everything counted', () => {
      fc.assert(
        fc.property(program, (trace) => {
          const run = new Run(subject.make(trace));
          for (let i = 0; i < trace.length; i++) {
            const before = run.allocator.totals.allocated;
            run.step(trace, i);
            if (trace.kind[i] === OPERATION.allocate && run.addresses.at(-1) === -1) {
              checkFailure(run, trace.size[i] ?? 0, before);
            }
            if (i % 8 === 0 || i === trace.length - 1) {
              checkHeap(run, run.allocator.heap());
              checkBlocks(run, subject.alignment);
            }
          }
        }),
        { numRuns: 60 },
      );
    });

    it('freeing all gives all back', () => {
      fc.assert(
        fc.property(program, (trace) => {
          const run = new Run(subject.make(trace));
          for (let i = 0; i < trace.length; i++) run.step(trace, i);
          run.freeAll();
          run.allocator.controls?.synchronize?.();
          run.allocator.flush();
          expect(run.allocator.totals).toMatchObject({ allocated: 0, active: 0, requested: 0 });
          if (subject.givesAllBack) expect(run.allocator.totals).toMatchObject({ reserved: 0, segments: 0 });
        }),
        { numRuns: 40 },
      );
    });

    it('does the same each time', () => {
      fc.assert(
        fc.property(program, (trace) => {
          const [first, second] = [new Run(subject.make(trace)), new Run(subject.make(trace))];
          for (let i = 0; i < trace.length; i++) {
            first.step(trace, i);
            second.step(trace, i);
          }
          expect(first.addresses).toEqual(second.addresses);
          expect(first.allocator.stats()).toEqual(second.allocator.stats());
        }),
        { numRuns: 20 },
      );
    });

    it('refuses sizes that are none and blocks that are not in use', () => {
      const trace = traceOf([{ what: 0, size: KiB, pick: 0, stream: 0 }]);
      const allocator = subject.make(trace);
      const sizesRefused = [-1, 0.5, NaN, Infinity, 2 ** 53];
      for (const size of sizesRefused) expect(() => allocator.malloc(size)).toThrow(AppError);
      const handle = allocator.malloc(KiB);
      expect(handle).toBeGreaterThanOrEqual(0);
      for (const wrong of [-1, 12345, 0.5, NaN]) {
        expect(() => allocator.free(wrong)).toThrow(AppError);
        expect(() => allocator.addressOf(wrong)).toThrow(AppError);
        expect(() => allocator.sizeOf(wrong)).toThrow(AppError);
      }
      allocator.free(handle);
      expect(() => allocator.free(handle)).toThrow(AppError);
      allocator.free(NULL_BLOCK); // a null pointer may be freed any number of times
      expect(allocator.totals.allocated).toBe(0);
    });

    if (subject.servesOnlyItsProgram !== true) {
      it('says out of memory and goes on', () => {
        const allocator = subject.make(traceOf([]));
        const handles: number[] = [];
        for (let i = 0; i < 20_000; i++) {
          const handle = allocator.malloc(1024 * KiB + i);
          if (handle < 0) break;
          handles.push(handle);
        }
        expect(allocator.malloc(2 ** 45)).toBe(-1);
        expect(allocator.lastFailure()?.requested).toBe(2 ** 45);
        for (const handle of handles) allocator.free(handle);
        expect(allocator.malloc(KiB)).toBeGreaterThanOrEqual(0);
      });
    }
  });
}
