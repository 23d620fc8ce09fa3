import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemoryRun } from '../memory-run.js';
import { ProgramAxis } from '../program-axis.js';
import { memoryRunOf } from '../run-of-trace.js';
import { PLAIN_PALETTE, PLAIN_WORDS, wideMeasure } from '../testing/plain-palette.js';
import { randomPrograms } from '../testing/random-program.js';
import { TrackLevels, type TrackWindow } from '../track-columns.js';
import { wholeAxis, zoomTracks } from '../windows.js';
import { TraceBuilder } from '../../trace/trace-builder.js';
import { type Label } from './picture.js';
import { Pixels } from './pixels.js';
import { paintTracks, plotWidth, TRACK_MARGIN, trackX } from './track-painter.js';

const MIB = 2 ** 20;

function paint(runs: readonly MemoryRun[], width: number, window: TrackWindow, position: number, scale = 1) {
  const frame = { width, height: 180 * scale, scale };
  const pixels = new Pixels(frame.width, frame.height, scale);
  const labels = paintTracks(
    {
      axis: new ProgramAxis(runs),
      levels: runs.map((run) => new TrackLevels(run)),
      window,
      position,
      mode: 'tracks',
      selection: undefined,
      frame,
      palette: PLAIN_PALETTE,
      words: PLAIN_WORDS,
      letters: runs.length > 1 ? ['A', 'B'] : [],
    },
    pixels,
    (text, weight) => scale * wideMeasure(text, weight),
  );
  return { frame, labels, pixels };
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
        const { labels, frame } = paint([run, run], 700 * scale, whole, run.end - 1, scale);
        const end = TRACK_MARGIN.left * scale + plotWidth(frame);
        const listed = labels.filter((label) => across(label, scale)[0] >= end);
        expect(listed.length).toBeGreaterThanOrEqual(6);
        for (const one of listed) {
          expect(across(one, scale)[1]).toBeLessThanOrEqual(frame.width);
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
          // The playhead, off the picture, may lie on a mark.
          const { frame, pixels, labels } = paint([run], width, window, -1000);
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
