/** Ranges and ticks of the log-log plot. Pure, so that the edges can be tested. */

const FALLBACK_X: readonly [number, number] = [2 ** 16, 2 ** 28];
const FALLBACK_Y: readonly [number, number] = [1, 1000];
const X_MARGIN = 0.3;
const Y_MARGIN = 1.35;

/** log2 x from the smallest to the largest working set, with a little room. */
export function rangeX(min: number | null, max: number | null): [number, number] {
  const [from, to] = min === null || max === null ? FALLBACK_X : [min, max];
  return [from * 2 ** -X_MARGIN, to * 2 ** X_MARGIN];
}

/** log10 y; at least one decade, so that noise does not fill the plot. */
export function rangeY(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [...FALLBACK_Y];
  const from = min / Y_MARGIN;
  const to = max * Y_MARGIN;
  const missing = Math.max(0, 1 - Math.log10(to / from)) / 2;
  return [from / 10 ** missing, to * 10 ** missing];
}

/** Every power of two inside. */
export function ticksX(min: number, max: number): number[] {
  const first = Math.ceil(Math.log2(min));
  const last = Math.floor(Math.log2(max));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 2 ** (first + i));
}

/** Powers of ten, with 3 times each between them when they are few. */
export function ticksY(min: number, max: number): number[] {
  const decades = Math.log10(max / min);
  const steps = decades > 3.2 ? [1] : decades > 1.4 ? [1, 3] : [1, 2, 5];
  const ticks: number[] = [];
  for (let exponent = Math.floor(Math.log10(min)); exponent <= Math.ceil(Math.log10(max)); exponent++) {
    for (const step of steps) {
      const tick = exponent < 0 ? step / 10 ** -exponent : step * 10 ** exponent;
      if (tick >= min && tick <= max) ticks.push(tick);
    }
  }
  return ticks;
}
