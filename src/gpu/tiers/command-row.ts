/** copyBufferToBuffer and clearBuffer beside the kernels: they show the memory where kernels are instruction bound. */
import { filledWord } from '../../../shaders/index.js';
import { sizeLabel } from '../../base/sizes.js';
import { bytes, nanoseconds, throughput } from '../../base/units.js';
import { sampleWork } from '../measure.js';
import { measuredRow } from '../measured-row.js';
import { type RowContext, type RowResult, rowResult } from '../suite.js';
import { checkOnce } from '../verify.js';
import { type StreamArrays } from './stream-arrays.js';

const WORD = 4;
/** Commands of one submit: a limit for the encoder's own memory. */
const MOST_REPEATS = 4096;

export interface CommandRow {
  readonly id: string;
  readonly command: 'copy' | 'clear';
  readonly size: number;
}

/** Bytes of each buffer that a row needs at once. */
export const commandNeeds = ({ size }: Pick<CommandRow, 'size'>): { readonly a: number; readonly dst: number } => ({
  a: size,
  dst: size,
});

/** Measures and checks. The destination holds something else before: zeros for a copy, the source for a clear. */
export async function runCommandRow(context: RowContext, row: CommandRow, arrays: StreamArrays): Promise<RowResult> {
  const { bench } = context;
  const { device } = bench;
  const { size, command } = row;
  const arrayOf = await arrays.acquire(context, commandNeeds(row));
  const [source, target] = [arrayOf('a'), arrayOf('dst')];
  const copy = (encoder: GPUCommandEncoder): void => encoder.copyBufferToBuffer(source, 0, target, 0, size);
  const clear = (encoder: GPUCommandEncoder): void => encoder.clearBuffer(target, 0, size);
  const [work, opposite] = command === 'copy' ? [copy, clear] : [clear, copy];
  const before = device.createCommandEncoder({ label: `${row.id} before` });
  opposite(before);
  device.queue.submit([before.finish()]);
  const samples = await sampleWork(context, {
    label: row.id,
    maxRepeats: MOST_REPEATS,
    encode: (repeats) => (encoder, stamps) =>
      stamps.around(encoder, () => {
        for (let i = 0; i < repeats; i++) work(encoder);
      }),
  });
  const checked = await checkOnce(context, size, () =>
    Promise.resolve({
      label: row.id,
      buffer: target,
      words: size / WORD,
      type: 'f32',
      reference: (first, expected) => {
        if (command === 'clear') expected.fill(0);
        else for (let i = 0; i < expected.length; i++) expected[i] = filledWord(first + i, arrays.seeds.a);
      },
    }),
  );
  const moved = bytes(command === 'copy' ? 2 * size : size);
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
        workingSet: moved,
        method: `${command === 'copy' ? 'copyBufferToBuffer' : 'clearBuffer'} of ${sizeLabel(size)}, bytes read plus written`,
      },
    ),
  );
}
