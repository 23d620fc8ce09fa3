import { expect, it } from 'vitest';
import { MiB } from '../../base/units.js';
import { plantOverlap } from '../../model/execution/overlap.js';
import { PLACEMENTS } from '../../model/execution/placement.js';
import { planExecution } from '../../model/execution/plan.js';
import { scaleTrace } from '../../model/execution/scale.js';
import { findWorkload } from '../../model/workload/catalogue.js';
import { traceOf } from '../../model/workload/trace-program.js';
import { AppError } from '../../base/errors.js';
import { BufferPool } from '../buffers.js';
import { type RowContext } from '../suite.js';
import { withBench } from '../testing/test-bench.js';
import { executePlan, type ExecutionContext } from './executor.js';
import { outcomeOf } from './outcome.js';
import { TensorKernels } from './tensor-kernels.js';
import { TrainLab } from './train-lab.js';
import { trainExperiment } from './train-report.js';

const lesson = (bank: 'concat' | 'prealloc', steps = 20) =>
  scaleTrace(traceOf(findWorkload('lesson-loop'), { bank, steps }), MiB(992), MiB(8));

const contextOf = async ({ bench, signal }: RowContext): Promise<ExecutionContext> => ({
  bench,
  kernels: await TensorKernels.create(bench.device),
  seed: 7,
  signal,
});

it.each(PLACEMENTS)('carries a plan out segment for segment, with every word right (%s)', (placement) =>
  withBench(async (row) => {
    const plan = planExecution(lesson('concat', 3), placement);
    const before = row.bench.pool.liveBytes;
    const execution = await executePlan(await contextOf(row), plan);
    expect(execution.created).toEqual(plan.predicted.segments);
    expect(execution.corruptions).toEqual([]);
    expect(execution.peakHeld).toBeGreaterThanOrEqual(plan.predicted.peakReserved);
    expect(execution.peakHeld).toBeLessThanOrEqual(plan.scaled.capacity);
    expect(outcomeOf(plan, execution)).toMatchObject({ agrees: true, met: true });
    expect(row.bench.pool.liveBytes).toBe(before);
  }),
);

it('meets the out of memory that the model predicts, with more free than was asked for', () =>
  withBench(async (row) => {
    const plan = planExecution(lesson('concat'), 'caching');
    const execution = await executePlan(await contextOf(row), plan);
    expect(outcomeOf(plan, execution)).toMatchObject({
      outcome: 'out-of-memory',
      predicted: 'out-of-memory',
      met: true,
      freeOverRequest: true,
      corruptWords: 0,
    });
  }));

it('finds a planted overlap of 256 bytes, and names the block', () =>
  withBench(async (row) => {
    const planted = plantOverlap(planExecution(lesson('prealloc', 2), 'caching'));
    if (planted === undefined) throw new Error('no pair');
    const { corruptions } = await executePlan(await contextOf(row), planted.plan);
    expect(corruptions).toHaveLength(1);
    expect(corruptions[0]).toMatchObject({ tensor: planted.victim, words: 64 });
  }));

it('reports a device that gives less than the budget, and what it gave', () =>
  withBench(async (row) => {
    const plan = planExecution(lesson('concat', 2), 'direct');
    const less = new BufferPool(row.bench.device, plan.predicted.peakReserved / 2);
    const execution = await executePlan({ ...(await contextOf(row)), segmentPool: less }, plan);
    expect(execution.deviceRefusal?.heldBytes).toBeLessThanOrEqual(plan.predicted.peakReserved / 2);
    expect(outcomeOf(plan, execution)).toMatchObject({ outcome: 'out-of-memory', met: false, agrees: false });
    expect(less.liveCount).toBe(0);
  }));

it('plans again with what the device gave, and meets the new plan', () =>
  withBench(async ({ bench, environment, signal }) => {
    const trace = traceOf(findWorkload('lesson-loop'), { bank: 'concat' });
    const given = MiB(4);
    const planned: (string | undefined)[] = [];
    const context = { bench, environment, signal, request: { seed: 7, budgetBytes: MiB(64) } };
    const attempt = await new TrainLab(MiB(8)).carryOut(context, trace, MiB(992), 'direct', {
      // A device that has less than the budget.
      poolOf: (device, plan) => new BufferPool(device, Math.min(given, plan.scaled.capacity)),
      onPlanned: (plan, because) => {
        planned.push(because === undefined ? undefined : because.message);
        if (because !== undefined) expect(plan.scaled.capacity).toBeLessThanOrEqual(given);
      },
    });
    if ('refused' in attempt) throw new Error(attempt.refused);
    const { plan, execution, replans } = attempt;
    expect(planned).toEqual([undefined, expect.stringContaining('budget')]);
    expect(replans).toHaveLength(1);
    expect(replans[0]?.heldBytes).toBeLessThanOrEqual(given);
    // On what there was, the model says that it cannot do, and the device agrees.
    expect(outcomeOf(plan, execution)).toMatchObject({
      predicted: 'out-of-memory',
      outcome: 'out-of-memory',
      met: true,
      agrees: true,
      corruptWords: 0,
    });
    const subject = { variant: 'x-direct', workload: 'x', parameters: {} };
    expect(trainExperiment(subject, attempt)).toMatchObject({
      status: 'measured',
      replans: [{ size: replans[0]?.size }],
    });
  }));

it('stops at an abort with every buffer destroyed', () =>
  withBench(async (row) => {
    const abort = new AbortController();
    const plan = planExecution(lesson('concat'), 'caching');
    const pool = new BufferPool(row.bench.device, plan.scaled.capacity);
    const before = row.bench.pool.liveCount;
    const context = { ...(await contextOf(row)), signal: abort.signal, segmentPool: pool };
    const stopped = executePlan(context, plan);
    setTimeout(() => abort.abort(new AppError({ kind: 'timeout', seconds: 0 }, 'stop')), 30);
    await expect(stopped).rejects.toThrow('stop');
    expect(pool.liveCount).toBe(0);
    expect(row.bench.pool.liveCount).toBe(before);
  }));
