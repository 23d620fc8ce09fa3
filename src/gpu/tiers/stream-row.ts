/**
 * One stream kernel at one size: global read, write, copy, scale, add or triad. A repetition is one loop step of all
 * threads (lib/stream.wgsl); successive samples go on through the array, and what no sample reached is run untimed
 * before the check, so that every element is produced and compared.
 */
import { type StreamBuffer, type StreamInput } from '../../../shaders/index.js';
import { sizeLabel } from '../../base/sizes.js';
import { bytes, nanoseconds, throughput } from '../../base/units.js';
import { sampleWork } from '../measure.js';
import { measuredRow } from '../measured-row.js';
import { bindStream, type BoundStream, type StreamRow, UNIFORM_BYTES } from '../stream.js';
import { type RowContext, type RowResult, rowResult } from '../suite.js';
import { checkOnce } from '../verify.js';
import { type StreamArrays } from './stream-arrays.js';

const WORD = 4;
/** Keeps `first_step * 4 * threads` a matter of wrapping, and a sample's loop count a u32. */
const MOST_STEPS = 2 ** 24;

/** Bytes of each buffer that a row needs at once. */
export const streamNeeds = ({
  kernel,
  size,
  threads,
}: Pick<StreamRow, 'kernel' | 'size' | 'threads'>): Readonly<Partial<Record<StreamBuffer, number>>> =>
  Object.fromEntries(kernel.buffers.map((buffer) => [buffer, buffer === 'sums' ? threads * WORD : size]));

/** Measures, completes, checks. Throws `AppError` (`wrong-data`) when a word is wrong. */
export async function runStreamRow(context: RowContext, row: StreamRow, arrays: StreamArrays): Promise<RowResult> {
  const { bench } = context;
  const { kernel, size, threads } = row;
  const arrayOf = await arrays.acquire(context, streamNeeds(row));
  const held = Object.fromEntries(kernel.buffers.map((role) => [role, arrayOf(role)]));
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  return bench.pool.using({ label: `${row.id} uniform`, size: UNIFORM_BYTES, usage }, async (uniform) => {
    const bound = await bindStream(bench.device, row, { ...held, uniform });
    const samples = await sampleWork(context, {
      label: row.id,
      maxRepeats: MOST_STEPS,
      prepare: bound.prepare,
      encode: () => (encoder, stamps) => bound.encode(encoder, stamps.pass),
    });
    const checked = await checkOnce(context, Math.max(size, bound.outputBytes), async () => {
      await cover(context, row, bound, samples.repeats);
      const input: StreamInput = {
        seedA: arrays.seeds.a,
        seedB: arrays.seeds.b,
        seedWrite: row.seedWrite,
        words: size / WORD,
        threads,
        steps: bound.steps(),
      };
      return {
        label: row.id,
        buffer: bound.output,
        words: bound.outputBytes / WORD,
        type: kernel.buffers.includes('sums') ? 'u32' : 'f32',
        reference: (first, expected) => kernel.reference(input, first, expected),
      };
    });
    const moved = bytes(kernel.bytesMoved(1, threads));
    return rowResult(
      measuredRow(
        { id: row.id, suite: 'tiers' },
        {
          samples,
          clock: bench.clock,
          unit: 'GB/s',
          toValue: (ns) => throughput(moved, nanoseconds(ns)),
          checkedElements: checked,
          bytes: moved,
          workingSet: kernel.streams * size,
          pipelineCreationNs: bound.pipelineCreationNs,
          method:
            row.method ??
            `${kernel.streams} array(s) of ${sizeLabel(size)}, ${threads} threads, bytes read plus written`,
        },
      ),
    );
  });
}

/** Runs untimed what the samples did not reach of the array. */
async function cover(context: RowContext, row: StreamRow, bound: BoundStream, sampleSteps: number): Promise<void> {
  const { device } = context.bench;
  const pass = row.size / (row.kernel.bytesMoved(1, row.threads) / row.kernel.streams);
  const chunk = Math.max(1, Math.min(sampleSteps, Math.ceil(pass)));
  while (bound.steps() < pass) {
    context.signal.throwIfAborted();
    bound.prepare(Math.min(chunk, Math.ceil(pass - bound.steps())));
    const encoder = device.createCommandEncoder({ label: `${row.id} cover` });
    bound.encode(encoder);
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
  }
}
