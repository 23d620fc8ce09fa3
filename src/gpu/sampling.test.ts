import { describe, expect, it } from 'vitest';
import { mulberry32, unitInterval } from '../base/random.js';
import { mean, median } from '../base/statistics.js';
import { Clock, type RawTime } from './clock.js';
import { collectSamples, mergeSamples, ROUNDS, RULES, type Sampler, type SamplingRules, whyStop } from './sampling.js';

/** A machine whose work takes `trueNs` a repetition and whose GPU clock floors to a grid. Time passes only by working. */
interface Machine {
  readonly gridNs?: number;
  readonly wallGridNs?: number;
  readonly trueNs: (repeat: number) => number;
  readonly maxRepeats?: number;
  readonly rules?: SamplingRules;
  readonly spoil?: (time: RawTime, count: number) => RawTime;
  readonly seed?: number;
}

const OVERHEAD_NS = 300e3;

function simulate(machine: Machine) {
  const { gridNs, wallGridNs = 5000 } = machine;
  const clock = new Clock({ gpuGridNs: gridNs, wallGridNs, emptySubmitNs: [OVERHEAD_NS] });
  const random = mulberry32(machine.seed ?? 1);
  let now = 1e9 + 12345;
  let submits = 0;
  let longestNs = 0;
  const floor = (ns: number): bigint => {
    const grid = gridNs ?? 1;
    return BigInt(Math.floor(ns / grid)) * BigInt(grid);
  };
  const sampler: Sampler = {
    clock,
    rules: machine.rules ?? RULES.quick,
    maxRepeats: machine.maxRepeats ?? 2 ** 24,
    take: (repeats, count) =>
      Promise.resolve(
        Array.from({ length: count }, () => {
          submits += 1;
          const work = machine.trueNs(submits) * repeats;
          longestNs = Math.max(longestNs, work);
          const begin = now;
          const end = begin + work;
          now = end + OVERHEAD_NS;
          const wall = Math.round((work + OVERHEAD_NS) / wallGridNs) * wallGridNs;
          const time = {
            beginStamp: gridNs === undefined ? 0n : floor(begin),
            endStamp: gridNs === undefined ? 0n : floor(end),
            wallNs: wall,
          };
          return machine.spoil?.(time, submits) ?? time;
        }),
      ),
    random: () => unitInterval(random),
    idle: (ns) => (now += ns),
    now: () => now,
    checkpoint: () => undefined,
  };
  return { sampler, facts: () => ({ submits, longestNs }), clock };
}

const off = (value: number, truth: number): number => Math.abs(value / truth - 1);

describe.each([
  ['65,536 ns', 65536],
  ['100 µs', 100_000],
  ['1 ns', 1],
])('on a grid of %s', (_, gridNs) => {
  it.each([50, 3_000, 777_777, 20e6])(
    'sizes samples to 100 grid steps and under 0.5 s for work of %d ns',
    async (trueNs) => {
      const { sampler, facts } = simulate({ gridNs, trueNs: () => trueNs });
      const samples = await collectSamples(sampler);
      expect(samples.timerLimited).toBe(false);
      expect(samples.repeats * trueNs).toBeGreaterThanOrEqual(100 * gridNs);
      expect(facts().longestNs).toBeLessThan(0.5e9);
      expect(off(median(samples.durationsNs), trueNs)).toBeLessThan(0.01);
      expect(samples.durationsNs.length).toBeGreaterThanOrEqual(RULES.quick.minSamples);
      expect(samples.stopReason).toBe('time-budget');
    },
  );
});

describe.each([65536, 100_000])('work that cannot be repeated, on a grid of %d ns', (gridNs) => {
  it.each([9_000, 40_000, 150_000, 900_000])('finds %d ns by the dithered mean', async (trueNs) => {
    const { sampler } = simulate({ gridNs, trueNs: () => trueNs, maxRepeats: 1, rules: RULES.standard });
    const samples = await collectSamples(sampler);
    expect(samples.timerLimited).toBe(true);
    expect(off(mean(samples.durationsNs), trueNs)).toBeLessThan(0.12);
    expect(samples.durationsNs.every((duration) => duration > 0)).toBe(true);
  });

  it('is nearer by the mean than by the median of single readings', async () => {
    const trueNs = 0.4 * gridNs;
    const { sampler } = simulate({ gridNs, trueNs: () => trueNs, maxRepeats: 1, rules: RULES.standard });
    const { readingsNs } = await collectSamples(sampler);
    expect(median(readingsNs)).toBe(0);
    expect(off(mean(readingsNs), trueNs)).toBeLessThan(0.1);
  });
});

describe('without dithering', () => {
  it('a reading of short work would be zero or a whole grid step: all readings are', async () => {
    const { sampler } = simulate({ gridNs: 65536, trueNs: () => 10_000, maxRepeats: 1 });
    const { readingsNs } = await collectSamples(sampler);
    expect(new Set(readingsNs)).toEqual(new Set([0, 65536]));
  });
});

describe('zeros', () => {
  it('refuses work that the clock never sees, with the grid in the reason', async () => {
    const { sampler } = simulate({ gridNs: 65536, trueNs: () => 1e-6, maxRepeats: 1 });
    await expect(collectSamples(sampler)).rejects.toThrow('too short for the clock (grid 65536 ns)');
  });

  it('grows the work until it is seen', async () => {
    const { sampler } = simulate({ gridNs: 65536, trueNs: () => 3 });
    const samples = await collectSamples(sampler);
    expect(off(median(samples.durationsNs), 3)).toBeLessThan(0.01);
  });
});

describe('negative deltas', () => {
  it('are dropped and taken again while they are few', async () => {
    const { sampler, clock } = simulate({
      gridNs: 65536,
      trueNs: () => 100_000,
      rules: { ...RULES.quick, minSamples: 200 },
      spoil: (time, count) =>
        count % 50 === 0 ? { ...time, beginStamp: time.endStamp, endStamp: time.beginStamp } : time,
    });
    const samples = await collectSamples(sampler);
    expect(clock.kind).toBe('timestamp-query');
    expect(clock.dropped).toBeGreaterThan(2);
    expect(samples.clockFellBack).toBe(false);
    expect(off(median(samples.durationsNs), 100_000)).toBeLessThan(0.01);
  });

  it('past 5 % send the row to the wall clock, from the start', async () => {
    const { sampler, clock } = simulate({
      gridNs: 65536,
      trueNs: () => 1e6,
      rules: { ...RULES.quick, minSamples: 50 },
      spoil: (time, count) => (count % 10 === 0 ? { ...time, endStamp: 0n } : time),
    });
    const samples = await collectSamples(sampler);
    expect(clock.kind).toBe('wall');
    expect(samples.clockFellBack).toBe(true);
    // Wall batches of 100 ms, so that the submit's own 0.3 ms is a small part.
    expect(samples.repeats * 1e6).toBeGreaterThanOrEqual(100e6);
    expect(off(median(samples.durationsNs), 1e6)).toBeLessThan(0.01);
  });
});

describe('the wall clock', () => {
  it.each([5000, 100_000])('uses batches of 100 ms and more with steps of %d ns', async (wallGridNs) => {
    const { sampler } = simulate({ wallGridNs, trueNs: () => 2e6 });
    const samples = await collectSamples(sampler);
    expect(samples.repeats).toBeGreaterThanOrEqual(50);
    expect(off(median(samples.durationsNs), 2e6)).toBeLessThan(0.01);
  });
});

describe('a busy machine', () => {
  it('that holds up a reading while a sample is sized does not make the samples short', async () => {
    const { sampler } = simulate({ gridNs: 65536, trueNs: (count) => (count === 5 ? 40e3 : 10e3) });
    const { repeats } = await collectSamples(sampler);
    expect(repeats * 10e3).toBeGreaterThanOrEqual(100 * 65536);
  });
});

describe('cancel', () => {
  it('is looked for before every submit', async () => {
    const { sampler, facts } = simulate({ gridNs: 1, trueNs: () => 1e6 });
    const checkpoint = (): void => {
      if (facts().submits >= 2) throw new Error('cancelled');
    };
    await expect(collectSamples({ ...sampler, checkpoint })).rejects.toThrow('cancelled');
    expect(facts().submits).toBe(2);
  });
});

describe('whyStop', () => {
  const state = { count: 4, measuredNs: 0.17e9, spentNs: 1e9, noises: [0.01, 0.005] };

  it.each(['standard', 'full'] as const)('%s has 10 samples and 0.5 s over its rounds', (preset) => {
    expect(ROUNDS[preset] * RULES[preset].minSamples).toBeGreaterThanOrEqual(10);
    expect(ROUNDS[preset] * RULES[preset].minTimeNs).toBeGreaterThanOrEqual(0.5e9);
  });

  it('quick has 10 samples and 0.07 s over its rounds', () => {
    expect(ROUNDS.quick * RULES.quick.minSamples).toBeGreaterThanOrEqual(10);
    expect(ROUNDS.quick * RULES.quick.minTimeNs).toBeGreaterThanOrEqual(0.07e9);
  });

  it('wants the samples, the time and the noise target of a round together', () => {
    expect(whyStop(RULES.standard, state)).toBe('noise-target');
    expect(whyStop(RULES.standard, { ...state, count: 3 })).toBeUndefined();
    expect(whyStop(RULES.standard, { ...state, measuredNs: 0.169e9 })).toBeUndefined();
    expect(whyStop(RULES.standard, { ...state, noises: [0.0051] })).toBeUndefined();
  });

  it('takes noise that has settled, over a full window only', () => {
    const settled = Array.from({ length: 16 }, (_, i) => 0.08 * (1 + 0.03 * (i % 2)));
    expect(whyStop(RULES.standard, { ...state, noises: settled })).toBe('noise-stable');
    expect(whyStop(RULES.standard, { ...state, noises: settled.slice(1) })).toBeUndefined();
    expect(
      whyStop(RULES.standard, { ...state, noises: settled.map((noise, i) => noise * (1 + i / 20)) }),
    ).toBeUndefined();
  });

  it('ends at the wall limit, but not without a sample', () => {
    const late = { ...state, noises: [0.3], spentNs: RULES.standard.wallLimitNs };
    expect(whyStop(RULES.standard, late)).toBe('time-limit');
    expect(whyStop(RULES.standard, { ...late, spentNs: late.spentNs - 1 })).toBeUndefined();
    expect(whyStop(RULES.standard, { ...late, count: 0 })).toBeUndefined();
  });

  it('by quick means 4 samples and 0.024 s a round', () => {
    const quick = { count: 4, measuredNs: 0.024e9, spentNs: 0.2e9, noises: [0.5] };
    expect(whyStop(RULES.quick, quick)).toBe('time-budget');
    expect(whyStop(RULES.quick, { ...quick, count: 3 })).toBeUndefined();
    expect(whyStop(RULES.quick, { ...quick, measuredNs: 0.0239e9 })).toBeUndefined();
  });
});

describe('a later round', () => {
  it('takes the size that an earlier one found, and merges with it', async () => {
    const first = await collectSamples(simulate({ gridNs: 1, trueNs: () => 1000 }).sampler);
    const later = simulate({ gridNs: 1, trueNs: () => 1100 });
    const second = await collectSamples({ ...later.sampler, known: first });
    expect(second.repeats).toBe(first.repeats);
    // One for nothing, then the samples.
    expect(later.facts().submits).toBe(1 + RULES.quick.minSamples);
    // Its samples are its own, not those of the round that found the size.
    expect(second.durationsNs).toEqual(Array.from({ length: RULES.quick.minSamples }, () => 1100));
    const merged = mergeSamples([first, second]);
    expect(merged.rounds).toEqual([RULES.quick.minSamples, RULES.quick.minSamples]);
    expect(merged.durationsNs).toEqual([...first.durationsNs, ...second.durationsNs]);
    expect(merged.firstRunNs).toBe(first.firstRunNs);
  });

  it('finds the size anew where the earlier one was far too short', async () => {
    const first = await collectSamples(simulate({ gridNs: 1, trueNs: () => 1e6 }).sampler);
    const later = simulate({ gridNs: 1, trueNs: () => 1000 });
    const second = await collectSamples({ ...later.sampler, known: first });
    expect(second.repeats).toBeGreaterThan(100 * first.repeats);
  });
});
