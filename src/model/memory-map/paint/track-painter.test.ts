import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemoryRun } from '../memory-run.js';
import { ProgramAxis } from '../program-axis.js';
import { memoryRunOf } from '../run-of-trace.js';
import { PLAIN_PALETTE, PLAIN_WORDS, wideMeasure } from '../testing/plain-palette.js';
import { randomPrograms } from '../testing/random-program.js';
import { siteLayer } from '../site-layer.js';
import { TrackLevels, type TrackWindow } from '../track-columns.js';
import { wholeAxis, zoomTracks } from '../windows.js';
import { TraceBuilder } from '../../trace/trace-builder.js';
import { CATEGORY } from '../../trace/trace.js';
import { type Label, type Measure } from './picture.js';
import { Pixels } from './pixels.js';
import { endsFrame, paintTrackEnds } from './track-ends.js';
import { paintTracks } from './track-painter.js';
import { plotWidth, TRACK_MARGIN, trackX } from './track-scale.js';

const MIB = 2 ** 20;

interface Drawn {
  readonly mode?: 'tracks' | 'origin';
  readonly scale?: number;
  /** Name of blocks with a layer of their own. */
  readonly layer?: string;
}

/** The tracks, and the values at a position at their end. */
function paint(
  runs: readonly MemoryRun[],
  width: number,
  window: TrackWindow,
  position: number,
  { mode = 'tracks', scale = 1, layer = '' }: Drawn = {},
) {
  const frame = { width, height: 180 * scale, scale };
  const pixels = new Pixels(frame.width, frame.height, scale);
  const measure: Measure = (text, weight) => scale * wideMeasure(text, weight);
  const common = {
    axis: new ProgramAxis(runs),
    levels: runs.map((run) => new TrackLevels(run)),
    layers: runs.map((run) => siteLayer(run, layer)),
    mode,
    frame,
    palette: PLAIN_PALETTE,
    words: PLAIN_WORDS,
  };
  const letters = runs.length > 1 ? ['A', 'B'] : [];
  const labels = paintTracks({ ...common, window, selection: undefined, letters }, pixels, measure);
  const side = endsFrame(frame);
  const ends = new Pixels(side.width, side.height, scale);
  const values = paintTrackEnds({ ...common, position }, ends, measure);
  return { frame, labels, pixels, values, side };
}

/** From where to where a label reaches across. */
const across = ({ text, x, align }: Label, scale: number): readonly [number, number] => {
  const width = scale * wideMeasure(text, 400);
  const left = { start: x, middle: x - width / 2, end: x - width }[align];
  return [left, left + width];
};

describe('the words at the end of a track', () => {
  it.each([1, 2])('never run into each other at scale %s, from nothing to what is the most a model takes', (scale) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900_000 }), { minLength: 1, maxLength: 6 }), (sizes) => {
        const builder = new TraceBuilder('large');
        sizes.forEach((size, id) => builder.allocate(id, size * MIB));
        builder.free(0);
        const run = memoryRunOf(builder.finish(), { name: 'caching', conf: '', capacity: 900 * 1024 * MIB });
        const whole = wholeAxis(run.operations);
        const { values: listed, side } = paint([run, run], 700 * scale, whole, run.end - 1, { scale });
        expect(listed.length).toBeGreaterThanOrEqual(6);
        for (const one of listed) {
          expect(across(one, scale)[0]).toBeGreaterThanOrEqual(0);
          expect(across(one, scale)[1]).toBeLessThanOrEqual(side.width);
          expect(one.y + 6 * scale).toBeLessThanOrEqual(side.height);
          for (const other of listed) {
            if (one === other || Math.abs(one.y - other.y) >= 11 * scale) continue;
            const [left, right] = across(one, scale);
            const [otherLeft, otherRight] = across(other, scale);
            expect(left >= otherRight || otherLeft >= right, `${one.text} on ${other.text}`).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('failures on the tracks', () => {
  it('are marked in their column, however many operations share one', () => {
    fc.assert(
      fc.property(
        randomPrograms(400, false),
        fc.integer({ min: 16, max: 90 }),
        fc.integer({ min: 215, max: 420 }),
        fc.nat(100),
        (trace, budget, width, zoom) => {
          const setup = { name: 'caching', conf: '', capacity: budget * MIB };
          const run = memoryRunOf(trace, setup, { afterFailure: 'go-on' });
          const whole = wholeAxis(run.operations);
          const window = zoom < 50 ? whole : zoomTracks(whole, run.operations, 1 + zoom / 20, zoom / 100);
          const { frame, pixels, labels } = paint([run], width, window, -1);
          const plotEnd = TRACK_MARGIN.left + plotWidth(frame);
          for (const plate of labels.filter(({ text }) => text.startsWith('OOM'))) {
            expect(across(plate, 1)[1]).toBeLessThanOrEqual(plotEnd);
          }
          // At the foot of the plot, where no plate with words lies.
          const row = (frame.height - TRACK_MARGIN.bottom - 3) * frame.width;
          for (const operation of run.failures.operation) {
            if (operation < window.from || operation >= window.to) continue;
            const x = Math.floor(trackX(frame, window, operation));
            if (x >= plotEnd) continue;
            const near = [x - 1, x, x + 1].map((column) => pixels.data[row + column]);
            expect(near, `operation ${operation} at ${x}`).toContain(PLAIN_PALETTE.badMark);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('the layer of a place in the code', () => {
  const MODEL = 'app/model.py:39 forward';
  const EXP = 'app/nn_utils.py:6 exp';

  /** Blocks of two names and one category, 30 MiB of each, the second freed in the middle. */
  function twoSites(): MemoryRun {
    const builder = new TraceBuilder('sites');
    for (let i = 0; i < 3; i++) builder.allocate(i, 10 * MIB, 0, CATEGORY.activation, MODEL);
    for (let i = 3; i < 6; i++) builder.allocate(i, 10 * MIB, 0, CATEGORY.activation, EXP);
    for (let i = 3; i < 6; i++) builder.free(i);
    for (let i = 0; i < 9; i++) builder.mark('rest');
    return memoryRunOf(builder.finish(), { name: 'caching', conf: '', capacity: 100 * MIB });
  }

  it('lies on its category in the same colour under a line of its own, as high as its blocks', () => {
    const run = twoSites();
    const whole = wholeAxis(run.operations);
    const { frame, pixels, values } = paint([run], 700, whole, 5, { mode: 'origin', layer: EXP });
    const x = Math.round(trackX(frame, whole, 5.5));
    const column = Array.from({ length: frame.height }, (_, y) => pixels.data[y * frame.width + x]);
    const fill = PLAIN_PALETTE.fills[CATEGORY.activation];
    const line = column.indexOf(PLAIN_PALETTE.accent);
    const edge = column.lastIndexOf(PLAIN_PALETTE.edges[CATEGORY.activation]);
    const foot = column.lastIndexOf(fill) + 1;
    // 30 MiB from the line of the place down to the edge of the rest, 30 MiB from there to the foot.
    expect(Math.abs(edge - line - (foot - edge))).toBeLessThanOrEqual(1);
    expect(new Set(column.slice(line + 3, edge))).toEqual(new Set([fill]));
    expect(values.map(({ text }) => text)).toEqual(expect.arrayContaining(['nn_utils.py:6', '30.0']));
  });

  it('leaves the heights of all others as they are', () => {
    const run = twoSites();
    const whole = wholeAxis(run.operations);
    const plain = paint([run], 700, whole, 5, { mode: 'origin' });
    const layered = paint([run], 700, whole, 5, { mode: 'origin', layer: EXP });
    const tops = ({ pixels, frame }: typeof plain) =>
      Array.from({ length: plotWidth(frame) }, (_, i) => {
        const x = TRACK_MARGIN.left + i;
        const isGround = (y: number) => pixels.data[y * frame.width + x] === PLAIN_PALETTE.surfaceLow;
        let y = frame.height - TRACK_MARGIN.bottom - 1;
        while (y > TRACK_MARGIN.top && !isGround(y) && pixels.data[y * frame.width + x] !== PLAIN_PALETTE.hatch) y--;
        return y;
      });
    expect(tops(layered)).toEqual(tops(plain));
    expect(plain.pixels.data.includes(PLAIN_PALETTE.accent)).toBe(false);
  });
});
