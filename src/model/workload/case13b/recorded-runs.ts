/**
 * The longer runs of the flagship case on PyTorch's real allocator (`samples/case13b-runs.json.gz`), and the same on the
 * model: peaks of every step, retries, device calls, and everything known of the first failure.
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { CachingAllocator } from '../../allocator/caching/caching-allocator.js';
import { type ParameterInput } from '../parameter.js';
import { type Program } from '../program.js';
import { case13b } from './case13b.js';

/** Peak allocated, peak reserved, peak gap, each after an operation (a peak inside one is not seen); retries, device allocations and device frees so far. */
export type PhaseFigures = readonly [number, number, number, number, number, number];

/** State at the first failure, after the flush and the retry. */
export interface RecordedFailure {
  readonly op: number;
  readonly step: number;
  readonly request: number;
  readonly allocated: number;
  readonly reserved: number;
  readonly largest_free: number;
  readonly free_in_large_pool: number;
  readonly segments: number;
  /** Those of the large pool that have a hole. */
  readonly segments_partly_used: number;
}

export interface RunFigures {
  readonly oom: RecordedFailure | null;
  readonly peak_allocated: number;
  readonly peak_reserved: number;
  readonly num_alloc_retries: number;
  readonly num_device_alloc: number;
  readonly num_device_free: number;
  readonly setup: PhaseFigures;
  readonly steps: readonly PhaseFigures[];
}

export interface RecordedRun extends RunFigures {
  readonly params: ParameterInput;
  readonly config: string;
  readonly fraction: number | null;
  readonly capacity: number;
  readonly trace_sha256: string;
  /** Operations of the whole trace. */
  readonly ops: number;
  readonly step_lengths: readonly number[];
}

/** The runs of a parsed file. Throws `AppError` (`bad-input`) for a run that lacks a field. */
export function recordedRunsOf(file: unknown, source: string): readonly RecordedRun[] {
  const runs = isRecord(file) ? file['runs'] : undefined;
  if (!Array.isArray(runs)) throw badInput(source, say`${source}: there are no "runs"`);
  return runs.map((run: unknown, i) => {
    for (const key of [
      'params',
      'config',
      'capacity',
      'trace_sha256',
      'step_lengths',
      'ops',
      'setup',
      'steps',
      'oom',
    ]) {
      if (!isRecord(run) || !(key in run)) throw badInput(source, say`${source}: run ${i} has no "${key}"`);
    }
    // Every field that is read is compared, and a wrong one shows as a difference.
    return run as RecordedRun;
  });
}

/** Runs the flagship case on the model with the settings of a recorded run, to its end or its first failure. */
export function runOnModel({ params, config, fraction, capacity }: RecordedRun): RunFigures {
  const allocator = new CachingAllocator({ capacity, conf: config, fraction: fraction ?? undefined });
  const program = new MeasuringProgram(allocator);
  try {
    case13b.run(program, params);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return program.finish();
}

class Stopped extends Error {}

/** Drives the allocator as the program runs and sums up each phase. Stops the program at the first failure. */
class MeasuringProgram implements Program {
  readonly #allocator: CachingAllocator;
  readonly #handles: number[] = [-1];
  readonly #phases: PhaseFigures[] = [];
  #peaks = [0, 0, 0] as [number, number, number];
  #operations = 0;
  #oom: RecordedFailure | null = null;

  constructor(allocator: CachingAllocator) {
    this.#allocator = allocator;
  }

  allocate(size: number): number {
    const handle = this.#allocator.malloc(size);
    this.#handles.push(handle);
    this.#note();
    if (handle === -1) {
      this.#oom = this.#failure(size);
      throw new Stopped();
    }
    this.#operations += 1;
    return this.#handles.length - 1;
  }

  free(tensor: number): void {
    this.#allocator.free(this.#handles[tensor]!);
    this.#note();
    this.#operations += 1;
  }

  recordStream(): void {
    throw new Error('the flagship case has one stream');
  }

  emptyCache(): void {
    this.#allocator.flush();
    this.#note();
    this.#operations += 1;
  }

  synchronize(): void {
    this.#operations += 1;
  }

  marker(label: string): void {
    if (label.startsWith('step ')) this.#closePhase();
  }

  finish(): RunFigures {
    this.#closePhase();
    const [setup, ...steps] = this.#phases;
    const stats = this.#allocator.stats();
    return {
      oom: this.#oom,
      peak_allocated: Math.max(...this.#phases.map(([allocated]) => allocated)),
      peak_reserved: Math.max(...this.#phases.map(([, reserved]) => reserved)),
      num_alloc_retries: stats['num_alloc_retries']!,
      num_device_alloc: stats['num_device_alloc']!,
      num_device_free: stats['num_device_free']!,
      setup: setup!,
      steps,
    };
  }

  #note(): void {
    const { allocated, reserved } = this.#allocator.totals;
    const peaks = this.#peaks;
    if (allocated > peaks[0]) peaks[0] = allocated;
    if (reserved > peaks[1]) peaks[1] = reserved;
    if (reserved - allocated > peaks[2]) peaks[2] = reserved - allocated;
  }

  #closePhase(): void {
    const stats = this.#allocator.stats();
    this.#phases.push([
      ...this.#peaks,
      stats['num_alloc_retries']!,
      stats['num_device_alloc']!,
      stats['num_device_free']!,
    ]);
    this.#peaks = [0, 0, 0];
  }

  #failure(request: number): RecordedFailure {
    const { allocated, reserved } = this.#allocator.totals;
    const { segments } = this.#allocator.heap();
    const large = segments.filter(({ pool }) => pool === 'large');
    const freeOf = (blocks: (typeof large)[number]['blocks']) =>
      blocks.filter(({ state }) => state === 'free').map(({ size }) => size);
    const holes = large.flatMap(({ blocks }) => freeOf(blocks));
    return {
      op: this.#operations,
      step: this.#phases.length - 1,
      request,
      allocated,
      reserved,
      largest_free: holes.length === 0 ? 0 : Math.max(...holes),
      free_in_large_pool: holes.reduce((sum, hole) => sum + hole, 0),
      segments: segments.length,
      segments_partly_used: large.filter(({ blocks }) => freeOf(blocks).length > 0).length,
    };
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
