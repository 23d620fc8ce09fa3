/**
 * The book of a run: what each row has given so far, the readings of the reference kernel beside its rounds, how far the
 * run is. Knows no GPU and no clock.
 */
import { mulberry32, shuffled } from '../base/random.js';
import { median } from '../base/statistics.js';
import { type Progress, type RoundProgress } from '../engine/protocol.js';
import { type Experiment, type Row } from '../model/report/schema.js';
import { type Job, noHistory, type RowHistory, type RowResult } from './suite.js';
import { driftLimit, isThrottled } from './throttle.js';

type Status = Row['status'];

/** With fewer steps between readings their usual size is not known. */
const LEAST_STEPS = 8;

interface Account {
  readonly history: RowHistory;
  row?: Row;
  /** Time of the reference after each round in ns; undefined where it could not be read. */
  references: (number | undefined)[];
}

interface Reading {
  /** Rows of the block before it. */
  readonly rows: readonly string[];
  readonly ns: number;
}

export class RunLedger {
  readonly #accounts: ReadonlyMap<Job, Account>;
  readonly #experiments: Status[] = [];
  readonly #readings: Reading[] = [];
  #block: { readonly job: Job; readonly round: number }[] = [];

  constructor(readonly jobs: readonly Job[]) {
    this.#accounts = new Map(jobs.map((job) => [job, { history: noHistory(), references: [] }]));
  }

  get hasOpenBlock(): boolean {
    return this.#block.length > 0;
  }

  history(job: Job): RowHistory {
    return this.#account(job).history;
  }

  /** What earlier rounds of a job measured. */
  measured(job: Job): Row | undefined {
    const { row } = this.#account(job);
    return row?.status === 'measured' ? row : undefined;
  }

  /** Rows to come back to in another round: those that were measured, suite by suite, all in seeded order. */
  again(seed: number): readonly Job[] {
    const random = mulberry32(seed);
    const spread = this.jobs.filter((job) => job.isSpread === true && this.#account(job).row?.status === 'measured');
    const suites = shuffled([...new Set(spread.map(({ suite }) => suite))], random);
    return suites.flatMap((name) =>
      shuffled(
        spread.filter(({ suite }) => suite === name),
        random,
      ),
    );
  }

  /** Takes in what a round of a job gave. A row that fails in a later round has failed. */
  add(job: Job, result: RowResult): void {
    const account = this.#account(job);
    if (result.kind === 'experiment') {
      this.count(result.experiment.status);
      return;
    }
    const isRepeated = result.row === account.row;
    account.row = result.row;
    if (isRepeated) return;
    this.#block.push({ job, round: account.history.round });
    account.history.round += 1;
  }

  /** Takes the newest round of a row back: it will be measured again. */
  forgetRound(job: Job): void {
    const account = this.#account(job);
    account.history.samples = account.history.samples.slice(0, -1);
    account.history.round -= 1;
    account.references = account.references.slice(0, account.history.round);
  }

  /** Ends a block with a reading in ns. The answer is that reading over the best so far, 1 without one. */
  closeBlock(ns: number | undefined): number {
    const block = this.#block;
    this.#block = [];
    for (const { job, round } of block) this.#account(job).references[round] = ns;
    if (ns === undefined) return 1;
    this.#readings.push({ rows: block.map(({ job }) => job.id), ns });
    return ns / this.#best;
  }

  /** The usual step of the reference from one reading to the next, as a part of the smaller: 0 where it is not known. */
  get noise(): number {
    const steps = this.#readings.slice(1).map(({ ns }, i) => {
      const before = this.#readings[i]?.ns ?? ns;
      return Math.abs(ns - before) / Math.min(ns, before);
    });
    return steps.length < LEAST_STEPS ? 0 : median(steps);
  }

  count(status: Status): void {
    this.#experiments.push(status);
  }

  counts(): Readonly<Record<Status, number>> {
    const counts = { measured: 0, skipped: 0, failed: 0 };
    for (const { row } of this.#accounts.values()) if (row !== undefined) counts[row.status] += 1;
    for (const status of this.#experiments) counts[status] += 1;
    return counts;
  }

  /** The rows of jobs that have one, each with the reference beside its rounds and the warning where it drifted. */
  rowsOf(jobs: readonly Job[]): readonly Row[] {
    return jobs.flatMap((job) => {
      const account = this.#accounts.get(job);
      return account?.row === undefined ? [] : [this.#finished(account.row, account)];
    });
  }

  /** All readings of the reference kernel. Undefined where there are none. */
  referenceExperiment(): Experiment | undefined {
    const [first] = this.jobs;
    if (first === undefined || this.#readings.length === 0) return undefined;
    const times = this.#readings.map(({ ns }) => ns);
    const { noise } = this;
    return {
      id: 'reference/drift',
      suite: first.suite,
      status: 'measured',
      method: 'time of a fixed copy kernel after each block of rows, in ns',
      bestNs: this.#best,
      worstOverBest: Math.max(...times) / this.#best,
      limit: 1 + driftLimit(noise),
      drifted: times.filter((ns) => isThrottled(ns / this.#best, noise)).length,
      readings: this.#readings,
    };
  }

  get #best(): number {
    return Math.min(...this.#readings.map(({ ns }) => ns));
  }

  #finished(row: Row, { history, references }: Account): Row {
    if (row.status !== 'measured') return row;
    const rounds = row.rounds?.length ?? 1;
    const known = references.slice(history.round - rounds, history.round).filter((ns) => ns !== undefined);
    if (known.length !== rounds) return row;
    const ratios = known.map((ns) => ns / this.#best);
    const flags = isThrottled(median(ratios), this.noise) ? [...row.flags, 'throttled'] : row.flags;
    return { ...row, flags, reference: ratios };
  }

  #account(job: Job): Account {
    const account = this.#accounts.get(job);
    if (account === undefined) throw new Error(`${job.id} is not in this run`);
    return account;
  }
}

/** How far a run is, and from the second row on how long it will take, at the pace so far. */
export class ProgressClock {
  #done = 0;

  constructor(
    readonly total: number,
    readonly startedMs: number,
  ) {}

  /** Called before each row. */
  next(id: string, nowMs: number, round: RoundProgress): Progress {
    const done = this.#done;
    this.#done += 1;
    const spentNs = (nowMs - this.startedMs) * 1e6;
    const remaining =
      done === 0 ? {} : { remainingNs: Math.max(0, Math.round((spentNs / done) * (this.total - done))) };
    return { done: Math.min(done, this.total), total: this.total, id, ...remaining, round };
  }

  end(): Progress {
    return { done: this.total, total: this.total, id: '', remainingNs: 0 };
  }
}
