/**
 * The suite `tiers`: the ladder of a GPU's memory from registers to the largest working set, kernels beside commands.
 * SIZE in an id is one array, as STREAM counts; `workingSet` is all arrays together.
 */
import { gatherKernels, type StreamKernel, streamKernels } from '../../../shaders/index.js';
import { say } from '../../base/said.js';
import { defined } from '../../base/errors.js';
import { formatBytes } from '../../base/format.js';
import { sizeLabel } from '../../base/sizes.js';
import { type Environment } from '../../model/report/schema.js';
import { concludeTiers } from '../../model/tiers/conclude.js';
import { type Job, type RowContext, type RowResult, rowResult, type Suite } from '../suite.js';
import { chaseNeeds, runChaseRow } from './chase-row.js';
import { chipNeeds, runChipRow } from './chip-row.js';
import { chipRows } from './chip-rows.js';
import { commandNeeds, runCommandRow } from './command-row.js';
import { tierSizes } from './sizes.js';
import { type ArrayNeeds, HEADROOM, StreamArrays } from './stream-arrays.js';
import { runStreamRow, streamNeeds } from './stream-row.js';

/** Threads of every stream kernel: enough to fill the adapter, the same for all sizes. */
export const THREADS = { software: 2 ** 14, hardware: 2 ** 20 } as const;

const GBPS = 'GB/s';

/** A row before it is a job: what it needs, and why it may be impossible. */
interface Plan {
  readonly id: string;
  readonly unit: string;
  readonly needs: ArrayNeeds;
  readonly workingSet?: number;
  /** Whether an array must fit a storage binding too. */
  readonly isBound: boolean;
  readonly missing?: string | undefined;
  run(context: RowContext): Promise<RowResult>;
}

export const tiers: Suite = {
  rows(environment, request) {
    const arrays = new StreamArrays({ a: (2 * request.seed + 1) >>> 0, b: ~(2 * request.seed + 1) >>> 0 });
    const sizes = tierSizes(environment.adapter.class, request.preset, request.budgetBytes);
    const planner = new Planner(environment, request.seed >>> 0, arrays);
    const plans = [
      ...sizes.global.flatMap((size) => planner.global(size, sizes.isVectorOnly(size))),
      ...sizes.gather.flatMap((size) => planner.gathers(size)),
      ...planner.chip(request.preset),
      ...sizes.sweep.map((size) => planner.sweep(size)),
      ...sizes.commands.flatMap((size) => planner.commands(size, sizes.clears.includes(size))),
      ...sizes.latency.map((size) => planner.latency(size)),
    ];
    const isPossible = (plan: Plan): boolean =>
      (plan.missing ?? whyNot(environment, request.budgetBytes, plan)) === undefined;
    arrays.expect(plans.filter(isPossible).map(({ needs }) => needs));
    const jobs = plans.map((plan): Job => ({
      id: plan.id,
      suite: 'tiers',
      measures: plan.unit,
      isSpread: true,
      run: async (context) => skipped(context, plan) ?? (await plan.run(context)),
    }));
    return {
      jobs,
      conclude: (rows) => concludeTiers(rows, environment.adapter),
      dispose: () => arrays.dispose(),
    };
  },
};

class Planner {
  readonly #threads: number;

  constructor(
    readonly environment: Environment,
    readonly seed: number,
    readonly arrays: StreamArrays,
  ) {
    this.#threads = THREADS[environment.adapter.class];
  }

  global(size: number, isVectorOnly: boolean): readonly Plan[] {
    return streamKernels
      .filter(({ elementWords }) => elementWords > 1 || !isVectorOnly)
      .map((kernel) => this.#stream(`tiers/global/${kernel.id}/${sizeLabel(size)}`, kernel, size, this.seed));
  }

  gathers(size: number): readonly Plan[] {
    const label = sizeLabel(size);
    const [strided, random] = gatherKernels;
    const strides = [1, 3, 5].map((shift) =>
      this.#stream(
        `tiers/global/strided-${2 ** shift}/f32/${label}`,
        defined(strided, 'strided'),
        size,
        shift,
        `4 B each ${4 * 2 ** shift} B from ${label}, every word once a pass, useful bytes only`,
      ),
    );
    const randomly = this.#stream(
      `tiers/global/random/f32/${label}`,
      defined(random, 'random'),
      size,
      this.seed,
      `4 B each at random places of ${label}, every word once a pass, useful bytes only`,
    );
    return [...strides, randomly];
  }

  sweep(size: number): Plan {
    const kernel = defined(
      streamKernels.find(({ id }) => id === 'read/vec4'),
      'read/vec4',
    );
    const method = `vec4 reads over a working set of ${sizeLabel(size)} by ${this.#threads} threads`;
    return this.#stream(`tiers/sweep/${sizeLabel(size)}`, kernel, size, 0, method);
  }

  commands(size: number, isCleared: boolean): readonly Plan[] {
    const commands = isCleared ? (['copy', 'clear'] as const) : (['copy'] as const);
    return commands.map((command) => {
      const row = { id: `tiers/${command}-buffer/${sizeLabel(size)}`, command, size };
      const workingSet = command === 'copy' ? 2 * size : size;
      return {
        id: row.id,
        unit: GBPS,
        needs: commandNeeds(row),
        workingSet,
        isBound: false,
        run: (context) => runCommandRow(context, row, this.arrays),
      };
    });
  }

  latency(size: number): Plan {
    const row = { id: `tiers/latency/${sizeLabel(size)}`, size, salt: this.seed };
    return {
      id: row.id,
      unit: 'ns',
      needs: chaseNeeds(row),
      workingSet: size,
      isBound: true,
      run: (context) => runChaseRow(context, row, this.arrays),
    };
  }

  chip(preset: Parameters<typeof chipRows>[1]): readonly Plan[] {
    return chipRows(this.environment, preset, this.seed).map(({ row, missing }) => ({
      id: row.id,
      unit: GBPS,
      needs: chipNeeds(row),
      isBound: true,
      missing,
      run: (context) => runChipRow(context, row, this.arrays),
    }));
  }

  #stream(id: string, kernel: StreamKernel, size: number, seedWrite: number, method?: string): Plan {
    const row = { id, kernel, size, threads: this.#threads, seedWrite, ...(method === undefined ? {} : { method }) };
    return {
      id,
      unit: GBPS,
      needs: streamNeeds(row),
      workingSet: kernel.streams * size,
      isBound: true,
      run: (context) => runStreamRow(context, row, this.arrays),
    };
  }
}

/** A skipped row where the adapter, a limit of the device or the budget does not allow it; undefined where all do. */
function skipped({ environment, request }: RowContext, plan: Plan): RowResult | undefined {
  const reason = plan.missing ?? whyNot(environment, request.budgetBytes, plan);
  if (reason === undefined) return undefined;
  const { id, unit, workingSet } = plan;
  return rowResult({
    id,
    suite: 'tiers',
    status: 'skipped',
    unit,
    ...(workingSet === undefined ? {} : { workingSet }),
    reason,
  });
}

function whyNot({ adapter }: Environment, budgetBytes: number, { needs, isBound }: Plan): string | undefined {
  const sizes = Object.values(needs);
  const size = Math.max(...sizes);
  const limits = [adapter.limits['maxBufferSize'], isBound ? adapter.limits['maxStorageBufferBindingSize'] : undefined];
  const largest = Math.min(...limits.map((limit) => limit ?? Infinity));
  if (size > largest) {
    return say`an array of ${formatBytes(size)} passes the device's limit of ${formatBytes(largest)}`;
  }
  const needed = sizes.reduce((sum, bytes) => sum + bytes, HEADROOM);
  if (needed <= budgetBytes) return undefined;
  return say`needs ${formatBytes(needed)} of buffers, the check's read-back included; the budget is ${formatBytes(budgetBytes)}`;
}
