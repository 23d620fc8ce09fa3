/** Samples a piece of GPU work: the bridge between sampling (pure) and stopwatch (GPU). */
import { mulberry32, unitInterval } from '../base/random.js';
import { collectSamples, RULES, type Samples } from './sampling.js';
import { type Encode } from './stopwatch.js';
import { type RowContext } from './suite.js';

export interface Work {
  readonly label: string;
  readonly maxRepeats: number;
  /** Called before a submit, outside the timed part: uniforms for `repeats` repetitions. */
  prepare?(repeats: number): void;
  encode(repeats: number): Encode;
}

/** Takes samples by the preset's rules. Rejects with the signal's reason between two submits. */
export function sampleWork(context: RowContext, work: Work): Promise<Samples> {
  const { bench, request, signal } = context;
  const random = mulberry32(request.seed);
  return collectSamples({
    clock: bench.clock,
    rules: RULES[request.preset],
    maxRepeats: work.maxRepeats,
    take: (repeats) => {
      work.prepare?.(repeats);
      return bench.stopwatch.time(work.label, work.encode(repeats));
    },
    random: () => unitInterval(random),
    idle: spin,
    now: () => performance.now() * 1e6,
    checkpoint: () => signal.throwIfAborted(),
  });
}

/** Waits by looking at the clock: timers are too coarse for a part of a grid step. */
function spin(ns: number): void {
  const end = performance.now() + ns / 1e6;
  while (performance.now() < end);
}
