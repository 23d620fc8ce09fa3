import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findWorkload } from '../workload/catalogue.js';
import { traceOf } from '../workload/trace-program.js';
import { hitAt, MapGeometry, type MapHit } from './map-geometry.js';
import { walk } from './map-walk.js';
import { type MemoryRun } from './memory-run.js';
import { holesOf, isPinned, MomentReader } from './moment.js';
import { layOutRows, rowBytesOf } from './row-layout.js';
import { memoryRunOf } from './run-of-trace.js';
import { searchBlocks } from './search.js';
import { randomPrograms } from './testing/random-program.js';
import { fitMap, panMap, panTracks, showPosition, wholeAxis, wholeRow, zoomMap, zoomTracks } from './windows.js';

const MIB = 2 ** 20;
const lesson = (): MemoryRun =>
  memoryRunOf(traceOf(findWorkload('lesson-loop')), { name: 'caching', conf: '', capacity: 992 * MIB });

describe('walking with keys', () => {
  it('passes every block and every hole once in a round, and back', () => {
    fc.assert(
      fc.property(randomPrograms(60, false), (trace) => {
        const run = memoryRunOf(trace, { name: 'caching', conf: '', capacity: 400 * MIB });
        const moment = new MomentReader(run).at(run.end - 1);
        const pieces =
          moment.rows.length + moment.areas.reduce((sum, _, area) => sum + holesOf(run, moment, area).length, 0);
        const round: MapHit[] = [];
        let at: MapHit | undefined;
        for (let i = 0; i < pieces; i++) {
          at = walk(run, moment, at, 'right');
          if (at !== undefined) round.push(at);
        }
        expect(new Set(round.map(({ area, address }) => `${area} ${address}`)).size).toBe(pieces);
        for (const piece of round.slice(0, -1).reverse()) {
          at = walk(run, moment, at, 'left');
          expect(at).toEqual(piece);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('goes through holes from the largest on, and through pins only', () => {
    const run = lesson();
    const moment = new MomentReader(run).at(run.end - 1);
    const largest = walk(run, moment, undefined, 'next-hole');
    expect(largest?.size).toBe(run.tracks.largestHole[run.end - 1]);
    const second = walk(run, moment, largest, 'next-hole');
    expect(second?.size).toBeLessThanOrEqual(largest?.size ?? 0);
    expect(second?.address).not.toBe(largest?.address);
    let pin = walk(run, moment, undefined, 'next-pin');
    for (let i = 0; i < 10; i++) {
      const area = moment.areas[pin?.area ?? -1];
      expect(area !== undefined && isPinned(area)).toBe(true);
      pin = walk(run, moment, pin, 'next-pin');
    }
  });
});

describe('pointing', () => {
  it('finds each block wide enough to be pointed at in its middle', () => {
    const run = lesson();
    const moment = new MomentReader(run).at(run.end - 1);
    const rowBytes = rowBytesOf([run]);
    const layout = layOutRows(run, 'packed', rowBytes);
    const frame = { width: 400, height: 440, scale: 1 };
    const geometry = new MapGeometry(layout, frame, wholeRow(rowBytes), layout.rows);
    let checked = 0;
    for (const row of moment.rows) {
      const { address, size, range } = run.blocks;
      const [span] = geometry.spansOf(run, range[row] ?? 0, address[row] ?? 0, size[row] ?? 0);
      if (span === undefined) throw new Error('no span');
      const [left, right] = [geometry.xOf(span.offset), geometry.xOf(span.offset + span.size)];
      if (right - left < 4) continue;
      checked++;
      const y = geometry.yOf(span.row) + geometry.rowHeight / 2;
      expect(hitAt(run, moment, geometry, (left + right) / 2, y)?.block).toBe(row);
    }
    expect(checked).toBeGreaterThan(20);
    expect(hitAt(run, moment, geometry, 10, 5)).toBeUndefined();
  });
});

describe('windows', () => {
  it('keep the place under the pointer and their bounds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0.2, max: 5, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))),
        (steps) => {
          let map = wholeRow(128 * MIB);
          let tracks = wholeAxis(1000);
          for (const [factor, share] of steps) {
            const [before, at] = [map, map.from + share * map.span];
            map = zoomMap(map, 128 * MIB, factor, share);
            const isFree = map.from > 0 && map.from + map.span < 128 * MIB && map.span !== before.span;
            if (isFree) expect(map.from + share * map.span).toBeCloseTo(at, 3);
            tracks = panTracks(zoomTracks(tracks, 1000, factor, share), 1000, share - 0.5);
            expect(map.from).toBeGreaterThanOrEqual(0);
            expect(map.from + map.span).toBeLessThanOrEqual(128 * MIB + 1e-6);
            expect(tracks.from).toBeGreaterThanOrEqual(-1 - 1e-9);
            expect(tracks.to).toBeLessThanOrEqual(1000 + 1e-9);
          }
        },
      ),
    );
    const fit = fitMap(128 * MIB, 64 * MIB, MIB, 0);
    expect(fit.from).toBeLessThan(64 * MIB);
    expect(fit.from + fit.span).toBeGreaterThan(65 * MIB);
    expect(panMap(fit, 128 * MIB, 0, 5, 3).top).toBe(3);
    const shown = showPosition({ from: 0, to: 10 }, 1000, 500);
    expect(shown.from).toBeLessThan(500);
    expect(shown.to).toBeGreaterThan(500);
  });
});

describe('search', () => {
  it.each([
    ['bank', (run: MemoryRun, row: number) => (run.names[run.blocks.name[row] ?? -1] ?? '').includes('bank')],
    [
      '6MiB',
      (run: MemoryRun, row: number) => run.blocks.size[row] === 6 * MIB || run.blocks.requested[row] === 6 * MIB,
    ],
    ['>64 MiB', (run: MemoryRun, row: number) => (run.blocks.size[row] ?? 0) > 64 * MIB],
    ['#7', (run: MemoryRun, row: number) => run.blocks.id[row] === 7],
  ] as const)('finds every block for %s and no other', (query, is) => {
    const run = lesson();
    const wanted = Array.from({ length: run.blocks.count }, (_, row) => row).filter((row) => is(run, row));
    expect(wanted.length).toBeGreaterThan(0);
    expect([...searchBlocks(run, query).blocks]).toEqual(wanted);
  });

  it('finds nothing for nothing', () => {
    expect(searchBlocks(lesson(), '  ').blocks).toHaveLength(0);
    expect(searchBlocks(lesson(), 'no such name').blocks).toHaveLength(0);
  });
});
