/** What a run of a lesson stands for: its trace, and a fresh allocator on its budget. */
import { assertNever, badInput, defined } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { parseSize } from '../../base/sizes.js';
import { type Allocator } from '../allocator/allocator.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { type AllocatorSetup, makeAllocator } from '../allocator/registry.js';
import { type DeviceMemory, type Reserved } from '../memory/device-memory.js';
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
const DIRECT_CONF = 'granularity=2MiB';

/** Bytes of the run's budget. */
export const budgetOf = (run: Run): number => parseSize(run.budget, `run ${run.id}: budget`);

/** The operations of a run. Throws `AppError` (`bad-input`), one line, for a run that has none or whose own are wrong. */
export function traceOfRun(run: Run): Trace {
  const where = say`run ${run.id}`;
  if (run.ops !== undefined) return operationsTrace(where, run.ops);
  const { generator } = run;
  if (generator === undefined) throw badInput(where, say`${where}: give "ops" or "generator"`);
  const workload = findWorkload(generator.id);
  const counter = new CountingProgram(where);
  workload.run(counter, generator.set);
  return traceOf(workload, generator.set);
}

/** The allocator of a run as the registry, the memory view and the program know it. */
export function setupOfRun(run: Run): AllocatorSetup {
  const capacity = budgetOf(run);
  switch (run.allocator) {
    case 'caching':
      return { name: 'caching', conf: run.conf, capacity, fraction: run.fraction };
    case 'bfc': {
      const { allowGrowth, garbageCollection } = run.options;
      return { name: 'bfc', conf: `allow_growth=${allowGrowth},garbage_collection=${garbageCollection}`, capacity };
    }
    case 'direct':
      return { name: 'direct', conf: DIRECT_CONF, capacity };
    default:
      return assertNever(run);
  }
}

/** A fresh allocator for a run. Throws `AppError` (`bad-input`) for settings that the allocator refuses. */
export function allocatorOfRun(run: Run): RunningAllocator {
  let memory: CountedMemory | undefined;
  const through = (device: DeviceMemory): DeviceMemory => (memory = new CountedMemory(device));
  // The caching allocator counts its own calls, those that map memory among them.
  const { allocator } = makeAllocator({ ...setupOfRun(run), ...(run.allocator === 'caching' ? {} : { through }) });
  if (!(allocator instanceof CachingAllocator)) {
    const counted = defined(memory, 'the device of the allocator');
    return { allocator, calls: () => ({ granted: counted.granted, returned: counted.returned }) };
  }
  const { statistics } = allocator;
  return { allocator, calls: () => ({ granted: statistics.numDeviceAlloc, returned: statistics.numDeviceFree }) };
}

class CountedMemory implements DeviceMemory {
  granted = 0;
  returned = 0;

  constructor(readonly memory: DeviceMemory) {}

  reserve(size: number, alignment: number): Reserved | undefined {
    const reserved = this.memory.reserve(size, alignment);
    if (reserved !== undefined) this.granted += 1;
    return reserved;
  }

  release(address: number): void {
    this.memory.release(address);
    this.returned += 1;
  }

  info(): { readonly total: number; readonly free: number } {
    return this.memory.info();
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
      say`${this.where}: these parameters make more than ${MOST_OPERATIONS} operations; a lesson takes fewer steps or layers`,
    );
  }
}
