/**
 * A cost by slope: 1, N/4, N/2 and N dispatches (or passes, or submits) of the smallest kernel one after the other are
 * timed, and the slope of the least-squares line is the cost of one more. What a measurement costs once drops out.
 */
import { countProgram } from '../../../shaders/index.js';
import { say } from '../../base/said.js';
import { median, slopeOf } from '../../base/statistics.js';
import { type Clock, type RawTime } from '../clock.js';
import { remember } from '../measure.js';
import { measuredRow } from '../measured-row.js';
import { pipelineOf } from '../pipeline.js';
import { RULES, type Samples } from '../sampling.js';
import { type Encode } from '../stopwatch.js';
import { type RowContext, type RowResult, rowResult } from '../suite.js';
import { demandRight, verify } from '../verify.js';

export type Slope = 'dispatch' | 'pass' | 'submit';

export interface SlopeRow {
  readonly id: string;
  readonly kind: Slope;
  /** The largest number of them in one timed run. */
  readonly count: number;
}

/** Slopes that come out at or under 0 are noise larger than the cost; so many more are taken before giving up. */
const MOST_TRIES = 20;
const GRID_STEPS = 100;
/**
 * Each count is timed at least so often for one slope, and the median counts. The shortest would not do: short lines can lie
 * wholly in a fast moment and long ones cannot, so their slopes would differ.
 */
const LEAST_READINGS = 3;
/** Short lines are read more often, so that each slope rests on about as many of them. */
const COUNTED_OF_A_SLOPE: Readonly<Record<Slope, number>> = { dispatch: 1200, pass: 1200, submit: 200 };
/** Slopes of a round of `quick`. */
const QUICK_SLOPES = 2;

const METHODS: Readonly<Record<Slope, string>> = {
  dispatch: 'dispatches of one invocation in one pass',
  pass: 'passes of one dispatch in one submit',
  submit: 'submits of one pass of one dispatch',
};

/** Measures, and checks that every dispatch was carried out. */
export async function runSlopeRow(context: RowContext, row: SlopeRow): Promise<RowResult> {
  const { bench, signal, history } = context;
  const { device, pool } = bench;
  const { id, kind, count } = row;
  const pipeline = await pipelineOf(device, 'count', countProgram);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  return pool.using({ label: id, size: 4, usage }, async (counter) => {
    const group = pipeline.bind(id, [counter]);
    let dispatches = 0;
    const pass = (encoder: GPUCommandEncoder, many: number, stamps?: GPUComputePassTimestampWrites): void => {
      const opened = encoder.beginComputePass({
        label: id,
        ...(stamps === undefined ? {} : { timestampWrites: stamps }),
      });
      opened.setPipeline(pipeline.pipeline);
      opened.setBindGroup(0, group);
      for (let i = 0; i < many; i++) opened.dispatchWorkgroups(1);
      opened.end();
      dispatches += many;
    };
    const encodeOf =
      (many: number): Encode =>
      (encoder, stamps) => {
        if (kind === 'dispatch') {
          pass(encoder, many, stamps.pass);
          return;
        }
        stamps.around(encoder, () => {
          for (let i = 0; i < many; i++) pass(encoder, 1);
        });
      };
    const take = async (counts: readonly number[]): Promise<readonly RawTime[]> => {
      if (kind === 'submit') {
        const times: RawTime[] = [];
        for (const many of counts) {
          signal.throwIfAborted();
          times.push(await bench.stopwatch.timeSubmits(id, many, (encoder, stamps) => pass(encoder, 1, stamps.pass)));
        }
        return times;
      }
      signal.throwIfAborted();
      let next = 0;
      return bench.stopwatch.timeEach(id, counts.length, () => encodeOf(counts[next++] ?? 1));
    };
    const { samples, fit } = await collectSlopes(context, row, take);
    const reference = (_first: number, expected: Float32Array | Uint32Array): void => expected.set([dispatches]);
    demandRight(await verify(device, pool, { label: id, buffer: counter, words: 1, type: 'u32', reference }, signal));
    return rowResult(
      measuredRow(
        { id, suite: 'dispatch' },
        {
          samples: remember(history, samples),
          clock: bench.clock,
          unit: 'ns',
          toValue: (ns) => ns,
          checkedElements: dispatches,
          method: `slope over 1 to ${count} ${METHODS[kind]}; the line explains ${(100 * fit).toFixed(1)} % of the times`,
        },
      ),
    );
  });
}

/** Slopes in ns, one a sample, and how well lines fit (the smallest R squared). */
async function collectSlopes(
  { bench, request, signal }: RowContext,
  { kind, count }: SlopeRow,
  take: (counts: readonly number[]) => Promise<readonly RawTime[]>,
): Promise<{ samples: Samples; fit: number }> {
  const { clock } = bench;
  const wanted = request.preset === 'quick' ? QUICK_SLOPES : RULES[request.preset].minSamples;
  const counts = [1, Math.round(count / 4), Math.round(count / 2), count];
  const readings = Math.max(LEAST_READINGS, Math.round(COUNTED_OF_A_SLOPE[kind] / count));
  const [first] = await take([1]);
  const slopes: number[] = [];
  const longest: number[] = [];
  let fit = 1;
  for (let tries = 0; slopes.length < wanted; tries++) {
    if (tries >= wanted + MOST_TRIES) throw new Error(say`the slope is lost in noise: it came out at or under 0`);
    signal.throwIfAborted();
    const points = typicalOf(counts, await takeRounds(take, counts, readings), clock);
    if (points.length < counts.length) continue;
    const line = slopeOf(points);
    if (line.slope <= 0) continue;
    slopes.push(line.slope);
    longest.push(points.at(-1)?.y ?? 0);
    fit = Math.min(fit, line.fit);
  }
  return {
    samples: {
      durationsNs: slopes,
      readingsNs: slopes,
      rounds: [slopes.length],
      repeats: count,
      timerLimited: Math.min(...longest) < GRID_STEPS * clock.gridNs,
      stopReason: 'fixed-count',
      firstRunNs: first?.wallNs ?? 0,
      clockFellBack: false,
    },
    fit,
  };
}

/** All counts one after the other, several times over: what holds up one time does not hold up all of a count. */
async function takeRounds(
  take: (counts: readonly number[]) => Promise<readonly RawTime[]>,
  counts: readonly number[],
  rounds: number,
): Promise<readonly RawTime[]> {
  const times: RawTime[] = [];
  for (let i = 0; i < rounds; i++) times.push(...(await take(counts)));
  return times;
}

/** The median duration of each count; a count without a good one is left out. */
function typicalOf(counts: readonly number[], times: readonly RawTime[], clock: Clock): { x: number; y: number }[] {
  const durations = new Map<number, number[]>();
  times.forEach((time, i) => {
    const duration = clock.durationOf(time);
    const x = counts[i % counts.length] ?? 1;
    if (duration !== undefined) durations.set(x, [...(durations.get(x) ?? []), duration]);
  });
  return [...durations].map(([x, all]) => ({ x, y: median(all) }));
}
