import fc from 'fast-check';
import { defined } from '../../../base/errors.js';
import { describe, expect, it } from 'vitest';
import { MapGeometry } from '../map-geometry.js';
import { largestHoleOf, MomentReader } from '../moment.js';
import { layOutRows, rowBytesOf } from '../row-layout.js';
import { memoryRunOf } from '../run-of-trace.js';
import { PLAIN_PALETTE, PLAIN_WORDS, wideMeasure } from '../testing/plain-palette.js';
import { randomPrograms } from '../testing/random-program.js';
import { type MapPicture, paintMap } from './map-painter.js';
import { boxOf, covers, placed } from './label-place.js';
import { FONT_PIXELS, type Label } from './picture.js';
import { Pixels } from './pixels.js';

const MIB = 2 ** 20;

const box = (label: Label) => boxOf(label, wideMeasure, 1);

it('says on the picture what was needed, wherever the hole lies and however thin its row is', () => {
  let seen = 0;
  fc.assert(
    fc.property(
      randomPrograms(120, false),
      fc.integer({ min: 30, max: 90 }),
      fc.integer({ min: 90, max: 500 }),
      fc.constantFrom('packed' as const, 'single' as const),
      (trace, budget, height, mode) => {
        const run = memoryRunOf(trace, { name: 'caching', conf: '', capacity: budget * MIB });
        const moment = new MomentReader(run).at(run.end - 1);
        const hole = largestHoleOf(run, moment);
        const size = run.failures.requested[0];
        if (hole === undefined || size === undefined) return;
        const rowBytes = rowBytesOf([run]);
        const layout = layOutRows(run, mode, rowBytes);
        const frame = { width: 480, height, scale: 1 };
        const geometry = new MapGeometry(layout, frame, { from: 0, span: rowBytes, top: 0 }, layout.rows);
        const marks = { numbered: [], pinned: undefined, hovered: undefined, found: [], request: { size, hole } };
        const picture: MapPicture = { run, moment, geometry, palette: PLAIN_PALETTE, words: PLAIN_WORDS, marks };
        const paint = (some: MapPicture) => paintMap(some, new Pixels(frame.width, frame.height, 1), wideMeasure);
        const labels = paint(picture);
        const said = labels.find(({ text }) => text.includes('needed'));
        const range = moment.areas[hole.area]?.range ?? -1;
        if (!geometry.spansOf(run, range, hole.address, hole.size).every(({ row }) => geometry.showsRow(row))) return;
        seen++;
        expect(said).toBeDefined();
        expect(said?.y).toBeGreaterThanOrEqual(FONT_PIXELS / 2);
        expect(said?.y).toBeLessThanOrEqual(height - FONT_PIXELS / 2);
        const own = defined(said, 'the words of the request');
        expect(labels.filter((other) => other !== own && covers(box(own), box(other)))).toEqual([]);
        // Sizes of other holes stay, unless there is no place on the line at all.
        const spans = geometry.spansOf(run, range, hole.address, hole.size);
        const isOfHole = ({ x, y }: Label) =>
          spans.some(
            ({ row, offset, size: bytes }) =>
              y > geometry.yOf(row) &&
              y < geometry.yOf(row) + geometry.rowHeight &&
              x >= geometry.xOf(offset) &&
              x < geometry.xOf(offset + bytes),
          );
        const plain = paint({ ...picture, marks: { ...marks, request: undefined } });
        const sizes = plain.filter((label) => label.weight !== 500 && !isOfHole(label));
        const gone = sizes.filter(({ text, x, y }) => !labels.some((l) => l.text === text && l.x === x && l.y === y));
        if (gone.length === 0) return;
        const wide = box(own).right - box(own).left;
        for (let left = 0; left + wide <= frame.width; left++) {
          const there = { ...box(own), left, right: left + wide };
          expect(sizes.some((other) => covers(there, box(other)))).toBe(true);
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(seen).toBeGreaterThan(30);
});

describe('words on a picture with words', () => {
  const at = (x: number, y: number): Label => ({ text: 'four', x, y, colour: '', weight: 600, align: 'end' });
  const wide = box(at(100, 50)).right - box(at(100, 50)).left;
  const place = (taken: readonly Label[], lines = [50, 70]) =>
    placed(at(100, 50), { lines, taken, width: 200 }, wideMeasure, 1);

  it('stay where nothing is under them, and touch what ends where they begin', () => {
    expect(place([])).toEqual(at(100, 50));
    expect(place([at(100 - wide, 50)])).toEqual(at(100, 50));
  });

  it('move the least that is enough, and change the line where that is less', () => {
    expect(place([at(100 - wide + 1, 50)])).toEqual(at(101, 50));
    expect(place([at(100, 50)])).toEqual(at(100, 70));
    expect(place([at(100, 50)], [50]).x).toBeCloseTo(100 - wide);
    expect(place([at(90, 50), at(100, 70)]).x).toBeCloseTo(90 + wide);
  });

  it('stay where no line has room', () => {
    const full = Array.from({ length: 20 }, (_, i) => [at(10 * i, 50), at(10 * i, 70)]).flat();
    expect(place(full)).toEqual(at(100, 50));
  });
});
