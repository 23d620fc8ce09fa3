/** What a sweep runs on: the program of a trace or snapshot, and the same program with its growing tensors preallocated. */
import { formatBytes, formatNumber } from '../../../base/format.js';
import { fidelityOf, isExact } from '../../snapshot/fidelity.js';
import { type Fidelity } from '../../snapshot/fidelity-figures.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from '../../snapshot/recorded-snapshot.js';
import { recordedConf } from '../../snapshot/recorded-settings.js';
import { recordedProgram } from '../../snapshot/recorded-program.js';
import { startHeap } from '../../snapshot/start-heap.js';
import { callSite } from '../../snapshot/call-site.js';
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { type GrowthChain, growthChains, preallocated } from '../../trace/growth-chains.js';
import { heldSites, peakOperation } from '../../trace/held-sites.js';
import { placesOf } from '../../trace/places.js';
import { withoutTensors } from '../../trace/pick-operations.js';
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
  /** Entry of the recorded trace behind each operation of the program, -1 for its start; undefined for a trace file. */
  readonly events: Int32Array | undefined;
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
 * The program of a snapshot's trace: of the device asked for, else of the one that failed, else of the one with the most
 * allocations. Throws `AppError` (`bad-input`) when no trace was recorded.
 */
export function snapshotInput(snapshot: RecordedSnapshot, device?: number): WhatIfInput {
  const traced = snapshot.traces.filter(({ action }) => action.includes(ACTION.alloc));
  const asked = device === undefined ? traced : traced.filter((trace) => trace.device === device);
  const chosen = [...asked].sort(byInterest)[0];
  if (chosen === undefined) {
    throw badInput(
      snapshot.name,
      say`${snapshot.name}: the snapshot holds no trace, so there is nothing to replay; record one with
        torch.cuda.memory._record_memory_history() before the part of interest`,
    );
  }
  const start = startHeap(snapshot, chosen);
  const program = recordedProgram(snapshot, chosen, start);
  const fidelity = fidelityOf(snapshot).find(({ device }) => device === chosen.device);
  if (fidelity === undefined) throw new Error('a trace with allocations has a fidelity');
  const conf = recordedConf(snapshot);
  const nameOf = (stack: number): string => callSite(snapshot, stack);
  const failure = program.events.findIndex((event) => event >= 0 && chosen.action[event] === ACTION.oom);
  const changes = numbered(conf, [
    ...preallocations(program.trace, program.stacks, nameOf),
    ...removals(program.trace, program.stacks, nameOf, {
      first: program.startOperations,
      // Before the refused request itself, which is in the program as an allocation.
      operation: failure < 0 ? peakOperation(program.trace) : failure - 1,
    }),
  ]);
  return {
    name: snapshot.name,
    traces: [program.trace, ...changes.map(({ trace }) => trace)],
    codeChanges: changes.map(({ change }) => change),
    conf,
    capacity: start.available,
    events: program.events,
    recorded: {
      device: chosen.device,
      otherDevices: traced.filter((trace) => trace !== chosen).map(({ device }) => device),
      startOperations: start.blocks.length,
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
  const nameOf = (site: number): string => names[site] ?? '';
  const changes = numbered(conf, [
    ...preallocations(trace, sites, nameOf),
    ...removals(trace, sites, nameOf, { first: 0, operation: peakOperation(trace) }),
  ]);
  return {
    name: trace.name,
    traces: [trace, ...changes.map((change) => change.trace)],
    codeChanges: changes.map(({ change }) => change),
    conf,
    capacity,
    recorded: undefined,
    events: undefined,
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

/** A program with other code, and what was changed, in words. */
interface ChangedCode {
  readonly setting: string;
  readonly trace: Trace;
  readonly isHypothetical: boolean;
  /** The place in the code, where it is one. */
  readonly site?: string;
}

/** Tensors that grow by copy, allocated once. */
function preallocations(trace: Trace, sites: Int32Array, nameOf: (site: number) => string): ChangedCode[] {
  const chains = growthChains(trace, sites);
  const bySite = new Map<number, GrowthChain[]>();
  for (const chain of chains) bySite.set(chain.site, [...(bySite.get(chain.site) ?? []), chain]);
  const bytes = (some: readonly GrowthChain[]): number => some.reduce((sum, { lastSize }) => sum + lastSize, 0);
  const places = [...bySite.values()].sort((a, b) => bytes(b) - bytes(a));
  const groups = places.slice(0, MOST_PLACES).map((some) => ({ some, site: some[0]?.site ?? -1 }));
  return [
    ...groups.map(({ some, site }) => ({
      site: nameOf(site),
      isHypothetical: false,
      trace: preallocated(trace, some),
      setting: say`preallocate ${formatNumber(some.length)} growing tensors (${formatBytes(bytes(some))}) at ${nameOf(site)}`,
    })),
    ...(places.length < 2
      ? []
      : [
          {
            isHypothetical: false,
            trace: preallocated(trace, chains),
            setting: say`preallocate ${formatNumber(chains.length)} growing tensors (${formatBytes(bytes(chains))}) at all
              ${formatNumber(places.length)} places`,
          },
        ]),
  ];
}

/** What a place must hold of the live bytes to be asked about. */
const LEAST_SHARE = 0.01;

/** The places that hold most at a moment, taken out one by one. Stacks of one place count together. */
function removals(
  trace: Trace,
  stacks: Int32Array,
  nameOf: (stack: number) => string,
  { first, operation }: { readonly first: number; readonly operation: number },
): ChangedCode[] {
  const { places, names } = placesOf(stacks, nameOf);
  const held = heldSites(trace, places, first, operation);
  const total = held.reduce((sum, { bytes }) => sum + bytes, 0);
  return held
    .filter(({ bytes }) => bytes >= LEAST_SHARE * total)
    .slice(0, MOST_PLACES)
    .map(({ site, bytes, tensors }) => ({
      ...(names[site] === undefined ? {} : { site: names[site] }),
      setting:
        tensors === 1
          ? say`without ${names[site] ?? ''} (${formatBytes(bytes)} in 1 tensor)`
          : say`without ${names[site] ?? ''} (${formatBytes(bytes)} in ${formatNumber(tensors)} tensors)`,
      isHypothetical: true,
      trace: withoutTensors(trace, (tensor) => places[tensor] === site),
    }));
}

const numbered = (
  conf: string,
  changes: readonly ChangedCode[],
): { readonly trace: Trace; readonly change: Change }[] =>
  changes.map(({ trace, ...words }, index) => ({
    trace,
    change: { ...words, allocator: 'caching', conf, trace: index + 1 },
  }));
