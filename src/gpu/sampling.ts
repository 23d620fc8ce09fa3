/**
 * How many repetitions make a sample and when there are enough samples (facts/measuring.md 1 to 3). Knows no GPU: the
 * work, the clock's readings, the time of day and the waiting are arguments.
 *
 * A sample lasts at least 100 steps of the clock and a submit under 0.5 s. Where the work cannot be repeated that often,
 * the phase against the grid is dithered and a sample is the mean of many readings, zeros included: on a grid the mean
 * is unbiased while the median snaps.
 */
import { mean, relativeDeviation } from '../base/statistics.js';
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
export const ROUNDS: Readonly<Record<Preset, number>> = { quick: 2, standard: 3, full: 3 };

/** The rules of one round. Over its rounds a row of `quick` has at least 10 samples and 0.1 s, of `standard` 12 and 0.5 s. */
export const RULES: Readonly<Record<Preset, SamplingRules>> = {
  quick: { minSamples: 5, minTimeNs: 0.05e9, wallLimitNs: 0.5e9, shortestNs: 10e6 },
  standard: { minSamples: 4, minTimeNs: 0.17e9, noiseTarget: 0.005, wallLimitNs: 1.5e9, shortestNs: 10e6 },
  full: { minSamples: 4, minTimeNs: 0.17e9, noiseTarget: 0.005, wallLimitNs: 6e9, shortestNs: 10e6 },
};

/** Steps of the clock that make the grid a 1 % matter. */
const GRID_STEPS = 100;
/** A submit past this may be reset by the operating system (Windows: 2 s); the limit of the design is 0.5 s. */
const LONGEST_SUBMIT_NS = 0.4e9;
/** What rules without a word of their own take. */
const SHORTEST_WALL_NS = 100e6;
/** Readings behind the size of a sample. */
const SIZING_READINGS = 3;
/** Readings behind one sample where the work is too short for the clock. */
const DITHERED_READINGS = 32;
/** Noise values that must agree for the noise to count as stable, and how well. */
const STABLE_WINDOW = 16;
const STABLE_DEVIATION = 0.05;

export interface Sampler {
  /** Does the work `repeats` times in one submit. */
  take(repeats: number): Promise<RawTime>;
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
  // A round that comes back to a row finds caches and clocks as other rows left them: its first sample is for nothing.
  const firstRunNs = (await sampler.take(sampler.known?.repeats ?? 1)).wallNs;
  const kind = sampler.clock.kind;
  const attempt = await collectOnOneClock(sampler);
  if (attempt !== undefined) return { ...attempt, firstRunNs, clockFellBack: sampler.clock.kind !== kind };
  const again = await collectOnOneClock(sampler);
  if (again === undefined) throw new Error('the clock changed twice');
  return { ...again, firstRunNs, clockFellBack: true };
}

/** Undefined when the clock was given up meanwhile. */
async function collectOnOneClock(sampler: Sampler): Promise<Omit<Samples, 'firstRunNs' | 'clockFellBack'> | undefined> {
  const { clock, rules, known } = sampler;
  const kind = clock.kind;
  const started = sampler.now();
  const size = known !== undefined && (await stillFits(sampler, known)) ? known : await sizeSample(sampler);
  if (size === undefined || clock.kind !== kind) return undefined;
  const durations: number[] = [];
  const readings: number[] = [];
  const noises: number[] = [];
  let measuredNs = 0;
  while (true) {
    const sample = size.timerLimited
      ? await ditheredReadings(sampler, size.repeats)
      : [await reading(sampler, size.repeats)];
    if (clock.kind !== kind) return undefined;
    readings.push(...sample);
    const duration = mean(sample) / size.repeats;
    if (!(duration > 0)) throw new Error(`the work is too short for the clock (grid ${clock.gridNs} ns)`);
    durations.push(duration);
    measuredNs += sample.reduce((sum, value) => sum + value, 0);
    noises.push(relativeDeviation(durations));
    const stopReason = whyStop(rules, {
      count: durations.length,
      measuredNs,
      noises,
      spentNs: sampler.now() - started,
    });
    if (stopReason !== undefined) {
      return { durationsNs: durations, readingsNs: readings, rounds: [durations.length], stopReason, ...size };
    }
  }
}

/** One good reading in ns. A dropped pair is taken again; a clock that only drops is given up by `Clock`. */
async function reading(sampler: Sampler, repeats: number): Promise<number> {
  while (true) {
    sampler.checkpoint();
    const duration = sampler.clock.durationOf(await sampler.take(repeats));
    if (duration !== undefined) return duration;
  }
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

/** Whether a sample of the size that was found earlier is long: it was found while the machine was held up otherwise. */
async function stillFits(sampler: Sampler, { repeats, timerLimited }: SampleSize): Promise<boolean> {
  return timerLimited || repeats >= sampler.maxRepeats || (await reading(sampler, repeats)) >= targetOf(sampler) / 3;
}

function targetOf({ clock, rules }: Sampler): number {
  const shortest = clock.kind === 'wall' ? (rules.shortestWallNs ?? SHORTEST_WALL_NS) : rules.shortestNs;
  return Math.min(Math.max(GRID_STEPS * clock.gridNs, shortest), LONGEST_SUBMIT_NS);
}

/** The shortest of a few readings: one that was held up would make all samples too short. A short one is believed. */
async function shortestReading(sampler: Sampler, repeats: number, longNs: number): Promise<number> {
  let shortest = await reading(sampler, repeats);
  for (let i = 1; i < SIZING_READINGS && shortest >= longNs; i++) {
    shortest = Math.min(shortest, await reading(sampler, repeats));
  }
  return shortest;
}

/** Finds the repetitions of a sample: long enough for the clock, short enough for a submit. */
async function sizeSample(sampler: Sampler): Promise<SampleSize | undefined> {
  const { clock, maxRepeats } = sampler;
  const kind = clock.kind;
  const neededNs = GRID_STEPS * clock.gridNs;
  const targetNs = targetOf(sampler);
  let repeats = 1;
  let duration = await shortestReading(sampler, repeats, targetNs / 4);
  // An estimate from a quarter of the target on is good; before that the repetitions grow by up to 8.
  while (duration < targetNs / 4 && repeats < maxRepeats) {
    if (clock.kind !== kind) return undefined;
    const growth = duration > 0 ? Math.min(8, Math.max(2, targetNs / 2 / duration)) : 8;
    repeats = Math.min(maxRepeats, Math.ceil(repeats * growth));
    duration = await shortestReading(sampler, repeats, targetNs / 4);
  }
  if (clock.kind !== kind) return undefined;
  const perRepeat = duration / repeats;
  // 5 % more than needed, so that the samples' own spread does not fall below.
  const wanted = perRepeat > 0 ? Math.ceil((1.05 * targetNs) / perRepeat) : maxRepeats;
  const fitting = perRepeat > 0 ? Math.max(1, Math.floor(LONGEST_SUBMIT_NS / perRepeat)) : maxRepeats;
  const chosen = Math.max(1, Math.min(wanted, fitting, maxRepeats));
  return { repeats: chosen, timerLimited: perRepeat * chosen < neededNs };
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
