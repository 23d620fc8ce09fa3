/** From block to block with the keyboard: what a key leads to from what is looked at. */
import { type MapHit, pieceAt } from './map-geometry.js';
import { type MemoryRun } from './memory-run.js';
import { holesOf, isPinned, type Moment } from './moment.js';

export type WalkStep = 'left' | 'right' | 'up' | 'down' | 'home' | 'end' | 'next-hole' | 'next-pin';

/** Where a step leads; undefined where there is nothing to go to. Without a start it leads to the first or last piece. */
export function walk(run: MemoryRun, moment: Moment, from: MapHit | undefined, step: WalkStep): MapHit | undefined {
  const { areas } = moment;
  if (areas.length === 0) return undefined;
  const first = (area: number): MapHit | undefined => pieceAt(run, moment, area, areas[area]?.address ?? 0);
  const last = (area: number): MapHit | undefined =>
    pieceAt(run, moment, area, (areas[area]?.address ?? 0) + (areas[area]?.size ?? 1) - 1);
  switch (step) {
    case 'home':
      return first(0);
    case 'end':
      return last(areas.length - 1);
    case 'next-hole':
      return nextHole(run, moment, from);
    case 'next-pin':
      return nextPin(run, moment, from);
    default:
  }
  if (from === undefined) return step === 'left' || step === 'up' ? last(areas.length - 1) : first(0);
  const here = areas[from.area];
  if (here === undefined) return first(0);
  if (step === 'up') return first(Math.max(0, from.area - 1));
  if (step === 'down') return first(Math.min(areas.length - 1, from.area + 1));
  if (step === 'right') {
    const next = from.address + from.size;
    if (next < here.address + here.size) return pieceAt(run, moment, from.area, next);
    return first((from.area + 1) % areas.length);
  }
  if (from.address > here.address) return pieceAt(run, moment, from.area, from.address - 1);
  return last((from.area + areas.length - 1) % areas.length);
}

/** The next smaller hole, from the largest on; after the smallest the largest again. */
function nextHole(run: MemoryRun, moment: Moment, from: MapHit | undefined): MapHit | undefined {
  const holes = moment.areas
    .flatMap((_, area) => holesOf(run, moment, area))
    .sort((a, b) => b.size - a.size || a.address - b.address);
  const at = from?.block === -1 ? holes.findIndex(({ address }) => address === from.address) : -1;
  const hole = holes[(at + 1) % holes.length];
  return hole && { ...hole, block: -1 };
}

/** The next block that holds a mostly empty segment. */
function nextPin(run: MemoryRun, moment: Moment, from: MapHit | undefined): MapHit | undefined {
  const { blocks } = run;
  const pins = moment.areas.flatMap((area, index) =>
    isPinned(area)
      ? [...moment.rows.subarray(area.first, area.end)].map((block): MapHit => ({
          area: index,
          block,
          address: blocks.address[block]!,
          size: blocks.size[block]!,
        }))
      : [],
  );
  const at = from === undefined ? -1 : pins.findIndex(({ block }) => block === from.block);
  return pins[(at + 1) % pins.length];
}
