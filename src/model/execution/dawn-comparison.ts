/**
 * Dawn's sub-allocator against none: the cases of the suite `driver` from a browser as it is, and from one that was started
 * with `disable_resource_suballocation`, side by side.
 */
import * as v from 'valibot';
import { formatBytes } from '../../base/format.js';
import { type Experiment } from '../report/schema.js';

/** Behind a case's id where every buffer has an allocation of its own. */
export const OWN_ALLOCATIONS = '/own-allocations';

const bytes = v.array(v.number());
const caseSchema = v.looseObject({
  status: v.literal('measured'),
  about: v.string(),
  expectedBytes: bytes,
  observedBytes: bytes,
  liveBytes: bytes,
  createNs: v.array(v.looseObject({ p50: v.number() })),
});
type Case = v.InferOutput<typeof caseSchema>;

/** Pairs the cases by id. Undefined where no case was measured on both sides. */
export function compareSubAllocation(experiments: readonly Experiment[]): Experiment | undefined {
  const cases = new Map<string, Case>();
  for (const experiment of experiments) {
    const { success, output } = v.safeParse(caseSchema, experiment);
    if (experiment.suite === 'driver' && success) cases.set(experiment.id, output);
  }
  const pairs = [...cases].flatMap(([id, shared]) => {
    const own = cases.get(id + OWN_ALLOCATIONS);
    return own === undefined
      ? []
      : [{ id, about: shared.about, subAllocated: sideOf(shared), ownAllocations: sideOf(own) }];
  });
  if (pairs.length === 0) return undefined;
  return {
    id: 'driver/sub-allocation',
    suite: 'driver',
    status: 'measured',
    about:
      "each case with Dawn's sub-allocator and with disable_resource_suballocation: bytes after each act, time of a creation",
    cases: pairs,
    says: pairs
      .map(
        ({ id, subAllocated, ownAllocations }) =>
          `${id}: ${words(subAllocated)} with heaps, ${words(ownAllocations)} without`,
      )
      .join('; '),
  };
}

interface Side {
  readonly expectedBytes: readonly number[];
  readonly observedBytes: readonly number[];
  readonly createP50Ns: readonly number[];
}

const sideOf = ({ expectedBytes, observedBytes, createNs }: Case): Side => ({
  expectedBytes,
  observedBytes,
  createP50Ns: createNs.map(({ p50 }) => Math.round(p50)),
});

const words = ({ expectedBytes, observedBytes }: Side): string =>
  `${formatBytes(observedBytes.at(-1) ?? 0)} (expected ${formatBytes(expectedBytes.at(-1) ?? 0)})`;
