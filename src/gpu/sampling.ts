/**
 * How many repetitions make a sample and when there are enough samples (facts/measuring.md 1 to 3). Knows no GPU: the
 * work, the clock's readings, the time of day and the waiting are arguments.
 *
 * A sample lasts at least 100 steps of the clock and a submit under 0.5 s. Where the work cannot be repeated that often,
 * the phase against the grid is dithered and a sample is the mean of many readings, zeros included: on a grid the mean
 * is unbiased while the median snaps.
 */
import { mean, median, relativeDeviation } from '../base/statistics.js';
import { say } from '../base/said.js';
import { type Preset, type StopReason } from '../model/report/schema.js';
import { type Clock, type RawTime } from './clock.js';

export interface SamplingRules {
  readonly minSamples: number;
  readonly minTimeNs: number;
  /** Relative noise that is good enough. Undefined: stop as soon as count and time are in. */
  readonly noiseTarget?: number;
  /** Time of a row after which sampling ends whatever the noise. */
  readonly wallLimitNs: number;
  /** Shortest sample on the GPU clock: below it the cost of a pass would be part of the figure. */
  readonly shortestNs: number;
  /** Shortest sample on the wall clock: below it the polling of onSubmittedWorkDone would be part of the figure. */
  readonly shortestWallNs?: number;
}

/** How often a run comes back to a row: what disturbs for a while then owns a part of many rows and no row alone. */
export const ROUNDS: Readonly<Record<Preset, number>> = { quick: 3, standard: 3, full: 3 };

/**
 * The rules of one round. Over its rounds a row of `quick` has at least 12 samples and 0.07 s, of `standard` 12 and 0.5 s.
 * A sample of `quick` is so long that the cost of its pass (22 to 24 us) is under half a per cent of it.
 */
export const RULES: Readonly<Record<Preset, SamplingRules>> = {
  quick: { minSamples: 4, minTimeNs: 0.024e9, wallLimitNs: 0.5e9, shortestNs: 6e6 },
  standard: { minSamples: 4, minTimeNs: 0.17e9, noiseTarget: 0.005, wallLimitNs: 1.5e9, shortestNs: 10e6 },
  full: { minSamples: 4, minTimeNs: 0.17e9, noiseTarget: 0.005, wallLimitNs: 6e9, shortestNs: 10e6 },
};

/** Steps of the clock that make the grid a 1 % matter. */
const GRID_STEPS = 100;
/** A submit past this may be reset by the operating system (Windows: 2 s); the limit of the design is 0.5 s. */
const LONGEST_SUBMIT_NS = 0.4e9;
/** What rules without a word of their own take. */
const SHORTEST_WALL_NS = 100e6;
/** From so many steps of the clock on a reading tells how much more work a sample needs. */
const GROWTH_STEPS = 4;
/** Samples that are shorter than this part of what was aimed at are taken again. */
const LEAST_OF_TARGET = 0.6;
/** How often samples that came out too short are taken again, longer. */
const MOST_SIZES = 3;
/** Readings behind one sample where the work is too short for the clock. */
const DITHERED_READINGS = 32;
/** Noise values that must agree for the noise to count as stable, and how well. */
const STABLE_WINDOW = 16;
const STABLE_DEVIATION = 0.05;

export interface Sampler {
  /** Does the work `repeats` times in one submit, so often, and gives each submit's time. */
  take(repeats: number, submits: number): Promise<readonly RawTime[]>;
  readonly maxRepeats: number;
  readonly clock: Clock;
  readonly rules: SamplingRules;
  /** Uniform in [0, 1): the phase of dithered readings. */
  random(): number;
  /** Lets ns pass, so that the next reading starts at another phase of the grid. */
  idle(ns: number): void;
  /** Time of day in ns. */
  now(): number;
  /** Called before each submit: throws to cancel. */
  checkpoint(): void;
  /** The sample's size where an earlier round has found it. */
  readonly known?: SampleSize;
}

export interface SampleSize {
  readonly repeats: number;
  readonly timerLimited: boolean;
}

export interface Samples {
  /** Durations of one repetition in ns, in the order in which they were taken. */
  readonly durationsNs: readonly number[];
  /** Single readings in ns where samples are means of many; the same as the samples otherwise. */
  readonly readingsNs: readonly number[];
  readonly repeats: number;
  readonly timerLimited: boolean;
  readonly stopReason: StopReason;
  /** Wall time of the very first run, one repetition. */
  readonly firstRunNs: number;
  /** True when the clock was given up on the way and sampling began anew. */
  readonly clockFellBack: boolean;
  /** How many of the samples each round gave, in order. */
  readonly rounds: readonly number[];
}

/** Samples of several rounds as one. They must be of one clock and one size. Throws where there is none. */
export function mergeSamples(rounds: readonly Samples[]): Samples {
  const [first] = rounds;
  const last = rounds.at(-1);
  if (first === undefined || last === undefined) throw new Error('mergeSamples: no rounds');
  return {
    ...last,
    durationsNs: rounds.flatMap(({ durationsNs }) => durationsNs),
    readingsNs: rounds.flatMap(({ readingsNs }) => readingsNs),
    rounds: rounds.flatMap((round) => round.rounds),
    firstRunNs: first.firstRunNs,
    clockFellBack: rounds.some(({ clockFellBack }) => clockFellBack),
  };
}

/** Samples work until the rules are met. Throws when not even a mean of readings rises above 0. */
export async function collectSamples(sampler: Sampler): Promise<Samples> {
  sampler.checkpoint();
  const kind = sampler.clock.kind;
  // The first run of all pays for what a driver compiles late. Later rounds find their size proven and take none.
  const [first] = sampler.known === undefined ? await sampler.take(1, 1) : [];
  const firstRunNs = first?.wallNs ?? 0;
  const attempt = await collectOnOneClock(sampler, first === undefined ? undefined : sampler.clock.durationOf(first));
  if (attempt !== undefined) return { ...attempt, firstRunNs, clockFellBack: sampler.clock.kind !== kind };
  const again = await collectOnOneClock(sampler);
  if (again === undefined) throw new Error(say`the clock changed twice`);
  return { ...again, firstRunNs, clockFellBack: true };
}

/** Undefined when the clock was given up meanwhile. */
async function collectOnOneClock(
  sampler: Sampler,
  firstNs?: number,
): Promise<Omit<Samples, 'firstRunNs' | 'clockFellBack'> | undefined> {
  const { clock, rules } = sampler;
  const { kind } = clock;
  const started = sampler.now();
  const begun = await firstSamples(sampler, firstNs);
  if (begun === undefined || clock.kind !== kind) return undefined;
  const { size } = begun;
  const durations: number[] = [];
  const readings: number[] = [];
  const noises: number[] = [];
  let measuredNs = 0;
  let { samples } = begun;
  while (true) {
    for (const sample of samples) {
      readings.push(...sample);
      const duration = mean(sample) / size.repeats;
      if (!(duration > 0)) throw new Error(say`the work is too short for the clock (grid ${clock.gridNs} ns)`);
      durations.push(duration);
      measuredNs += sample.reduce((sum, value) => sum + value, 0);
      noises.push(relativeDeviation(durations));
    }
    const stopReason = whyStop(rules, {
      count: durations.length,
      measuredNs,
      noises,
      spentNs: sampler.now() - started,
    });
    if (stopReason !== undefined) {
      const { repeats, timerLimited } = size;
      const rounds = [durations.length];
      return { durationsNs: durations, readingsNs: readings, rounds, stopReason, repeats, timerLimited };
    }
    const next = size.timerLimited ? ditheredReadings(sampler, size.repeats) : goodReadings(sampler, size.repeats, 1);
    samples = [await next];
    if (clock.kind !== kind) return undefined;
  }
}

/** One good reading in ns. */
async function reading(sampler: Sampler, repeats: number): Promise<number> {
  return (await goodReadings(sampler, repeats, 1))[0] ?? 0;
}

/** So many good readings in ns. Dropped pairs are taken again; a clock that only drops is given up by `Clock`. */
async function goodReadings(sampler: Sampler, repeats: number, count: number): Promise<readonly number[]> {
  const good: number[] = [];
  while (good.length < count) {
    sampler.checkpoint();
    // Work of which one repetition is a sample may take long: it is sent one by one, so that a cancel is heeded soon.
    const together = repeats === 1 ? 1 : count - good.length;
    for (const time of await sampler.take(repeats, together)) {
      const duration = sampler.clock.durationOf(time);
      if (duration !== undefined) good.push(duration);
    }
  }
  return good;
}

/** Readings at random phases of the grid; more of them as long as all are 0. */
async function ditheredReadings(sampler: Sampler, repeats: number): Promise<number[]> {
  const readings: number[] = [];
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < DITHERED_READINGS; i++) {
      sampler.idle(sampler.random() * sampler.clock.gridNs);
      readings.push(await reading(sampler, repeats));
    }
    if (readings.some((value) => value > 0)) break;
  }
  return readings;
}

/** Samples at a size, each as the readings that it is the mean of. */
interface Sized {
  readonly size: SampleSize;
  readonly samples: readonly (readonly number[])[];
}

/**
 * The first samples of a round, as many as the rules ask for at least, sent together. A round that comes back to a row
 * knows its size and takes one more for nothing before, because caches and clocks are as other rows left them (not on
 * the wall clock, whose samples are long and mostly of waiting). Where the
 * samples are far too short (their size was found while the machine was held up) their own time tells the size, and they
 * are taken again. Undefined when the clock was given up meanwhile.
 */
async function firstSamples(sampler: Sampler, firstNs: number | undefined): Promise<Sized | undefined> {
  const { clock, rules, maxRepeats, known } = sampler;
  const { kind } = clock;
  let size = known ?? (await sizeSample(sampler, firstNs));
  for (let tries = 0; size !== undefined && clock.kind === kind; tries++) {
    if (size.timerLimited) return { size, samples: [await ditheredReadings(sampler, size.repeats)] };
    const unused = known === undefined || tries > 0 || kind === 'wall' ? 0 : 1;
    const readings = (await goodReadings(sampler, size.repeats, unused + rules.minSamples)).slice(unused);
    const middle = median(readings);
    const isLong = middle >= LEAST_OF_TARGET * targetOf(sampler) || size.repeats >= maxRepeats || tries >= MOST_SIZES;
    if (isLong) return { size, samples: readings.map((ns) => [ns]) };
    size = sizeFor(sampler, middle / size.repeats);
  }
  return undefined;
}

function targetOf({ clock, rules }: Sampler): number {
  const shortest = clock.kind === 'wall' ? (rules.shortestWallNs ?? SHORTEST_WALL_NS) : rules.shortestNs;
  return Math.min(Math.max(GRID_STEPS * clock.gridNs, shortest), LONGEST_SUBMIT_NS);
}

/**
 * Finds the repetitions of a sample: long enough for the clock, short enough for a submit. `firstNs` is a first run, which
 * overstates the work: samples that come out too short tell of that.
 */
async function sizeSample(sampler: Sampler, firstNs?: number): Promise<SampleSize | undefined> {
  const { clock, maxRepeats } = sampler;
  const { kind } = clock;
  const targetNs = targetOf(sampler);
  let repeats = 1;
  let duration = firstNs ?? (await reading(sampler, repeats));
  // An estimate from a quarter of the target on is good. Before that the repetitions grow towards a half: a reading of
  // some steps of the clock overstates the work, so that it is never passed by far.
  while (duration < targetNs / 4 && repeats < maxRepeats) {
    if (clock.kind !== kind) return undefined;
    const most = duration > GROWTH_STEPS * clock.gridNs ? 64 : 8;
    const growth = duration > 0 ? Math.min(most, Math.max(2, targetNs / 2 / duration)) : most;
    repeats = Math.min(maxRepeats, Math.ceil(repeats * growth));
    duration = await reading(sampler, repeats);
  }
  return clock.kind === kind ? sizeFor(sampler, duration / repeats) : undefined;
}

/** The size of a sample of work that takes so long a repetition, ns. */
function sizeFor(sampler: Sampler, perRepeat: number): SampleSize {
  const { clock, maxRepeats } = sampler;
  const targetNs = targetOf(sampler);
  // 5 % more than needed, so that the samples' own spread does not fall below.
  const wanted = perRepeat > 0 ? Math.ceil((1.05 * targetNs) / perRepeat) : maxRepeats;
  const fitting = perRepeat > 0 ? Math.max(1, Math.floor(LONGEST_SUBMIT_NS / perRepeat)) : maxRepeats;
  const chosen = Math.max(1, Math.min(wanted, fitting, maxRepeats));
  return { repeats: chosen, timerLimited: perRepeat * chosen < GRID_STEPS * clock.gridNs };
}

interface State {
  readonly count: number;
  /** Time inside the measured work. */
  readonly measuredNs: number;
  /** Relative noise after each sample. */
  readonly noises: readonly number[];
  /** Time of the row since sampling began. */
  readonly spentNs: number;
}

/** Why sampling may end now; undefined while it may not. */
export function whyStop(rules: SamplingRules, state: State): StopReason | undefined {
  const enough = state.count >= rules.minSamples && state.measuredNs >= rules.minTimeNs;
  if (rules.noiseTarget === undefined) {
    // Work too short for the clock adds little measured time: its row time counts.
    const spent = state.count >= rules.minSamples && state.spentNs >= rules.wallLimitNs;
    return enough || spent ? 'time-budget' : undefined;
  }
  if (enough && (state.noises.at(-1) ?? 1) <= rules.noiseTarget) return 'noise-target';
  const window = state.noises.slice(-STABLE_WINDOW);
  if (enough && window.length === STABLE_WINDOW && relativeDeviation(window) < STABLE_DEVIATION) return 'noise-stable';
  return state.count > 0 && state.spentNs >= rules.wallLimitNs ? 'time-limit' : undefined;
}
