/** The engine behind the worker boundary: opens a session, runs the jobs of the suites one by one, tells what came. */
import { AppError, badInput, messageOf } from '../base/errors.js';
import { type EngineApi, type OnEvent, type OnProgress, type RunRequest, type RunSummary } from '../engine/protocol.js';
import { type Environment } from '../model/report/schema.js';
import { AVAILABLE_SUITES } from '../model/report/suites.js';
import { closeBench, openBench, proveDevice } from './bench.js';
import { environmentOf, type Host } from './environment.js';
import { GpuSession } from './session.js';
import { type Job, type RowResult, rowResult, type SuiteRun } from './suite.js';
import { suites } from './suites.js';

/** Memory for the clock and the probe of `describe`. */
const DESCRIBE_BYTES = 2 ** 20;

export function createEngine(gpu: GPU | undefined, host: Host): EngineApi {
  return {
    describe: async (adapter) => {
      const session = await GpuSession.open(gpu, adapter, proveDevice);
      try {
        return await describeSession(session, host);
      } finally {
        session.close();
      }
    },
    run: (request, onEvent, onProgress, signal) => runSuites({ gpu, host, request, onEvent, onProgress, signal }),
  };
}

async function describeSession(session: GpuSession, host: Host): Promise<Environment> {
  const bench = await openBench(session, DESCRIBE_BYTES);
  try {
    return environmentOf(host, session.adapterFacts, bench.clock.facts());
  } finally {
    closeBench(bench);
  }
}

interface RunArguments {
  readonly gpu: GPU | undefined;
  readonly host: Host;
  readonly request: RunRequest;
  readonly onEvent: OnEvent;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
}

async function runSuites({ gpu, host, request, onEvent, onProgress, signal }: RunArguments): Promise<RunSummary> {
  signal.throwIfAborted();
  const session = await GpuSession.open(gpu, request.adapter, proveDevice);
  let bench = await openBench(session, request.budgetBytes);
  const runs: SuiteRun[] = [];
  const counts = { measured: 0, skipped: 0, failed: 0 };
  const facts = (): Environment => environmentOf(host, session.adapterFacts, bench.clock.facts());
  try {
    const environment = facts();
    await onEvent({ kind: 'environment', environment });
    const jobs = planJobs(request, environment, runs);
    await onEvent({ kind: 'planned', rows: jobs.map(({ id, suite }) => ({ id, suite })) });
    const started = performance.now();
    for (const [done, job] of jobs.entries()) {
      signal.throwIfAborted();
      const spentNs = (performance.now() - started) * 1e6;
      const remaining = done === 0 ? {} : { remainingNs: (spentNs / done) * (jobs.length - done) };
      await onProgress({ done, total: jobs.length, id: job.id, ...remaining });
      const result = await runJob(job, { bench, environment, request, signal });
      counts[result.kind === 'row' ? result.row.status : result.experiment.status] += 1;
      await onEvent(result);
      if (session.lost !== undefined) {
        await session.recover();
        bench = await openBench(session, request.budgetBytes);
      }
    }
    await onProgress({ done: jobs.length, total: jobs.length, id: '', remainingNs: 0 });
    return { environment: facts(), ...counts };
  } finally {
    for (const run of runs) run.dispose();
    closeBench(bench);
    session.close();
  }
}

/** The jobs of the suites that were asked for, each suite once, filtered by id. */
function planJobs(request: RunRequest, environment: Environment, runs: SuiteRun[]): readonly Job[] {
  const pattern = request.filter === undefined ? undefined : new RegExp(request.filter);
  for (const name of request.suites) {
    if (!AVAILABLE_SUITES.some((available) => available === name)) {
      throw badInput('suite', `suite "${name}" is not there; one of ${AVAILABLE_SUITES.join(', ')}`);
    }
  }
  for (const name of AVAILABLE_SUITES) {
    if (request.suites.includes(name)) runs.push(suites[name].rows(environment, request));
  }
  return runs.flatMap((run) => run.jobs).filter((job) => pattern?.test(job.id) ?? true);
}

/** Runs one job. What it throws becomes its row, but for an abort, which ends the run. */
async function runJob(job: Job, context: Parameters<Job['run']>[0]): Promise<RowResult> {
  const { session } = context.bench;
  const row = { id: job.id, suite: job.suite, unit: job.measures };
  try {
    const result = await session.guard(job.run(context));
    const [first, ...more] = session.takeErrors();
    if (first === undefined) return result;
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    return rowResult({ ...row, status: 'failed', reason: `${first}${others}` });
  } catch (error) {
    if (context.signal.aborted) throw error;
    const refused = error instanceof AppError && error.failure.kind === 'out-of-memory';
    return rowResult({ ...row, status: refused ? 'skipped' : 'failed', reason: messageOf(error) });
  }
}
