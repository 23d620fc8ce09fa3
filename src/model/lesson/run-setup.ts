/** What a run of a lesson is made on, as the models, a page and a GPU are told it. Needs no model. */
import { assertNever } from '../../base/errors.js';
import { parseSize } from '../../base/sizes.js';
import { type AllocatorSetup } from '../allocator/registry.js';
import { type Run } from './schema.js';

/** "No cache" of a lesson: each tensor is a device call, rounded up as cudaMalloc does for large requests. */
const DIRECT_CONF = 'granularity=2MiB';

/** Bytes of the run's budget. */
export const budgetOf = (run: Run): number => parseSize(run.budget, `run ${run.id}: budget`);

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
