import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MapGeometry } from '../map-geometry.js';
import { largestHoleOf, MomentReader } from '../moment.js';
import { layOutRows, rowBytesOf } from '../row-layout.js';
import { memoryRunOf } from '../run-of-trace.js';
import { PLAIN_PALETTE, PLAIN_WORDS, wideMeasure } from '../testing/plain-palette.js';
import { randomPrograms } from '../testing/random-program.js';
import { paintMap } from './map-painter.js';
import { FONT_PIXELS } from './picture.js';
import { Pixels } from './pixels.js';

const MIB = 2 ** 20;

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
        const picture = { run, moment, geometry, palette: PLAIN_PALETTE, words: PLAIN_WORDS, marks };
        const labels = paintMap(picture, new Pixels(frame.width, frame.height, 1), wideMeasure);
        const said = labels.find(({ text }) => text.includes('needed'));
        const range = moment.areas[hole.area]?.range ?? -1;
        if (!geometry.spansOf(run, range, hole.address, hole.size).every(({ row }) => geometry.showsRow(row))) return;
        seen++;
        expect(said).toBeDefined();
        expect(said?.y).toBeGreaterThanOrEqual(FONT_PIXELS / 2);
        expect(said?.y).toBeLessThanOrEqual(height - FONT_PIXELS / 2);
      },
    ),
    { numRuns: 300 },
  );
  expect(seen).toBeGreaterThan(30);
});
