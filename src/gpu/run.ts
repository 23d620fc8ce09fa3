/** One run: the jobs of the suites one by one, each result told as it comes, loss and throttling met on the way. */
import { AppError, badInput, messageOf } from '../base/errors.js';
import { say } from '../base/said.js';
import { unlessAborted } from '../base/promises.js';
import { type OnEvent, type AskHost, type OnProgress, type RunRequest, type RunSummary } from '../engine/protocol.js';
import { type JournalEntry } from '../model/journal/journal.js';
import { type Environment } from '../model/report/schema.js';
import { AVAILABLE_SUITES, LAB_SUITES } from '../model/report/suites.js';
import { wait } from './adapter.js';
import { closeBench, openBench, proveDevice } from './bench.js';
import { checkLeastBudget, checkMostBudget, modestBudget } from './budget.js';
import { environmentOf, type Host } from './environment.js';
import { ProgressClock, RunLedger } from './run-ledger.js';
import { ROUNDS } from './sampling.js';
import { GpuSession } from './session.js';
import { type Bench, type Job, type RowResult, rowResult, experimentResult, type SuiteRun } from './suite.js';
import { suites } from './suites.js';
import { BLOCK_MS, COOL_DOWN_MS, isThrottled, Rests, supersededExperiment, ThrottleWatch } from './throttle.js';

export interface RunArguments {
  readonly gpu: GPU | undefined;
  readonly host: Host;
  readonly request: RunRequest;
  readonly onEvent: OnEvent;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
  readonly askHost: AskHost;
}

/**
 * Runs what was asked for. Throws `AppError` (`bad-input`, `unsupported`) before anything runs; rejects with the signal's
 * reason on abort; every other trouble becomes the status of a row.
 */
export async function runSuites(run: RunArguments): Promise<RunSummary> {
  const { gpu, request, signal } = run;
  const filter = checkRequest(request);
  checkLeastBudget('--budget', request.budgetBytes);
  signal.throwIfAborted();
  const session = await GpuSession.open(gpu, request.adapter, proveDevice);
  try {
    checkMostBudget('--budget', request.budgetBytes, session.adapterFacts, request.hostMemoryBytes);
    const budgetBytes = modestBudget(request, session.adapterFacts);
    const given = { ...run, request: { ...(await withTrace(run)), budgetBytes } };
    const runner = new Runner(given, session, await openBench(session, budgetBytes));
    try {
      return await runner.run(filter);
    } finally {
      runner.close();
    }
  } finally {
    session.close();
  }
}

/** The request with the text of the trace that it names. */
async function withTrace({ request, askHost }: RunArguments): Promise<RunRequest> {
  if (request.traceFile === undefined || request.traceText !== undefined) return request;
  const answer = await askHost({ kind: 'read-trace' });
  if (answer.kind !== 'trace') throw badInput(request.traceFile, say`${request.traceFile}: its text did not arrive`);
  return { ...request, traceText: answer.text };
}

function checkRequest({ suites: names, filter }: RunRequest): RegExp | undefined {
  for (const name of names) {
    if (AVAILABLE_SUITES.some((available) => available === name)) continue;
    throw badInput('suite', say`suite "${name}" is not there; use one of ${AVAILABLE_SUITES.join(', ')}`);
  }
  if (filter === undefined) return undefined;
  try {
    return new RegExp(filter);
  } catch (error) {
    throw badInput('filter', say`filter "${filter}" is no regular expression: ${messageOf(error)}`);
  }
}

class Runner {
  readonly #run: RunArguments;
  readonly #session: GpuSession;
  readonly #environment: Environment;
  readonly #suites: SuiteRun[] = [];
  #ledger = new RunLedger([]);
  #bench: Bench;
  #throttle: ThrottleWatch | undefined;
  readonly #rests: Rests;
  #blockStarted = 0;
  #earlierJournal: JournalEntry | undefined;
  /** Most bytes that a row risked and came back from. */
  #safeBytes = 0;
  /** Why there is no device any more; rows that are left fail with it. */
  #refusal: string | undefined;

  constructor(run: RunArguments, session: GpuSession, bench: Bench) {
    this.#run = run;
    this.#session = session;
    this.#bench = bench;
    this.#environment = this.#facts();
    this.#rests = new Rests(run.request.preset);
  }

  async run(filter: RegExp | undefined): Promise<RunSummary> {
    const { request, onEvent, onProgress, signal } = this.#run;
    await onEvent({ kind: 'environment', environment: this.#environment });
    if (request.suites.some((name) => LAB_SUITES.includes(name))) {
      const { lastEntry } = await import('./oom/journal-store.js');
      this.#earlierJournal = await lastEntry(this.#run.askHost);
    }
    const jobs = await this.#plan(filter);
    this.#ledger = new RunLedger(jobs);
    await onEvent({ kind: 'planned', rows: jobs.map(({ id, suite }) => ({ id, suite })) });
    const rounds = ROUNDS[request.preset];
    const again = jobs.filter(({ isSpread }) => isSpread === true).length * (rounds - 1);
    const progress = new ProgressClock(jobs.length + again, performance.now());
    for (let round = 0; round < rounds; round++) {
      const own = round === 0 ? jobs : this.#ledger.again(request.seed + round);
      for (const [done, job] of own.entries()) {
        signal.throwIfAborted();
        const place = { number: round + 1, of: rounds, done, rows: own.length };
        await onProgress(progress.next(job.id, performance.now(), place));
        await this.#recoverWhenLost();
        this.#freeOthers(job);
        await this.#runSteadily(job, round === rounds - 1);
      }
      await this.#closeBlock();
    }
    await this.#conclude(filter === undefined);
    // What the clock was found to be on the way belongs to the report too.
    await onEvent({ kind: 'environment', environment: this.#facts() });
    await onProgress(progress.end());
    return { environment: this.#facts(), ...this.#ledger.counts() };
  }

  close(): void {
    for (const suite of this.#suites) suite.dispose();
    this.#throttle?.destroy();
    closeBench(this.#bench);
  }

  #facts(): Environment {
    const { budgetBytes, isBudgetAsked = false } = this.#run.request;
    return {
      ...environmentOf(this.#run.host, this.#session.adapterFacts, this.#bench.clock.facts()),
      budget: { bytes: budgetBytes, asked: isBudgetAsked },
    };
  }

  async #plan(filter: RegExp | undefined): Promise<readonly Job[]> {
    const { request } = this.#run;
    for (const name of AVAILABLE_SUITES) {
      if (!request.suites.includes(name)) continue;
      const suite = await suites[name]();
      this.#suites.push(suite.rows(this.#environment, request));
    }
    return this.#suites.flatMap(({ jobs }) => jobs).filter(({ id }) => filter?.test(id) ?? true);
  }

  /** What the rows of other suites share is freed when they are left, or when the pool is full: each has the whole budget. */
  #freeOthers(job: Job): void {
    const others = this.#suites.filter(({ jobs }) => !jobs.includes(job));
    const free = (): void => {
      for (const suite of others) suite.dispose();
    };
    this.#bench.pool.onFull = free;
    const own = this.#suites.find(({ jobs }) => jobs.includes(job));
    if (own?.leavesOthers !== true) free();
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

  /** Runs a job, tells its result, and looks at the end of a block whether the machine slowed down meanwhile. */
  async #runSteadily(job: Job, isLast: boolean): Promise<void> {
    const { request, onEvent, signal } = this.#run;
    const result = await this.#runJob(job);
    this.#ledger.add(job, result);
    // The last round of a row is told at the end, with what the reference kernel says to all of its rounds.
    if (result.kind === 'experiment' || !(isLast && job.isSpread === true)) await onEvent(result);
    if (performance.now() - this.#blockStarted < BLOCK_MS[request.preset]) return;
    const ratio = await this.#closeBlock();
    if (result.kind !== 'row' || result.row.status !== 'measured' || job.isShared === true) return;
    if (!this.#rests.isWanted(isThrottled(ratio, this.#ledger.noise))) return;
    await unlessAborted(wait(COOL_DOWN_MS), signal);
    this.#ledger.forgetRound(job);
    const second = await this.#runJob(job);
    this.#ledger.add(job, second);
    await onEvent({ kind: 'experiment', experiment: supersededExperiment(result.row, ratio) });
    if (!(isLast && job.isSpread === true)) await onEvent(second);
    this.#rests.took(isThrottled(await this.#closeBlock(), this.#ledger.noise));
  }

  /** Reads the reference kernel for the rows since the last reading; says its time over the best so far. */
  async #closeBlock(): Promise<number> {
    const ns = await this.#reference();
    this.#blockStarted = performance.now();
    return this.#ledger.closeBlock(ns);
  }

  /** Undefined where the reference cannot be run: the next row meets the reason itself. */
  async #reference(): Promise<number | undefined> {
    if (this.#refusal !== undefined || !this.#ledger.hasOpenBlock) return undefined;
    try {
      this.#throttle ??= await this.#session.guard(ThrottleWatch.create(this.#bench));
      return await this.#session.guard(this.#throttle.read());
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** Tells every row as it ends, and what a suite's rows say together. */
  async #conclude(isWhole: boolean): Promise<void> {
    const { onEvent } = this.#run;
    for (const suite of this.#suites) {
      const rows = this.#ledger.rowsOf(suite.jobs);
      const conclusion = suite.conclude?.(rows) ?? { rows, experiments: [] };
      for (const row of conclusion.rows) await onEvent({ kind: 'row', row });
      if (!isWhole) continue;
      for (const experiment of conclusion.experiments) {
        this.#ledger.count(experiment.status);
        await onEvent({ kind: 'experiment', experiment });
      }
    }
    const reference = this.#ledger.referenceExperiment();
    if (reference !== undefined) await onEvent({ kind: 'experiment', experiment: reference });
  }

  /** Written down before it starts: what comes after a crash of the browser knows what was tried. */
  async #journaled<T>(id: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const { journaled } = await import('./oom/journal-store.js');
    const step = { step: id, bytes, lastSafeBytes: this.#safeBytes };
    const result = await journaled(this.#run.askHost, step, work);
    this.#safeBytes = Math.max(this.#safeBytes, bytes);
    return result;
  }

  /** Runs one job. What it throws becomes its row, but for an abort, which ends the run. */
  async #runJob(job: Job): Promise<RowResult> {
    const { request, signal } = this.#run;
    const earlier = this.#ledger.measured(job);
    if (this.#refusal !== undefined) {
      return earlier === undefined ? unmeasured(job, 'failed', this.#refusal) : rowResult(earlier);
    }
    const history = this.#ledger.history(job);
    const { askHost } = this.#run;
    const openDevice = (): Promise<GPUDevice> => this.#session.openAnother();
    const common = { bench: this.#bench, environment: this.#environment, request, signal, history };
    const context = { ...common, askHost, openDevice, earlierJournal: this.#earlierJournal };
    const work = (): Promise<RowResult> =>
      job.losesDevice === true ? job.run(context) : this.#session.guard(job.run(context));
    try {
      const result = await (job.riskBytes === undefined ? work() : this.#journaled(job.id, job.riskBytes, work));
      const [first, ...more] = this.#session.takeErrors();
      if (first === undefined) return result;
      const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
      return unmeasured(job, 'failed', `${first}${others}`);
    } catch (error) {
      signal.throwIfAborted();
      // A device that goes in a later round takes nothing from what the rounds before have measured and checked.
      const isLost = error instanceof AppError && error.failure.kind === 'device-lost';
      if (isLost && earlier !== undefined) return rowResult(earlier);
      const isRefused = error instanceof AppError && error.failure.kind === 'out-of-memory';
      return unmeasured(job, isRefused ? 'skipped' : 'failed', messageOf(error));
    }
  }
}

/** What a job that has no result leaves in the report. */
function unmeasured({ id, suite, measures, kind }: Job, status: 'skipped' | 'failed', reason: string): RowResult {
  if (kind === 'experiment') return experimentResult({ id, suite, status, reason });
  return rowResult({ id, suite, unit: measures, status, reason });
}
