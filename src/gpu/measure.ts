/** Samples a piece of GPU work: the bridge between sampling (pure) and stopwatch (GPU). */
import { mulberry32, unitInterval } from '../base/random.js';
import { collectSamples, mergeSamples, RULES, type Sampler, type Samples } from './sampling.js';
import { type Preset } from '../model/report/schema.js';
import { type Clock, type RawTime } from './clock.js';
import { type Encode } from './stopwatch.js';
import { type RowContext, type RowHistory } from './suite.js';

export interface Work {
  readonly label: string;
  readonly maxRepeats: number;
  /** Called before a submit, outside the timed part: uniforms for `repeats` repetitions. */
  prepare?(repeats: number): void;
  encode(repeats: number): Encode;
}

/**
 * Takes samples by the preset's rules and adds them to the row's history: the answer holds those of all rounds so far.
 * Rejects with the signal's reason between two submits.
 */
export async function sampleWork(context: RowContext, work: Work): Promise<Samples> {
  const { bench, request, signal, history } = context;
  const random = mulberry32(request.seed + history.round);
  return collectRound(history, {
    clock: bench.clock,
    rules: RULES[request.preset],
    maxRepeats: work.maxRepeats,
    take: (repeats, submits) =>
      bench.stopwatch.timeEach(work.label, submits, () => {
        work.prepare?.(repeats);
        return work.encode(repeats);
      }),
    random: () => unitInterval(random),
    idle: spin,
    now: () => performance.now() * 1e6,
    checkpoint: () => signal.throwIfAborted(),
  });
}

/** A round of samples, and another in the place of each earlier one that it shows to be of no use. */
async function collectRound(history: RowHistory, sampler: Sampler): Promise<Samples> {
  const [earlier] = history.samples;
  let all = remember(history, await collectSamples(earlier === undefined ? sampler : { ...sampler, known: earlier }));
  for (let missing = history.round + 1 - history.samples.length; missing > 0; missing--) {
    all = remember(history, await collectSamples({ ...sampler, known: all }));
  }
  return all;
}

export interface WallWork {
  readonly maxRepeats: number;
  /** Samples of a round, where the preset's number is too dear. */
  readonly minSamples?: number;
  /** Does the work `repeats` times and waits for it. */
  take(repeats: number): Promise<void>;
}

/** Samples of `quick` are short: what the page waits for is long, and its polling is part of what it waits for. */
const SHORTEST_WALL_NS: Readonly<Record<Preset, number>> = { quick: 10e6, standard: 50e6, full: 100e6 };

/** As `sampleWork`, for what a page waits for: always on the wall clock, which is told beside the samples. */
export async function sampleWall(context: RowContext, work: WallWork): Promise<{ samples: Samples; clock: Clock }> {
  const { bench, request, signal, history } = context;
  const clock = bench.clock.wallClock();
  const random = mulberry32(request.seed + history.round);
  const rules = RULES[request.preset];
  const samples = await collectRound(history, {
    clock,
    rules: {
      ...rules,
      minSamples: work.minSamples ?? rules.minSamples,
      shortestWallNs: SHORTEST_WALL_NS[request.preset],
    },
    maxRepeats: work.maxRepeats,
    take: async (repeats, submits) => {
      const times: RawTime[] = [];
      for (let i = 0; i < submits; i++) {
        signal.throwIfAborted();
        const begin = performance.now();
        await work.take(repeats);
        times.push({ beginStamp: 0n, endStamp: 0n, wallNs: Math.round((performance.now() - begin) * 1e6) });
      }
      return times;
    },
    random: () => unitInterval(random),
    idle: spin,
    now: () => performance.now() * 1e6,
    checkpoint: () => signal.throwIfAborted(),
  });
  return { samples, clock };
}

/**
 * Adds a round. Figures of two clocks are not mixed: when the clock fell back, the earlier rounds are forgotten. So are
 * rounds whose samples turned out far too short: their size was found while the machine was held up.
 */
export function remember(history: RowHistory, samples: Samples): Samples {
  const isLonger = history.samples.some(({ repeats }) => samples.repeats > 3 * repeats);
  // The very first run of all stays what it was.
  const firstRunNs = history.samples[0]?.firstRunNs ?? samples.firstRunNs;
  if (samples.clockFellBack || isLonger) history.samples = [];
  history.samples.push({ ...samples, firstRunNs });
  return mergeSamples(history.samples);
}

/** Waits by looking at the clock: timers are too coarse for a part of a grid step. */
function spin(ns: number): void {
  const end = performance.now() + ns / 1e6;
  while (performance.now() < end);
}
