/**
 * Rows of kernels that stay on the chip: chains in registers, walks through workgroup memory, swaps inside a subgroup.
 * Their one output is a sum a thread, and a repetition is one loop step of all threads.
 */
import { type Program } from '../../../shaders/index.js';
import { bytes, nanoseconds, throughput } from '../../base/units.js';
import { sampleWork } from '../measure.js';
import { measuredRow } from '../measured-row.js';
import { pipelineOf, workgroupsFor } from '../pipeline.js';
import { type RowContext, type RowResult, rowResult } from '../suite.js';
import { checkOnce, type Reference } from '../verify.js';
import { type StreamArrays } from './stream-arrays.js';

const WORD = 4;
const MOST_STEPS = 2 ** 24;

export interface ChipRow {
  readonly id: string;
  readonly program: Program;
  readonly threads: number;
  /** The uniform of a dispatch of `steps` loop steps after `done` earlier ones. */
  uniform(steps: number, done: number): ArrayBuffer;
  /** The sum of each thread after `steps` loop steps over all dispatches. */
  reference(steps: number): Reference;
  /** Operand or memory bytes of one loop step of all threads. */
  readonly bytes: number;
  readonly flags: readonly string[];
  readonly method: string;
}

export const chipNeeds = ({ threads }: Pick<ChipRow, 'threads'>): { readonly sums: number } => ({
  sums: threads * WORD,
});

export async function runChipRow(context: RowContext, row: ChipRow, arrays: StreamArrays): Promise<RowResult> {
  const { bench } = context;
  const { device } = bench;
  const size = row.threads * WORD;
  const sums = (await arrays.acquire(context, chipNeeds(row)))('sums');
  const pipeline = await pipelineOf(device, row.id, row.program);
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  const uniformBytes = row.uniform(1, 0).byteLength;
  return bench.pool.using({ label: `${row.id} uniform`, size: uniformBytes, usage }, async (uniform) => {
    const group = pipeline.bind(row.id, [uniform, { buffer: sums, size }]);
    const clear = device.createCommandEncoder({ label: `${row.id} clear` });
    clear.clearBuffer(sums, 0, size);
    device.queue.submit([clear.finish()]);
    let done = 0;
    const samples = await sampleWork(context, {
      label: row.id,
      maxRepeats: MOST_STEPS,
      prepare: (steps) => {
        device.queue.writeBuffer(uniform, 0, row.uniform(steps, done));
        done += steps;
      },
      encode: () => (encoder, stamps) => {
        const { pass: timestampWrites } = stamps;
        const pass = encoder.beginComputePass({
          label: row.id,
          ...(timestampWrites === undefined ? {} : { timestampWrites }),
        });
        pass.setPipeline(pipeline.pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(...workgroupsFor(device, row.threads));
        pass.end();
      },
    });
    const checked = await checkOnce(context, size, () =>
      Promise.resolve({
        label: row.id,
        buffer: sums,
        words: row.threads,
        type: 'u32',
        reference: row.reference(done),
      }),
    );
    return rowResult(
      measuredRow(
        { id: row.id, suite: 'tiers' },
        {
          samples,
          clock: bench.clock,
          unit: 'GB/s',
          toValue: (ns) => throughput(bytes(row.bytes), nanoseconds(ns)),
          checkedElements: checked,
          bytes: row.bytes,
          pipelineCreationNs: pipeline.creationNs,
          method: row.method,
          flags: row.flags,
        },
      ),
    );
  });
}
