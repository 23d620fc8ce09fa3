/** What a sweep runs on: the program of a trace or snapshot, and the same program with its growing tensors preallocated. */
import { formatBytes, formatNumber } from '../../../base/format.js';
import { fidelityOf, isExact } from '../../snapshot/fidelity.js';
import { type Fidelity } from '../../snapshot/forward-replay.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from '../../snapshot/recorded-snapshot.js';
import { recordedConf } from '../../snapshot/recorded-settings.js';
import { recordedProgram } from '../../snapshot/recorded-program.js';
import { startHeap } from '../../snapshot/start-heap.js';
import { callSite } from '../../snapshot/call-site.js';
import { badInput } from '../../../base/errors.js';
import { type GrowthChain, growthChains, preallocated } from '../../trace/growth-chains.js';
import { OPERATION, tensorCount, type Trace } from '../../trace/trace.js';
import { type Change } from './changes.js';

export interface WhatIfInput {
  readonly name: string;
  /** The program, then one more for each change of its code. */
  readonly traces: readonly Trace[];
  readonly codeChanges: readonly Change[];
  /** Settings that it ran with. */
  readonly conf: string;
  /** Bytes that the process could have; undefined where nothing tells. */
  readonly capacity: number | undefined;
  readonly recorded: RecordedFacts | undefined;
}

/** What a snapshot tells beside its program. */
export interface RecordedFacts {
  readonly device: number;
  readonly otherDevices: readonly number[];
  readonly startOperations: number;
  readonly fidelity: Fidelity;
  readonly isExact: boolean;
  readonly usesPrivatePools: boolean;
}

/** Places with the most growing bytes that are asked about one by one. */
const MOST_PLACES = 3;

/**
 * The program of a snapshot's trace: of the device that failed, else of the one with the most allocations.
 * Throws `AppError` (`bad-input`) when no trace was recorded.
 */
export function snapshotInput(snapshot: RecordedSnapshot): WhatIfInput {
  const traced = snapshot.traces.filter(({ action }) => action.includes(ACTION.alloc));
  const chosen = [...traced].sort(byInterest)[0];
  if (chosen === undefined) {
    throw badInput(
      snapshot.name,
      `${snapshot.name}: the snapshot holds no trace, so there is nothing to replay; record one with ` +
        'torch.cuda.memory._record_memory_history() before the part of interest',
    );
  }
  const start = startHeap(snapshot, chosen);
  const program = recordedProgram(snapshot, chosen, start);
  const fidelity = fidelityOf(snapshot).find(({ device }) => device === chosen.device);
  if (fidelity === undefined) throw new Error('a trace with allocations has a fidelity');
  const conf = recordedConf(snapshot);
  const changes = codeChanges(program.trace, program.stacks, conf, (stack) => callSite(snapshot, stack));
  return {
    name: snapshot.name,
    traces: [program.trace, ...changes.map(({ trace }) => trace)],
    codeChanges: changes.map(({ change }) => change),
    conf,
    capacity: start.available,
    recorded: {
      device: chosen.device,
      otherDevices: traced.filter((trace) => trace !== chosen).map(({ device }) => device),
      startOperations: program.startOperations,
      fidelity,
      isExact: isExact(fidelity),
      usesPrivatePools: snapshot.segments.some(({ pool }) => pool[0] !== 0 || pool[1] !== 0),
    },
  };
}

const byInterest = (a: RecordedTrace, b: RecordedTrace): number =>
  Number(b.action.includes(ACTION.oom)) - Number(a.action.includes(ACTION.oom)) || b.count - a.count;

/** The program of a trace file; tensors of one label (numbers aside) and category are taken as of one place. */
export function traceInput(trace: Trace, conf: string, capacity: number | undefined): WhatIfInput {
  const { sites, names } = labelSites(trace);
  const changes = codeChanges(trace, sites, conf, (site) => names[site] ?? '');
  return {
    name: trace.name,
    traces: [trace, ...changes.map((change) => change.trace)],
    codeChanges: changes.map(({ change }) => change),
    conf,
    capacity,
    recorded: undefined,
  };
}

function labelSites(trace: Trace): { readonly sites: Int32Array; readonly names: readonly string[] } {
  const sites = new Int32Array(tensorCount(trace)).fill(-1);
  const names: string[] = [];
  const known = new Map<string, number>();
  const { kind, text, texts, tensor } = trace;
  if (text === undefined) return { sites, names };
  const places = texts.map((label) => {
    const name = label.replace(/\d+/g, '#');
    const place = known.get(name) ?? names.length;
    if (place === names.length) {
      names.push(name);
      known.set(name, place);
    }
    return place;
  });
  kind.forEach((what, i) => {
    if (what === OPERATION.allocate) sites[tensor[i] ?? 0] = places[text[i] ?? -1] ?? -1;
  });
  return { sites, names };
}

function codeChanges(
  trace: Trace,
  sites: Int32Array,
  conf: string,
  nameOf: (site: number) => string,
): { readonly trace: Trace; readonly change: Change }[] {
  const chains = growthChains(trace, sites);
  const bySite = new Map<number, GrowthChain[]>();
  for (const chain of chains) bySite.set(chain.site, [...(bySite.get(chain.site) ?? []), chain]);
  const bytes = (some: readonly GrowthChain[]): number => some.reduce((sum, { lastSize }) => sum + lastSize, 0);
  const places = [...bySite.values()].sort((a, b) => bytes(b) - bytes(a));
  const groups = places.slice(0, MOST_PLACES).map((some) => ({ some, where: `at ${nameOf(some[0]?.site ?? -1)}` }));
  if (places.length > 1) groups.push({ some: chains, where: `at all ${formatNumber(places.length)} places` });
  return groups.map(({ some, where }, index) => ({
    trace: preallocated(trace, some),
    change: {
      setting: `preallocate ${formatNumber(some.length)} growing tensors (${formatBytes(bytes(some))}) ${where}`,
      allocator: 'caching',
      conf,
      trace: index + 1,
    },
  }));
}
