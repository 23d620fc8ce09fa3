/** One run: the jobs of the suites one by one, each result told as it comes, loss and throttling met on the way. */
import { AppError, badInput, messageOf } from '../base/errors.js';
import { formatBytes } from '../base/format.js';
import { type OnEvent, type OnProgress, type RunRequest, type RunSummary } from '../engine/protocol.js';
import { type Environment, type Row } from '../model/report/schema.js';
import { AVAILABLE_SUITES } from '../model/report/suites.js';
import { wait } from './adapter.js';
import { closeBench, openBench, PROBE_BYTES, proveDevice } from './bench.js';
import { environmentOf, type Host } from './environment.js';
import { GpuSession } from './session.js';
import { type Bench, type Job, type RowResult, rowResult, type SuiteRun } from './suite.js';
import { suites } from './suites.js';
import { COOL_DOWN_MS, flagged, isThrottled, reruns, supersededExperiment, ThrottleWatch } from './throttle.js';

export interface RunArguments {
  readonly gpu: GPU | undefined;
  readonly host: Host;
  readonly request: RunRequest;
  readonly onEvent: OnEvent;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
}

/**
 * Runs what was asked for. Throws `AppError` (`bad-input`, `unsupported`) before anything runs; rejects with the signal's
 * reason on abort; every other trouble becomes the status of a row.
 */
export async function runSuites(run: RunArguments): Promise<RunSummary> {
  const { gpu, request, signal } = run;
  const filter = checkRequest(request);
  signal.throwIfAborted();
  const session = await GpuSession.open(gpu, request.adapter, proveDevice);
  try {
    const runner = new Runner(run, session, await openBench(session, request.budgetBytes));
    try {
      return await runner.run(filter);
    } finally {
      runner.close();
    }
  } finally {
    session.close();
  }
}

function checkRequest({ suites: names, filter, budgetBytes }: RunRequest): RegExp | undefined {
  for (const name of names) {
    if (AVAILABLE_SUITES.some((available) => available === name)) continue;
    throw badInput('suite', `suite "${name}" is not there; use one of ${AVAILABLE_SUITES.join(', ')}`);
  }
  if (budgetBytes < PROBE_BYTES) {
    throw badInput(
      'budget',
      `a budget of ${formatBytes(budgetBytes)} is too small to measure with; give at least ${formatBytes(PROBE_BYTES)}`,
    );
  }
  if (filter === undefined) return undefined;
  try {
    return new RegExp(filter);
  } catch (error) {
    throw badInput('filter', `filter "${filter}" is no regular expression: ${messageOf(error)}`);
  }
}

class Runner {
  readonly #run: RunArguments;
  readonly #session: GpuSession;
  readonly #environment: Environment;
  readonly #counts = { measured: 0, skipped: 0, failed: 0 };
  readonly #suites: SuiteRun[] = [];
  #bench: Bench;
  #throttle: ThrottleWatch | undefined;
  /** Why there is no device any more; rows that are left fail with it. */
  #refusal: string | undefined;

  constructor(run: RunArguments, session: GpuSession, bench: Bench) {
    this.#run = run;
    this.#session = session;
    this.#bench = bench;
    this.#environment = this.#facts();
  }

  async run(filter: RegExp | undefined): Promise<RunSummary> {
    const { onEvent, onProgress, signal } = this.#run;
    await onEvent({ kind: 'environment', environment: this.#environment });
    const jobs = this.#plan(filter);
    await onEvent({ kind: 'planned', rows: jobs.map(({ id, suite }) => ({ id, suite })) });
    const started = performance.now();
    for (const [done, job] of jobs.entries()) {
      signal.throwIfAborted();
      const spentNs = (performance.now() - started) * 1e6;
      const remaining = done === 0 ? {} : { remainingNs: Math.round((spentNs / done) * (jobs.length - done)) };
      await onProgress({ done, total: jobs.length, id: job.id, ...remaining });
      await this.#recoverWhenLost();
      const result = await this.#runSteadily(job);
      this.#counts[result.kind === 'row' ? result.row.status : result.experiment.status] += 1;
      await onEvent(result);
    }
    await onProgress({ done: jobs.length, total: jobs.length, id: '', remainingNs: 0 });
    return { environment: this.#facts(), ...this.#counts };
  }

  close(): void {
    for (const suite of this.#suites) suite.dispose();
    this.#throttle?.destroy();
    closeBench(this.#bench);
  }

  #facts(): Environment {
    return environmentOf(this.#run.host, this.#session.adapterFacts, this.#bench.clock.facts());
  }

  #plan(filter: RegExp | undefined): readonly Job[] {
    const { request } = this.#run;
    for (const name of AVAILABLE_SUITES) {
      if (request.suites.includes(name)) this.#suites.push(suites[name].rows(this.#environment, request));
    }
    return this.#suites.flatMap(({ jobs }) => jobs).filter(({ id }) => filter?.test(id) ?? true);
  }

  /** A device that was lost, in a row or between two, is replaced before the next row. */
  async #recoverWhenLost(): Promise<void> {
    if (this.#refusal !== undefined) return;
    await this.#session.settle();
    if (this.#session.lost === undefined) return;
    this.#throttle = undefined;
    closeBench(this.#bench);
    try {
      await this.#session.recover();
      this.#bench = await openBench(this.#session, this.#run.request.budgetBytes);
    } catch (error) {
      this.#refusal = messageOf(error);
    }
  }

  /** Runs a job and looks whether the machine slowed down meanwhile. */
  async #runSteadily(job: Job): Promise<RowResult> {
    const { request, onEvent, signal } = this.#run;
    const first = await this.#runJob(job);
    if (first.kind !== 'row' || first.row.status !== 'measured') return first;
    const slowdown = await this.#slowdown();
    if (!isThrottled(slowdown)) return first;
    if (!reruns(request.preset)) return rowResult(flagged(first.row));
    await abortable(wait(COOL_DOWN_MS), signal);
    const second = await this.#runJob(job);
    if (second.kind !== 'row' || second.row.status !== 'measured') return second;
    await onEvent({ kind: 'experiment', experiment: supersededExperiment(first.row, slowdown) });
    const row: Row = isThrottled(await this.#slowdown()) ? flagged(second.row) : second.row;
    return rowResult(row);
  }

  /** 0 where the reference cannot be run: the next row meets the reason itself. */
  async #slowdown(): Promise<number> {
    try {
      this.#throttle ??= await this.#session.guard(ThrottleWatch.create(this.#bench));
      return await this.#session.guard(this.#throttle.slowdown());
    } catch (error) {
      if (error instanceof AppError) return 0;
      throw error;
    }
  }

  /** Runs one job. What it throws becomes its row, but for an abort, which ends the run. */
  async #runJob(job: Job): Promise<RowResult> {
    const { request, signal } = this.#run;
    const row = { id: job.id, suite: job.suite, unit: job.measures, status: 'failed' } as const;
    if (this.#refusal !== undefined) return rowResult({ ...row, reason: this.#refusal });
    const context = { bench: this.#bench, environment: this.#environment, request, signal };
    try {
      const result = await this.#session.guard(job.run(context));
      const [first, ...more] = this.#session.takeErrors();
      if (first === undefined) return result;
      const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
      return rowResult({ ...row, reason: `${first}${others}` });
    } catch (error) {
      signal.throwIfAborted();
      const isRefused = error instanceof AppError && error.failure.kind === 'out-of-memory';
      return rowResult({ ...row, status: isRefused ? 'skipped' : 'failed', reason: messageOf(error) });
    }
  }
}

/** Waits, but not past an abort. */
async function abortable(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([work, aborted]);
  signal.throwIfAborted();
}
