/**
 * Makes the allocator that a command, a sweep or a page names, on a simulated device of a given size.
 *
 *     const { allocator } = setUpAllocator({ name: 'caching', conf: 'expandable_segments:True', capacity: GiB(40) });
 */
import { badInput } from '../../base/errors.js';
import { type Allocator } from './allocator.js';
import { BfcAllocator } from './bfc/bfc-allocator.js';
import { BumpMemory } from './bfc/bump-memory.js';
import { parseBfcConf } from './bfc/options.js';

export interface AllocatorSetup {
  /** As in `--allocator`. */
  readonly name: string;
  /** Settings string of the framework: PYTORCH_CUDA_ALLOC_CONF, or `key=value,...` for BFC. */
  readonly conf?: string | undefined;
  /** Bytes of the device. */
  readonly capacity: number;
  /** Share of the device that PyTorch may use. */
  readonly fraction?: number | undefined;
  readonly torch?: '2.6' | '2.14' | undefined;
  /** Keep a history of what the allocator did, where it can. */
  readonly history?: boolean | undefined;
}

export interface ReadyAllocator {
  readonly allocator: Allocator;
  /** Address that its device gives out first. */
  readonly firstAddress: number;
}

const MAKERS: Readonly<Record<string, (setup: AllocatorSetup) => ReadyAllocator>> = {
  bfc: makeBfc,
};

/** The names that `setUpAllocator` knows. */
export const ALLOCATOR_NAMES: readonly string[] = Object.keys(MAKERS);

/** Throws `AppError` (`bad-input`) for an unknown name, or settings that the allocator refuses. */
export function setUpAllocator(setup: AllocatorSetup): ReadyAllocator {
  const make = Object.hasOwn(MAKERS, setup.name) ? MAKERS[setup.name] : undefined;
  if (make === undefined) {
    throw badInput('--allocator', `--allocator: "${setup.name}" is not known; one of ${ALLOCATOR_NAMES.join(', ')}`);
  }
  return make(setup);
}

function makeBfc(setup: AllocatorSetup): ReadyAllocator {
  refuse(setup.fraction !== undefined, '--fraction', 'bfc has no memory fraction; give memory_limit in --conf');
  const { options, subCapacity, subGranularity } = parseBfcConf(setup.conf ?? '');
  const memoryLimit = options.memoryLimit ?? setup.capacity;
  const memory = new BumpMemory(subCapacity ?? memoryLimit + 256, subGranularity);
  return { allocator: new BfcAllocator({ ...options, memoryLimit, memory }), firstAddress: memory.base };
}

function refuse(isWrong: boolean, option: string, why: string): void {
  if (isWrong) throw badInput(option, `${option}: ${why}`);
}
