/** What a run of a lesson stands for: its trace, and a fresh allocator on its budget. */
import { assertNever, badInput } from '../../base/errors.js';
import { parseSize } from '../../base/sizes.js';
import { type Allocator } from '../allocator/allocator.js';
import { BfcAllocator } from '../allocator/bfc/bfc-allocator.js';
import { BumpMemory } from '../allocator/bfc/bump-memory.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { DirectAllocator } from '../allocator/direct/direct-allocator.js';
import { type Reserved } from '../memory/device-memory.js';
import { type Trace } from '../trace/trace.js';
import { findWorkload } from '../workload/catalogue.js';
import { type Program } from '../workload/program.js';
import { traceOf } from '../workload/trace-program.js';
import { MOST_OPERATIONS, operationsTrace } from './operations.js';
import { type Run } from './schema.js';

/** Calls to the device that were granted, and segments given back. */
export interface DeviceCalls {
  readonly granted: number;
  readonly returned: number;
}

export interface RunningAllocator {
  readonly allocator: Allocator;
  readonly calls: () => DeviceCalls;
}

/** "No cache" of a lesson: each tensor is a device call, rounded up as cudaMalloc does for large requests. */
const DIRECT_GRANULARITY = 2 * 2 ** 20;
/** BFC's supply holds the limit and what alignment may take beside it. */
const BFC_SLACK = 256;

/** Bytes of the run's budget. */
export const budgetOf = (run: Run): number => parseSize(run.budget, `run ${run.id}: budget`);

/** The operations of a run. Throws `AppError` (`bad-input`), one line, for a run that has none or whose own are wrong. */
export function traceOfRun(run: Run): Trace {
  const where = `run ${run.id}`;
  if (run.ops !== undefined) return operationsTrace(where, run.ops);
  const { generator } = run;
  if (generator === undefined) throw badInput(where, `${where}: give "ops" or "generator"`);
  const workload = findWorkload(generator.id);
  const counter = new CountingProgram(where);
  workload.run(counter, generator.set);
  return traceOf(workload, generator.set);
}

/** A fresh allocator for a run. Throws `AppError` (`bad-input`) for settings that the allocator refuses. */
export function allocatorOfRun(run: Run): RunningAllocator {
  const capacity = budgetOf(run);
  switch (run.allocator) {
    case 'caching': {
      const { conf, fraction } = run;
      const allocator = new CachingAllocator({ capacity, conf, ...(fraction === undefined ? {} : { fraction }) });
      const { statistics } = allocator;
      return {
        allocator,
        calls: () => ({ granted: statistics.numDeviceAlloc, returned: statistics.numDeviceFree }),
      };
    }
    case 'bfc': {
      const memory = new CountingMemory(capacity + BFC_SLACK);
      return counted(memory, new BfcAllocator({ memoryLimit: capacity, ...run.options, memory }));
    }
    case 'direct': {
      const memory = new CountingMemory(capacity);
      return counted(memory, new DirectAllocator(memory, { granularity: DIRECT_GRANULARITY }));
    }
    default:
      return assertNever(run);
  }
}

const counted = (memory: CountingMemory, allocator: Allocator): RunningAllocator => ({
  allocator,
  calls: () => ({ granted: memory.granted, returned: memory.returned }),
});

class CountingMemory extends BumpMemory {
  granted = 0;
  returned = 0;

  override reserve(size: number, alignment: number): Reserved | undefined {
    const reserved = super.reserve(size, alignment);
    if (reserved !== undefined) this.granted += 1;
    return reserved;
  }

  override release(address: number): void {
    super.release(address);
    this.returned += 1;
  }
}

/** Refuses a program that is too long for a lesson before it is built. */
class CountingProgram implements Program {
  #operations = 0;
  #tensors = 0;

  constructor(readonly where: string) {}

  allocate(): number {
    this.#count();
    this.#tensors += 1;
    return this.#tensors;
  }

  free(): void {
    this.#count();
  }

  recordStream(): void {
    this.#count();
  }

  emptyCache(): void {
    this.#count();
  }

  synchronize(): void {
    this.#count();
  }

  marker(): void {
    this.#count();
  }

  #count(): void {
    this.#operations += 1;
    if (this.#operations <= MOST_OPERATIONS) return;
    throw badInput(
      this.where,
      `${this.where}: these parameters make more than ${MOST_OPERATIONS} operations; a lesson takes fewer steps or layers`,
    );
  }
}
