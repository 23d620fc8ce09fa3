/**
 * Execute: carries a plan out on real buffers, step by step, with every creation under error scopes, and checks each
 * tensor at the last moment of its life. Nothing is decided here: where the device and the plan differ, that is what
 * the execution reports.
 */
import { ROW_BYTES, tensorHash, type TensorKernelId } from '../../../shaders/index.js';
import { assertNever, defined } from '../../base/errors.js';
import { type Part } from '../../model/execution/data-flow.js';
import { type TrainReached } from '../../engine/protocol.js';
import { type ExecutionPlan, type PlacedTensor, type PlanStep } from '../../model/execution/plan.js';
import { BufferPool } from '../buffers.js';
import { type Bench } from '../suite.js';
import { TABLE_BYTES, TensorBatch } from './batch.js';
import { type ExecutedStep, type Execution } from './execution.js';
import { readFindings } from './findings.js';
import { Segments } from './segments.js';
import { type Bound, type SharedBuffers, type TableRow, type TensorKernels } from './tensor-kernels.js';

export interface ExecutionContext {
  readonly bench: Bench;
  readonly kernels: TensorKernels;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Where segments come from; a pool of the plan's budget unless given. */
  readonly segmentPool?: BufferPool;
  /** Told after each batch of work, and awaited: nothing is timed meanwhile. */
  readonly onReached?: (reached: TrainReached) => void | Promise<void>;
}

const VEC4 = 16;
const toVec4s = (size: number): number => Math.ceil(size / VEC4);

/** Carries out a plan. All buffers are destroyed on every path. Rejects with the signal's reason between two batches. */
export async function executePlan(context: ExecutionContext, plan: ExecutionPlan): Promise<Execution> {
  const { bench } = context;
  const pool = context.segmentPool ?? new BufferPool(bench.device, plan.scaled.capacity);
  const checks = plan.steps.filter(({ kind }) => kind === 'check').length;
  const created: GPUBuffer[] = [];
  const make = async (label: string, size: number, usage: number): Promise<GPUBuffer> => {
    const buffer = await bench.pool.create({ label, size, usage });
    created.push(buffer);
    return buffer;
  };
  try {
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const shared: SharedBuffers = {
      rows: await make('tensor rows', TABLE_BYTES, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST),
      findings: await make('findings', Math.max(1, checks) * 8, storage),
      standIn: await make('stand-in', ROW_BYTES, storage),
    };
    return await new Executor(context, plan, pool, shared).run();
  } finally {
    pool.destroyAll();
    for (const buffer of created) bench.pool.destroy(buffer);
  }
}

class Executor {
  readonly #batch: TensorBatch;
  readonly #segments: Segments;
  readonly #steps: ExecutedStep[] = [];
  readonly #checks: { readonly tensor: number; readonly step: number }[] = [];
  /** Segments that no later step uses, but dispatches that wait in the batch may. */
  #retired: number[] = [];
  #current: { label: string; begin: number; gpuNs: number; moved: number; recopied: number } | undefined;
  /** The step in work. */
  #at = 0;
  #moved = 0;
  #recopied = 0;
  #refusalsMet = 0;
  #checkedWords = 0;

  constructor(
    readonly context: ExecutionContext,
    readonly plan: ExecutionPlan,
    readonly pool: BufferPool,
    readonly shared: SharedBuffers,
  ) {
    this.#batch = new TensorBatch(context.bench, context.kernels, shared);
    this.#segments = new Segments(pool);
  }

  async run(): Promise<Execution> {
    for (const [at, step] of this.plan.steps.entries()) {
      this.#at = at;
      if (!(await this.#carryOut(step, at))) break;
    }
    await this.#flush();
    const findings = await readFindings(this.context.bench, this.shared.findings, this.#checks.length);
    const { created, calls, createNs, destroyed, fences, peakHeld, refusal } = this.#segments;
    return {
      steps: this.#steps,
      created,
      createCalls: calls,
      createNs,
      destroyed,
      fences,
      peakHeld,
      refusalsMet: this.#refusalsMet,
      movedBytes: this.#moved,
      recopiedBytes: this.#recopied,
      checkedWords: this.#checkedWords,
      corruptions: findings.map(({ row, words, firstWord }) => ({
        ...defined(this.#checks[row], `check ${row}`),
        words,
        firstWord,
      })),
      ...(refusal === undefined ? {} : { deviceRefusal: refusal }),
    };
  }

  /** False when the device refused a segment: nothing after it can be carried out. */
  async #carryOut(step: PlanStep, at: number): Promise<boolean> {
    switch (step.kind) {
      case 'create':
        if (this.#segments.needsFence(step.size, this.#retired.length > 0)) await this.#release();
        return this.#segments.create(step.segment, step.size);
      case 'refuse':
        await this.#release();
        if (await this.#segments.isRefused(step.size)) this.#refusalsMet += 1;
        return true;
      case 'destroy':
        this.#retired.push(step.segment);
        return true;
      case 'produce':
        await this.#produce(step);
        return true;
      case 'slice':
        await this.#copy(step.write.target, step.write.part);
        return true;
      case 'check':
        await this.#check(step.tensor, at);
        return true;
      case 'step':
        await this.#beginStep(step.label);
        return true;
      case 'end':
        // A step that met the out of memory is not one that was carried out.
        await this.#endStep(this.plan.predicted.outcome === 'completed');
        return true;
      default:
        return assertNever(step);
    }
  }

  async #flush(): Promise<void> {
    const { signal } = this.context;
    signal.throwIfAborted();
    if (!this.#batch.isEmpty) {
      const gpuNs = await this.#batch.submit('train');
      if (this.#current !== undefined) this.#current.gpuNs += gpuNs;
      signal.throwIfAborted();
      await this.#tell();
    }
    for (const segment of this.#retired) this.context.kernels.forget(this.#segments.retire(segment));
    this.#retired = [];
  }

  /** The time that telling takes is nobody's step. */
  async #tell(): Promise<void> {
    const { onReached } = this.context;
    if (onReached === undefined) return;
    const begin = performance.now();
    const { steps, operations } = this.plan;
    await onReached({
      operation: operations[this.#at] ?? 0,
      operations: (operations[steps.length - 1] ?? -1) + 1,
      step: this.#current?.label ?? '',
      segments: this.#segments.count,
      heldBytes: this.#segments.heldBytes,
      movedBytes: this.#moved,
    });
    if (this.#current !== undefined) this.#current.begin += performance.now() - begin;
  }

  async #release(): Promise<void> {
    await this.#flush();
    await this.#segments.release(this.context.bench.device);
  }

  async #beginStep(label: string): Promise<void> {
    await this.#endStep(true);
    this.#current = { label, begin: performance.now(), gpuNs: 0, moved: this.#moved, recopied: this.#recopied };
  }

  async #endStep(isWhole: boolean): Promise<void> {
    await this.#flush();
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined || !isWhole) return;
    const movedBytes = this.#moved - current.moved;
    if (movedBytes === 0) return;
    this.#steps.push({
      label: current.label,
      wallNs: Math.round((performance.now() - current.begin) * 1e6),
      gpuNs: current.gpuNs,
      movedBytes,
      recopiedBytes: this.#recopied - current.recopied,
    });
  }

  #place(tensor: number): PlacedTensor {
    return defined(this.plan.tensors[tensor], `place of tensor ${tensor}`);
  }

  #target(
    tensor: number,
    at: number,
    bytes: number,
  ): Pick<TableRow, 'targetStart' | 'count' | 'targetFirst' | 'targetHash'> {
    const { offset } = this.#place(tensor);
    return {
      targetStart: (offset + at) / VEC4,
      count: toVec4s(bytes),
      targetFirst: at / VEC4,
      targetHash: tensorHash(tensor, this.context.seed),
    };
  }

  async #produce({ tensor, work }: PlanStep & { readonly kind: 'produce' }): Promise<void> {
    const { bytes } = this.#place(tensor);
    if (work.kind === 'concat') {
      for (const part of work.parts) await this.#copy(tensor, part);
      // The old copy is read and written once more.
      this.#recopied += 2 * work.recopied;
    } else if (work.kind === 'map') {
      await this.#dispatchFrom('map', tensor, { source: work.source, from: 0, at: 0, bytes });
    } else {
      const row = { ...this.#target(tensor, 0, bytes), ...NO_SOURCE, finding: 0 };
      const target = this.#segments.get(this.#place(tensor).segment);
      await this.#add('fill', row, { source: undefined, target });
    }
  }

  async #add(kernel: TensorKernelId, row: TableRow, bound: Bound): Promise<void> {
    if (this.#batch.isFull) await this.#flush();
    this.#moved += this.#batch.add(kernel, row, bound);
  }

  #copy(target: number, part: Part): Promise<void> {
    return this.#dispatchFrom('slice', target, part);
  }

  #dispatchFrom(kernel: 'map' | 'slice', tensor: number, { source, from, at, bytes }: Part): Promise<void> {
    const [origin, to] = [this.#place(source), this.#place(tensor)];
    const sourceSegment = this.#segments.get(origin.segment);
    const target = this.#segments.get(to.segment);
    const row: TableRow = {
      ...this.#target(tensor, at, bytes),
      sourceStart: (origin.offset + from) / VEC4,
      sourceCount: Math.max(1, toVec4s(origin.bytes - from)),
      sourceFirst: from / VEC4,
      sourceHash: tensorHash(source, this.context.seed),
      sourceInTarget: sourceSegment === target,
      finding: 0,
    };
    return this.#add(kernel, row, { source: sourceSegment, target });
  }

  async #check(tensor: number, step: number): Promise<void> {
    const { bytes, segment } = this.#place(tensor);
    const row = { ...this.#target(tensor, 0, bytes), ...NO_SOURCE, finding: this.#checks.length };
    this.#checks.push({ tensor, step });
    this.#checkedWords += toVec4s(bytes) * 4;
    await this.#add('check', row, { source: undefined, target: this.#segments.get(segment) });
  }
}

const NO_SOURCE = { sourceStart: 0, sourceCount: 1, sourceFirst: 0, sourceHash: 0, sourceInTarget: false } as const;
