/** The kernels on tensors, compiled for one device, and the bind groups of the segments they work on. */
import { ROW_BYTES, type TensorKernelId, tensorKernels } from '../../../shaders/index.js';
import { createPipeline, type Pipeline } from '../pipeline.js';

/** What a dispatch binds: the segment of its source (none for a fill or a check) and the one it writes. */
export interface Bound {
  readonly source: GPUBuffer | undefined;
  readonly target: GPUBuffer;
}

export class TensorKernels {
  readonly #pipelines: Readonly<Record<TensorKernelId, Pipeline>>;
  /** By target, then by source (the stand-in where there is none), then for checks. */
  readonly #groups = new Map<GPUBuffer, Map<GPUBuffer | 'check', GPUBindGroup>>();

  private constructor(pipelines: Readonly<Record<TensorKernelId, Pipeline>>) {
    this.#pipelines = pipelines;
  }

  /** Compiles all of them. Throws (our bug) on any compilation message. */
  static async create(device: GPUDevice): Promise<TensorKernels> {
    const [fill, map, slice, check] = await Promise.all([
      createPipeline(device, 'tensor fill', tensorKernels.fill),
      createPipeline(device, 'tensor map', tensorKernels.map),
      createPipeline(device, 'tensor slice', tensorKernels.slice),
      createPipeline(device, 'tensor check', tensorKernels.check),
    ]);
    return new TensorKernels({ fill, map, slice, check });
  }

  pipeline(kernel: TensorKernelId): GPUComputePipeline {
    return this.#pipelines[kernel].pipeline;
  }

  /** The bind group of a dispatch; one is made for each pair of segments. */
  group(kernel: TensorKernelId, { source, target }: Bound, shared: SharedBuffers): GPUBindGroup {
    const isCheck = kernel === 'check';
    // A segment that is read and written is bound once; the kernel finds its source there.
    const other = source === undefined || source === target ? shared.standIn : source;
    const groups = this.#groups.get(target) ?? new Map<GPUBuffer | 'check', GPUBindGroup>();
    this.#groups.set(target, groups);
    const key = isCheck ? 'check' : other;
    const known = groups.get(key);
    if (known !== undefined) return known;
    const rows = { buffer: shared.rows, size: ROW_BYTES };
    const buffers = [rows, other, target, ...(isCheck ? [shared.findings] : [])];
    // Fill, map and slice have equal layouts: one group serves all three.
    const made = this.#pipelines[isCheck ? 'check' : 'fill'].bind(`tensor ${isCheck ? 'check' : 'work'}`, buffers);
    groups.set(key, made);
    return made;
  }

  /** Forgets the groups of a segment that is destroyed. */
  forget(segment: GPUBuffer): void {
    this.#groups.delete(segment);
    for (const groups of this.#groups.values()) groups.delete(segment);
  }
}

/** Buffers that every dispatch of one execution shares. */
export interface SharedBuffers {
  /** The table of rows (uniforms). */
  readonly rows: GPUBuffer;
  readonly findings: GPUBuffer;
  /** Bound where a kernel has no other source. */
  readonly standIn: GPUBuffer;
}

/** Threads of a dispatch: each takes some of the range, so that small ranges stay parallel and large ones cost little. */
const VEC4S_A_THREAD = 16;
export const threadsFor = (count: number): number => Math.max(1, Math.ceil(count / VEC4S_A_THREAD));

/** One row of the table, in the order of `Row` in lib/tensor.wgsl. */
export interface TableRow {
  readonly targetStart: number;
  readonly count: number;
  readonly targetFirst: number;
  readonly targetHash: number;
  readonly sourceStart: number;
  readonly sourceCount: number;
  readonly sourceFirst: number;
  readonly sourceHash: number;
  readonly sourceInTarget: boolean;
  readonly finding: number;
}

/** Writes a row into the table from word `at` on. */
export function writeRow(table: Uint32Array, at: number, row: TableRow): void {
  const { targetStart, count, targetFirst, targetHash, sourceStart, sourceCount, sourceFirst, sourceHash } = row;
  const words = [targetStart, count, targetFirst, targetHash, sourceStart, sourceCount, sourceFirst, sourceHash];
  table.set([...words, row.sourceInTarget ? 1 : 0, row.finding, threadsFor(count)], at);
}
