import { describe, expect, it } from 'vitest';
import { type Experiment, type Row } from '../schema.js';
import { measured } from '../testing/report-sample.js';
import { bandwidthFigure, ENGLISH_FIGURE_WORDS, latencyFigure } from './figures.js';
import { drawLineChart, workingSetAt } from './line-chart.js';
import { toSvg, wrapWords } from './shapes.js';
import { tierBars } from './tier-bars.js';

const MIB = 2 ** 20;
const FRAME = { width: 800, height: 400, scale: 1 };
const line = (stem: string, values: readonly number[], more: Partial<Parameters<typeof measured>[2]> = {}): Row[] =>
  values.map((value, i) => measured(`${stem}/${2 ** i}MiB`, value, { workingSet: 2 ** i * MIB, ...more }));
const named = (more: Record<string, unknown>): Experiment => ({
  id: 'tiers/named',
  suite: 'tiers',
  status: 'measured',
  verdict: 'resolved',
  sentence: '2 tiers',
  isInstructionBound: false,
  tiers: [{ name: 'cache 1', capacity: { fromBytes: 4 * MIB, toBytes: 16 * MIB } }, { name: 'memory' }],
  lines: [{ name: 'sweep', tiers: TIERS }],
  ...more,
});
const TIERS = [
  { fromBytes: MIB, toBytes: 4 * MIB, value: 400 },
  { fromBytes: 16 * MIB, toBytes: 16 * MIB, value: 100 },
];
const ROWS = [...line('tiers/sweep', [400, 400, 400, 200, 100]), ...line('tiers/copy-buffer', [90, 90, 80, 80, 40])];
const RESOLVED = [named({})];

describe('bandwidthFigure', () => {
  it('puts a band where a tier was named, and its edge midway on log2', () => {
    const { bands, note } = bandwidthFigure({ rows: ROWS, experiments: RESOLVED }, ENGLISH_FIGURE_WORDS);
    expect(bands).toEqual([
      { name: 'Cache 1', fromBytes: undefined, toBytes: 8 * MIB, detail: '400 GB/s to 4 MiB', shortDetail: '400 GB/s' },
      {
        name: 'Memory',
        fromBytes: 8 * MIB,
        toBytes: undefined,
        detail: '100 GB/s from 16 MiB',
        shortDetail: '100 GB/s',
      },
    ]);
    expect(note).toBe('');
  });

  it('has no band but the reason where the run named none', () => {
    const experiments = [
      named({ verdict: 'not resolved', sentence: 'Tiers not resolved: too noisy.', tiers: [], lines: [] }),
    ];
    const { bands, note } = bandwidthFigure({ rows: ROWS, experiments }, ENGLISH_FIGURE_WORDS);
    expect([bands, note]).toEqual([[], 'Tiers not resolved: too noisy.']);
  });

  it('takes the bands of the copy line where the kernel cannot see the memory', () => {
    const lines = [
      { name: 'sweep', tiers: TIERS },
      { name: 'copy-buffer', tiers: TIERS.map((tier) => ({ ...tier, value: tier.value / 10 })) },
    ];
    const experiments = [named({ isInstructionBound: true, lines })];
    const { bands } = bandwidthFigure({ rows: ROWS, experiments }, ENGLISH_FIGURE_WORDS);
    expect(bands.map(({ shortDetail }) => shortDetail)).toEqual(['40.0 GB/s', '10.0 GB/s']);
  });

  it('ignores a naming that it cannot read', () => {
    const { bands } = bandwidthFigure(
      { rows: ROWS, experiments: [named({ lines: [{ name: 'sweep' }] })] },
      ENGLISH_FIGURE_WORDS,
    );
    expect(bands).toEqual([]);
  });

  it('draws the line of an earlier run until there is a new one, without its bands', () => {
    const now = { rows: [], experiments: RESOLVED };
    const figure = bandwidthFigure(now, ENGLISH_FIGURE_WORDS, { rows: ROWS, experiments: [] });
    expect(figure.lines.map(({ earlier }) => earlier)).toEqual([true, true]);
    expect([figure.bands, figure.note]).toEqual([[], '']);
  });
});

it('takes the latency of the chase alone', () => {
  const rows = [...line('tiers/latency', [30, 90], { unit: 'ns' }), ...line('dispatch/pass', [5], { unit: 'ns' })];
  expect(latencyFigure({ rows, experiments: [] }, ENGLISH_FIGURE_WORDS).lines[0]?.points.length).toBe(2);
});

describe('drawLineChart', () => {
  const figure = bandwidthFigure({ rows: ROWS, experiments: RESOLVED }, ENGLISH_FIGURE_WORDS);

  it('keeps every mark inside its frame', () => {
    for (const shape of drawLineChart(figure, FRAME)) {
      if (shape.kind !== 'dot' && shape.kind !== 'box') continue;
      expect(shape.at[0]).toBeGreaterThanOrEqual(0);
      expect(shape.at[0]).toBeLessThanOrEqual(FRAME.width);
      expect(shape.at[1]).toBeGreaterThanOrEqual(0);
      expect(shape.at[1]).toBeLessThanOrEqual(FRAME.height);
    }
  });

  it('finds the point nearest to a place, and none outside', () => {
    expect(workingSetAt(figure, FRAME, 60)).toBe(MIB);
    expect(workingSetAt(figure, FRAME, 780)).toBe(16 * MIB);
    expect(workingSetAt(figure, FRAME, 5)).toBeUndefined();
  });

  it('escapes every text', () => {
    const svg = toSvg(drawLineChart({ ...figure, note: '<script>"&' }, FRAME));
    expect(svg).toContain('&lt;script&gt;&quot;&amp;');
    expect(svg).not.toContain('<script>');
  });
});

it('breaks words into lines and leaves a long one whole', () => {
  expect(wrapWords('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapWords('unbreakable is', 5)).toEqual(['unbreakable', 'is']);
});

describe('tierBars', () => {
  const shown = (rows: readonly Row[], experiments: readonly Experiment[] = []) =>
    tierBars(rows, experiments).map((bar) => [bar.name, bar.kind === 'measured' ? bar.value : bar.reason]);

  it('is empty before there is a figure', () => {
    expect(tierBars([], [])).toEqual([]);
  });

  it('goes from the fastest tier to the slowest and keeps the derived mark', () => {
    const rows = [
      ...ROWS,
      measured('tiers/register/fma', 9000, { flags: ['derived'] }),
      measured('tiers/workgroup/stride-1', 800),
      measured('tiers/workgroup/stride-32', 100),
      measured('tiers/global/triad/vec4/16MiB', 99, { workingSet: 16 * MIB }),
    ];
    expect(shown(rows, RESOLVED)).toEqual([
      ['Register', 9000],
      ['Workgroup', 800],
      ['Cache 1', 400],
      ['Global', 99],
      ['Global', 40],
    ]);
    expect(tierBars(rows, RESOLVED)[0]).toMatchObject({ derived: true });
  });

  it('says why a tier has no bar', () => {
    const rows: Row[] = [
      ...line('tiers/sweep', [1.3, 1.3, 1.3], { flags: ['instruction-bound'] }),
      { id: 'tiers/register/fma', suite: 'tiers', status: 'skipped', unit: 'GB/s', reason: 'no f16' },
    ];
    expect(shown(rows)).toEqual([
      ['Register', 'no f16'],
      ['Workgroup', 'not measured in this run'],
      ['Caches', 'not resolved: instruction bound'],
    ]);
  });
});
