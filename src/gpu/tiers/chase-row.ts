/**
 * Latency by pointer chase: one thread follows a cycle over all lines of 64 bytes of the working set. A repetition is one
 * loop step of 8 loads; samples go on along the cycle, so that a working set larger than a sample is never met warm.
 */
import { CHASE_LOADS, chased, chaseProgram, permuted, ringProgram } from '../../../shaders/index.js';
import { sizeLabel } from '../../base/sizes.js';
import { sampleWork } from '../measure.js';
import { measuredRow } from '../measured-row.js';
import { pipelineOf, workgroupsFor } from '../pipeline.js';
import { type RowContext, type RowResult, rowResult } from '../suite.js';
import { demandRight, verify } from '../verify.js';
import { type StreamArrays } from './stream-arrays.js';

const LINE_BYTES = 64;
const MOST_STEPS = 2 ** 24;

export interface ChaseRow {
  readonly id: string;
  /** Bytes of the working set, a power of two of at least two lines. */
  readonly size: number;
  readonly salt: number;
}

export const chaseNeeds = ({ size }: Pick<ChaseRow, 'size'>): { readonly ring: number } => ({ ring: size });

export async function runChaseRow(context: RowContext, row: ChaseRow, arrays: StreamArrays): Promise<RowResult> {
  const { bench, signal } = context;
  const { device, pool } = bench;
  const { id, size, salt } = row;
  const bits = Math.log2(size / LINE_BYTES);
  const arrayOf = await arrays.acquire(context, chaseNeeds(row));
  const ring = { buffer: arrayOf('ring'), size };
  const lay = await pipelineOf(device, 'ring', ringProgram);
  const chase = await pipelineOf(device, 'chase', chaseProgram);
  const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  return pool.using({ label: `${id} state`, size: 8, usage: storage }, (state) =>
    pool.using(
      { label: `${id} uniform`, size: 8, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST },
      async (uniform) => {
        device.queue.writeBuffer(uniform, 0, Uint32Array.of(bits, salt));
        device.queue.writeBuffer(state, 0, Uint32Array.of(permuted(0, bits, salt), 0));
        const laying = device.createCommandEncoder({ label: `${id} ring` });
        const pass = laying.beginComputePass({ label: `${id} ring` });
        pass.setPipeline(lay.pipeline);
        pass.setBindGroup(0, lay.bind(`${id} ring`, [uniform, ring]));
        pass.dispatchWorkgroups(...workgroupsFor(device, 2 ** bits));
        pass.end();
        device.queue.submit([laying.finish()]);
        await device.queue.onSubmittedWorkDone();
        const group = chase.bind(id, [uniform, ring, state]);
        let loads = 0;
        const samples = await sampleWork(context, {
          label: id,
          maxRepeats: MOST_STEPS,
          prepare: (steps) => {
            device.queue.writeBuffer(uniform, 0, Uint32Array.of(steps));
            loads += steps * CHASE_LOADS;
          },
          encode:
            () =>
            (encoder, { pass: timestampWrites }) => {
              const chasing = encoder.beginComputePass({
                label: id,
                ...(timestampWrites === undefined ? {} : { timestampWrites }),
              });
              chasing.setPipeline(chase.pipeline);
              chasing.setBindGroup(0, group);
              chasing.dispatchWorkgroups(1);
              chasing.end();
            },
        });
        const { line, sum } = chased(bits, salt, loads);
        const reference = (_first: number, expected: Float32Array | Uint32Array): void => expected.set([line, sum]);
        demandRight(await verify(device, pool, { label: id, buffer: state, words: 2, type: 'u32', reference }, signal));
        return rowResult(
          measuredRow(
            { id, suite: 'tiers' },
            {
              samples,
              clock: bench.clock,
              unit: 'ns',
              toValue: (ns) => ns / CHASE_LOADS,
              // The sum holds every load; a load is of a line that no other step reads until the cycle comes round.
              checkedElements: Math.min(loads, 2 ** bits),
              workingSet: size,
              pipelineCreationNs: chase.creationNs,
              method: `one thread, dependent loads along a random cycle over the ${2 ** bits} lines of 64 B of ${sizeLabel(size)}`,
            },
          ),
        );
      },
    ),
  );
}
