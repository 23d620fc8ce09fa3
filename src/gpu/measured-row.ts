/** From samples to a row of the report: the figure, its statistics, its warnings. */
import { flagsOf, summarize } from '../base/statistics.js';
import { type Stats } from '../model/report/schema.js';
import { type Job } from './suite.js';
import { type Samples } from './sampling.js';
import { type Clock } from './clock.js';
import { type MeasuredRow } from '../model/report/schema.js';

export interface Measurement {
  readonly samples: Samples;
  readonly clock: Clock;
  readonly unit: string;
  /** A sample's figure in `unit` from its duration in ns. */
  readonly toValue: (durationNs: number) => number;
  /** Absent where nothing is computed or moved. */
  readonly checkedElements?: number;
  readonly bytes?: number;
  readonly workingSet?: number;
  readonly pipelineCreationNs?: number;
  readonly method?: string;
  /** What to know of the figure beside what its samples say: `derived`. */
  readonly flags?: readonly string[];
}

/**
 * Statistics over values. Where samples are means of dithered readings the quoted figure is their mean (of durations,
 * which is what dithering leaves unbiased), otherwise the median.
 */
export function measuredRow(job: Pick<Job, 'id' | 'suite'>, measurement: Measurement): MeasuredRow {
  const { samples, clock, toValue } = measurement;
  const values = samples.durationsNs.map(toValue);
  const summary = summarize(values, samples.timerLimited ? 'mean' : 'median');
  const meanDuration = samples.durationsNs.reduce((sum, ns) => sum + ns, 0) / samples.durationsNs.length;
  const stats: Stats = summary;
  return {
    id: job.id,
    suite: job.suite,
    status: 'measured',
    unit: measurement.unit,
    value: samples.timerLimited ? toValue(meanDuration) : summary.median,
    samples: values,
    stats,
    ...(measurement.bytes === undefined ? {} : { bytes: measurement.bytes }),
    ...(measurement.workingSet === undefined ? {} : { workingSet: measurement.workingSet }),
    verified: true,
    ...(measurement.checkedElements === undefined ? {} : { checkedElements: measurement.checkedElements }),
    flags: [...(measurement.flags ?? []), ...rowFlags(samples, clock)],
    stopReason: samples.stopReason,
    ...(measurement.pipelineCreationNs === undefined ? {} : { pipelineCreationNs: measurement.pipelineCreationNs }),
    firstRunNs: samples.firstRunNs,
    repeats: samples.repeats,
    ...(samples.rounds.length < 2 ? {} : { rounds: [...samples.rounds] }),
    ...(measurement.method === undefined ? {} : { method: measurement.method }),
  };
}

function rowFlags(samples: Samples, clock: Clock): string[] {
  const flags: string[] = flagsOf(samples.durationsNs);
  // Zeros and few distinct values are seen in single readings, before they are averaged.
  if (samples.timerLimited) {
    const seen = flagsOf(samples.readingsNs).filter((flag) => flag === 'zero-dominated' || flag === 'few-distinct');
    flags.push('timer-limited', ...seen.filter((flag) => !flags.includes(flag)));
  }
  if (samples.clockFellBack) flags.push('clock-fell-back');
  if (clock.suspect) flags.push('clock-suspect');
  return flags;
}
