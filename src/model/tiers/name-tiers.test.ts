import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mulberry32, unitInterval } from '../../base/random.js';
import { sizeLabel } from '../../base/sizes.js';
import { sampleEnvironment, sampleRow } from '../report/testing/report-sample.js';
import { type MeasuredRow, type Row } from '../report/schema.js';
import { concludeTiers } from './conclude.js';
import { type LineName } from './lines.js';
import { nameTiers } from './name-tiers.js';

const KiB = 2 ** 10;
const MiB = 2 ** 20;

/** Rows of a line from 4 KiB to 256 MiB; the value of a working set with noise of so much on twelve samples. */
function line(name: LineName, valueAt: (workingSet: number) => number, noise = 0.02, seed = 1): readonly MeasuredRow[] {
  const random = mulberry32(seed);
  return Array.from({ length: 17 }, (_, i): MeasuredRow => {
    const workingSet = 4 * KiB * 2 ** i;
    const samples = Array.from(
      { length: 12 },
      () => valueAt(workingSet) * (1 + noise * (2 * unitInterval(random) - 1)),
    );
    const value = samples.toSorted((a, b) => a - b)[6] ?? 1;
    return {
      ...sampleRow,
      id: `tiers/${name}/${sizeLabel(name === 'copy-buffer' ? workingSet / 2 : workingSet)}`,
      unit: name === 'latency' ? 'ns' : 'GB/s',
      workingSet,
      samples,
      value,
      stats: { ...sampleRow.stats, ci95: [value * 0.99, value * 1.01] },
      flags: [],
    };
  });
}

/** The first value up to the first size, and so on; the last one beyond. */
const stairs =
  (...steps: readonly (readonly [number, number])[]) =>
  (workingSet: number): number =>
    (steps.find(([upTo]) => workingSet <= upTo) ?? steps.at(-1) ?? [0, 1])[1];

const copy = stairs([1 * MiB, 90], [32 * MiB, 60], [Infinity, 16]);
const latency = stairs([1 * MiB, 25], [32 * MiB, 60], [Infinity, 300]);

describe('nameTiers', () => {
  it('names the tiers of kernels that see them, with bandwidth and latency', () => {
    const rows = [
      ...line('sweep', stairs([1 * MiB, 4000], [32 * MiB, 2000], [Infinity, 500])),
      ...line('latency', latency),
    ];
    const { verdict, tiers, isInstructionBound } = nameTiers(rows);
    expect(verdict).toBe('resolved');
    expect(isInstructionBound).toBe(false);
    expect(tiers.map(({ name }) => name)).toEqual(['cache 1', 'cache 2', 'memory']);
    expect(tiers[0]?.capacity).toEqual({ fromBytes: MiB, toBytes: 2 * MiB });
    expect(tiers[1]).toMatchObject({
      capacity: { fromBytes: 32 * MiB, toBytes: 64 * MiB },
      shownBy: ['sweep', 'latency'],
    });
    expect(tiers[2]?.bandwidthGBps).toBeCloseTo(500, -2);
    expect(tiers[2]?.latencyNs).toBeCloseTo(300, -2);
  });

  it('does not call an instruction-bound kernel a staircase, and names the tiers from copy and chase', () => {
    const inverse = (workingSet: number): number => (workingSet < 64 * KiB ? 0.8 : 1.4);
    const rows = [...line('sweep', inverse), ...line('copy-buffer', copy), ...line('latency', latency)];
    const named = nameTiers(rows);
    expect(named.isInstructionBound).toBe(true);
    expect(named.tiers.at(-2)).toMatchObject({
      capacity: { fromBytes: 32 * MiB, toBytes: 64 * MiB },
      shownBy: ['copy-buffer', 'latency'],
    });
    expect(named.sentence).toMatch(/^3 tiers: .*between 32 MiB and 64 MiB.*instruction bound/);
    const { rows: flagged } = concludeTiers(rows, sampleEnvironment.adapter);
    const withFlag = flagged.filter((row) => row.status === 'measured' && row.flags.includes('instruction-bound'));
    expect(withFlag.map(({ id }) => id)).toEqual(line('sweep', inverse).map(({ id }) => id));
  });

  it('says "instruction bound" of a kernel with steps that is slower in cache than copies in memory', () => {
    const rows = [...line('sweep', stairs([MiB, 3], [Infinity, 1.5])), ...line('copy-buffer', copy)];
    expect(nameTiers(rows).isInstructionBound).toBe(true);
  });

  it('ends a tier half way down to the next one where the way takes several sizes, and leaves small copies out', () => {
    // Half way from 80 to 15 is 34.6.
    const ramp =
      (at32: number, at64: number) =>
      (workingSet: number): number =>
        workingSet < 64 * KiB
          ? 5
          : ({ [32 * MiB]: at32, [64 * MiB]: at64 }[workingSet] ?? (workingSet < 32 * MiB ? 80 : 15));
    const capacityOf = (valueAt: (workingSet: number) => number) =>
      nameTiers(line('copy-buffer', valueAt)).tiers[0]?.capacity;
    expect(capacityOf(ramp(40, 25))).toEqual({ fromBytes: 32 * MiB, toBytes: 64 * MiB });
    expect(capacityOf(ramp(30, 20))).toEqual({ fromBytes: 16 * MiB, toBytes: 32 * MiB });
    expect(capacityOf(ramp(60, 40))).toEqual({ fromBytes: 64 * MiB, toBytes: 128 * MiB });
  });

  it('names the last cache of a shared machine from the copy line whatever the noise of its samples', () => {
    // As measured: an L3 of 32 MiB that other guests share, so that the line falls from 8 MiB on.
    const shared = (workingSet: number): number =>
      ({ [16 * MiB]: 58, [32 * MiB]: 28 })[workingSet] ?? (workingSet < 16 * MiB ? 90 : 18.5);
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0, max: 0.12, noNaN: true }), (seed, noise) => {
        const chase = stairs([2 * MiB, 25], [4 * MiB, 120], [Infinity, 200]);
        const rows = [...line('copy-buffer', shared, noise, seed), ...line('latency', chase, noise, seed + 1)];
        const ends = nameTiers(rows).tiers.filter(({ shownBy }) => shownBy.includes('copy-buffer'));
        expect(ends.at(-1)?.capacity).toEqual({ fromBytes: 16 * MiB, toBytes: 32 * MiB });
      }),
      { numRuns: 200 },
    );
  });

  it('finds planted capacities in every line that has them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 7 }),
        fc.integer({ min: 10, max: 13 }),
        fc.integer(),
        (small, large, seed) => {
          const [near, far] = [4 * KiB * 2 ** small, 4 * KiB * 2 ** large];
          const rows = [
            ...line('copy-buffer', stairs([near, 90], [far, 45], [Infinity, 15]), 0.05, seed),
            ...line('latency', stairs([near, 5], [far, 20], [Infinity, 100]), 0.05, seed + 1),
          ];
          const capacities = nameTiers(rows).tiers.map(({ capacity }) => capacity);
          expect(capacities).toEqual([
            { fromBytes: near, toBytes: 2 * near },
            { fromBytes: far, toBytes: 2 * far },
            undefined,
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    ['flat lines', [...line('sweep', () => 900), ...line('latency', () => 80)], /no steps in sweep, latency/],
    ['few points', line('copy-buffer', copy).slice(0, 4), /no line has 6 working sets/],
    ['nothing', [], /no line has 6/],
  ] as const)('resolves nothing from %s, with the reason', (_, rows, reason) => {
    const named = nameTiers(rows);
    expect(named).toMatchObject({ verdict: 'not resolved', tiers: [], isInstructionBound: false });
    expect(named.sentence).toMatch(reason);
  });
});

describe('warnings', () => {
  const adapter = { ...sampleEnvironment.adapter, class: 'hardware', description: 'NVIDIA H200' } as const;
  const flagsAt = (workingSet: number, value: number): readonly string[] => {
    const row: Row = { ...sampleRow, id: 'tiers/global/read/vec4/1GiB', workingSet, value, flags: [] };
    const [first] = concludeTiers([row], adapter).rows;
    return first?.status === 'measured' ? first.flags : [];
  };

  it.each([
    [200 * MiB, 4801, ['above-peak']],
    [200 * MiB, 4800, []],
    [199 * MiB, 9000, []],
  ])('a working set of %d at %d GB/s on a card of 4,800', (workingSet, value, flags) => {
    expect(flagsAt(workingSet, value)).toEqual(flags);
  });

  it('a row that is faster than the tier before', () => {
    const rows = line('copy-buffer', copy).map((row) => (row.workingSet === 256 * MiB ? { ...row, value: 90 } : row));
    const flagged = concludeTiers(rows, adapter).rows.filter(
      (row) => row.status === 'measured' && row.flags.length > 0,
    );
    expect(flagged).toEqual([expect.objectContaining({ workingSet: 256 * MiB, flags: ['above-faster-tier'] })]);
  });

  it('nothing on rows that were not measured, and no experiment without lines', () => {
    const row: Row = { id: 'tiers/sweep/4KiB', suite: 'tiers', status: 'skipped', unit: 'GB/s', reason: 'why' };
    expect(concludeTiers([row], adapter)).toEqual({ rows: [row], experiments: [] });
  });
});
