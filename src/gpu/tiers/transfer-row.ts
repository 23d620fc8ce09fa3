/** copyBufferToBuffer and clearBuffer beside the kernels: they show the memory where kernels are instruction bound. */
import { filledWord } from '../../../shaders/index.js';
import { sizeLabel } from '../../base/sizes.js';
import { bytes, nanoseconds, throughput } from '../../base/units.js';
import { sampleWork } from '../measure.js';
import { measuredRow } from '../measured-row.js';
import { type RowContext, type RowResult, rowResult } from '../suite.js';
import { demandRight, verify } from '../verify.js';
import { type StreamArrays } from './stream-arrays.js';

const WORD = 4;
/** Commands of one submit: a limit for the encoder's own memory. */
const MOST_REPEATS = 4096;

export interface TransferRow {
  readonly id: string;
  readonly command: 'copy' | 'clear';
  readonly size: number;
}

export const transferRowBytes = (row: Pick<TransferRow, 'size'>): number => 2 * row.size;

/** Measures and checks. The destination holds something else before: zeros for a copy, the source for a clear. */
export async function runTransferRow(context: RowContext, row: TransferRow, arrays: StreamArrays): Promise<RowResult> {
  const { bench, signal } = context;
  const { device } = bench;
  const { size, command } = row;
  const [source, target] = [await arrays.get(context, size, 'a'), await arrays.get(context, size, 'dst')];
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
  const verdict = await verify(
    bench.device,
    bench.pool,
    {
      label: row.id,
      buffer: target,
      words: size / WORD,
      type: 'f32',
      reference: (first, expected) => {
        if (command === 'clear') expected.fill(0);
        else for (let i = 0; i < expected.length; i++) expected[i] = filledWord(first + i, arrays.seeds.a);
      },
    },
    signal,
  );
  demandRight(verdict);
  const moved = bytes(command === 'copy' ? 2 * size : size);
  return rowResult(
    measuredRow(
      { id: row.id, suite: 'tiers' },
      {
        samples,
        clock: bench.clock,
        unit: 'GB/s',
        toValue: (ns) => throughput(moved, nanoseconds(ns)),
        checkedElements: verdict.checked,
        bytes: moved,
        workingSet: moved,
        method: `${command === 'copy' ? 'copyBufferToBuffer' : 'clearBuffer'} of ${sizeLabel(size)}, bytes read plus written`,
      },
    ),
  );
}
