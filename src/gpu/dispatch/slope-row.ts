/**
 * A cost by slope: 1, N/4, N/2 and N dispatches (or passes, or submits) of the smallest kernel one after the other are
 * timed, and the slope of the least-squares line is the cost of one more. What a measurement costs once drops out.
 */
import { countProgram } from '../../../shaders/index.js';
import { slopeOf } from '../../base/statistics.js';
import { type RawTime } from '../clock.js';
import { remember } from '../measure.js';
import { measuredRow } from '../measured-row.js';
import { pipelineOf } from '../pipeline.js';
import { RULES, type Samples } from '../sampling.js';
import { type PassStamps } from '../stopwatch.js';
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
    const take = (many: number): Promise<RawTime> => {
      switch (kind) {
        case 'dispatch':
          return bench.stopwatch.time(id, (encoder, stamps) => pass(encoder, many, stamps.pass));
        case 'pass':
          return bench.stopwatch.time(id, (encoder, stamps: PassStamps) =>
            stamps.around(encoder, () => {
              for (let i = 0; i < many; i++) pass(encoder, 1);
            }),
          );
        case 'submit':
          return bench.stopwatch.timeSubmits(id, many, (encoder, stamps) => pass(encoder, 1, stamps.pass));
      }
    };
    const { samples, fit } = await collectSlopes(context, count, take);
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
  count: number,
  take: (many: number) => Promise<RawTime>,
): Promise<{ samples: Samples; fit: number }> {
  const { clock } = bench;
  const rules = RULES[request.preset];
  const counts = [1, Math.round(count / 4), Math.round(count / 2), count];
  const first = await take(1);
  const time = async (many: number): Promise<number> => {
    for (let i = 0; i < MOST_TRIES; i++) {
      signal.throwIfAborted();
      const duration = clock.durationOf(await take(many));
      if (duration !== undefined) return duration;
    }
    throw new Error('the clock gives no duration');
  };
  const slopes: number[] = [];
  const longest: number[] = [];
  let fit = 1;
  for (let tries = 0; slopes.length < rules.minSamples; tries++) {
    if (tries >= rules.minSamples + MOST_TRIES)
      throw new Error('the slope is lost in noise: it came out at or under 0');
    const points: { x: number; y: number }[] = [];
    for (const many of counts) points.push({ x: many, y: await time(many) });
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
      firstRunNs: first.wallNs,
      clockFellBack: false,
    },
    fit,
  };
}
