/** Where the axis of the tracks has marks: the steps of the program where it names them, otherwise round positions. */
import { formatNumber } from '../../../base/format.js';
import { type AxisMarker, type ProgramAxis } from '../program-axis.js';
import { type TrackWindow } from '../track-columns.js';

export interface AxisTick {
  readonly position: number;
  readonly text: string;
}

const STEP = /^(\D+?)\s*(\d+)$/;

/** The word of the markers that number the program (`step`), and those markers; undefined where there are none. */
export function numberedMarkers(
  markers: readonly AxisMarker[],
): { readonly word: string; readonly markers: readonly AxisMarker[] } | undefined {
  const word = STEP.exec(markers[0]?.label ?? '')?.[1];
  if (word === undefined) return undefined;
  return { word, markers: markers.filter(({ label }) => STEP.exec(label)?.[1] === word) };
}

/** Ticks of a window `width` pixels wide, none nearer to the next than its text has `room`. */
export function axisTicks(
  axis: ProgramAxis,
  window: TrackWindow,
  width: number,
  room: (text: string) => number,
): AxisTick[] {
  const scale = width / (window.to - window.from);
  const inside = ({ position }: AxisTick): boolean => position >= window.from && position <= window.to;
  const numbered = numberedMarkers(axis.markers);
  if (numbered !== undefined) {
    const shown = numbered.markers
      .map(({ position, label }) => ({ position, text: STEP.exec(label)?.[2] ?? '' }))
      .filter(inside);
    if (shown.length > 1) return thinned(shown, scale, room);
  }
  const least = room(formatNumber(window.to));
  const step = roundStep((window.to - window.from) / Math.max(1, Math.floor(width / least)));
  const ticks: AxisTick[] = [];
  for (let at = Math.ceil(window.from / step) * step; at <= window.to; at += step) {
    if (at >= 0) ticks.push({ position: at, text: formatNumber(at) });
  }
  return ticks;
}

/** Every second, fifth, tenth ... so that no text touches the next. */
function thinned(ticks: readonly AxisTick[], scale: number, room: (text: string) => number): AxisTick[] {
  for (const every of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000]) {
    const kept = ticks.filter(({ text }) => Number(text) % every === 0);
    const fits = kept.every((tick, i) => {
      const before = kept[i - 1];
      return before === undefined || (tick.position - before.position) * scale >= room(tick.text);
    });
    if (fits) return kept;
  }
  return [];
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}
