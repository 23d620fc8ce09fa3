/**
 * Places in the code whose live bytes rise from part to part of a recorded trace: what a leak looks like. A snapshot has
 * no marks between steps, so this is an approximation: the activations of one long forward pass look the same.
 */
import { callSite } from '../../snapshot/call-site.js';
import { recordedProgram } from '../../snapshot/recorded-program.js';
import { type RecordedSnapshot, type RecordedTrace } from '../../snapshot/recorded-snapshot.js';
import { startHeap } from '../../snapshot/start-heap.js';
import { placesOf } from '../../trace/places.js';
import { quietMoments, siteGrowth } from '../../trace/site-growth.js';

export interface GrowingSite {
  readonly device: number;
  readonly site: string;
  /** Live bytes at moments where little is live, one in each part of the trace. */
  readonly bytes: readonly number[];
  readonly rise_bytes: number;
  readonly blocks: number;
}

const MOST_SITES = 10;

/** The sites that rise most, of one device. */
export function snapshotGrowth(snapshot: RecordedSnapshot, trace: RecordedTrace): GrowingSite[] {
  const program = recordedProgram(snapshot, trace, startHeap(snapshot, trace));
  const moments = quietMoments(program.trace, program.startOperations);
  const { places, names } = placesOf(program.stacks, (stack) => callSite(snapshot, stack));
  return siteGrowth(program.trace, places, moments)
    .slice(0, MOST_SITES)
    .map(({ site, bytes, tensors }) => ({
      device: trace.device,
      site: names[site] ?? '',
      bytes,
      rise_bytes: (bytes.at(-1) ?? 0) - (bytes[0] ?? 0),
      blocks: tensors,
    }));
}
