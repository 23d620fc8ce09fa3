// @ts-check
/** How busy the main thread of a page was, from a trace of the browser. */

/**
 * @typedef {{ name: string, ph: string, ts: number, dur?: number, tdur?: number, pid: number, tid: number, args?: { name?: string } }} TraceEvent
 */

/**
 * Milliseconds that the processor worked on tasks of the main thread between the starts of two frames, a frame each. Time in
 * which the thread only waits (for the compositor, for its turn on a busy machine) is no work of the page.
 * @param {{ traceEvents: readonly TraceEvent[] }} trace
 * @returns {number[]}
 */
export function busyPerFrame({ traceEvents }) {
  const main = mainThread(traceEvents);
  const own = traceEvents.filter((event) => threadOf(event) === main);
  const starts = own.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts);
  starts.sort((a, b) => a - b);
  const busy = new Array(Math.max(0, starts.length - 1)).fill(0);
  let frame = 0;
  for (const { ts, tdur, dur = 0 } of own.filter(isTask).sort((a, b) => a.ts - b.ts)) {
    // A task counts for the frame in which it began; the one that runs the frame itself begins just before it.
    while (frame < busy.length && (starts[frame + 1] ?? Infinity) <= ts + dur) frame++;
    if (frame < busy.length && ts + dur > (starts[0] ?? Infinity)) busy[frame] += (tdur ?? dur) / 1000;
  }
  return busy;
}

/** @param {TraceEvent} event */
const threadOf = ({ pid, tid }) => `${pid} ${tid}`;

/** @param {TraceEvent} event */
const isTask = ({ name, ph }) => name === 'RunTask' && ph === 'X';

/** The renderer's main thread on which frames are run. @param {readonly TraceEvent[]} events */
function mainThread(events) {
  /** @type {Map<string, number>} */
  const frames = new Map();
  for (const event of events) {
    if (event.name === 'FireAnimationFrame') frames.set(threadOf(event), (frames.get(threadOf(event)) ?? 0) + 1);
  }
  const [most] = [...frames].sort(([, a], [, b]) => b - a);
  if (most === undefined) throw new Error('the trace has no frames');
  return most[0];
}
