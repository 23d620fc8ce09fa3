import { describe, expect, it } from 'vitest';
import { filledWord, type StreamKernel, streamKernels, WORKGROUP_SIZE } from '../../shaders/index.js';
import { defined } from '../base/errors.js';
import { fillBuffer, fillPipeline } from './fill.js';
import { createPipeline, foldWorkgroups } from './pipeline.js';
import { type RowContext } from './suite.js';
import { withBench } from './testing/test-bench.js';
import { StreamArrays } from './tiers/stream-arrays.js';
import { runStreamRow } from './tiers/stream-row.js';
import { runCommandRow } from './tiers/command-row.js';
import { verify } from './verify.js';
import { bindStream, UNIFORM_BYTES } from './stream.js';

const KiB = 2 ** 10;
const MiB = 2 ** 20;

const kernelNamed = (id: string): StreamKernel =>
  defined(
    streamKernels.find((kernel) => kernel.id === id),
    id,
  );

async function runRow(context: RowContext, kernel: StreamKernel, size: number, threads: number) {
  const arrays = new StreamArrays({ a: 0xabcdef, b: 0x123456 });
  try {
    return await runStreamRow(context, { id: kernel.id, kernel, size, threads, seedWrite: 99 }, arrays);
  } finally {
    arrays.dispose();
  }
}

describe('every stream kernel', () => {
  it.each(streamKernels.map((kernel) => [kernel.id, kernel] as const))(
    '%s compiles without a message and is right in every word, with more and with fewer threads than elements',
    async (_, kernel) => {
      await withBench(async (context) => {
        for (const [size, threads] of [
          [256 * KiB, 1024],
          [4 * KiB, 2 ** 14],
        ] as const) {
          const result = await runRow(context, kernel, size, threads);
          expect(result).toMatchObject({ kind: 'row', row: { status: 'measured', verified: true, unit: 'GB/s' } });
          const words = kernel.buffers.includes('sums') ? threads : size / 4;
          expect(result).toMatchObject({ row: { checkedElements: words } });
        }
      });
    },
  );

  it('keeps shader compilation messages from passing', async () => {
    await withBench(async ({ bench }) => {
      const kernel = kernelNamed('copy/f32');
      const broken = { ...kernel, code: kernel.code.replace('dst[i3]', 'dst[i4]') };
      bench.device.pushErrorScope('validation');
      await expect(createPipeline(bench.device, 'broken', broken)).rejects.toThrow(/broken: error \d+:\d+ .*i4/);
      await bench.device.popErrorScope();
    });
  });
});

describe('verification', () => {
  it('finds one wrong word among 2^25 and withholds the number', async () => {
    // The fault is in the GPU's own code: one word of the output is not what was read.
    const wrong = 12_345 * 2048 + 77;
    const kernel = kernelNamed('copy/f32');
    const code = [0, 1, 2, 3].reduce(
      (text, i) => text.replace(`dst[i${i}] = a[i${i}];`, `dst[i${i}] = select(a[i${i}], 0.5, i${i} == ${wrong}u);`),
      kernel.code,
    );
    await withBench(async (context) => {
      const failing = runRow(context, { ...kernel, code }, 128 * MiB, 2 ** 14);
      await expect(failing).rejects.toMatchObject({
        failure: { kind: 'wrong-data', wrong: 1, checked: 2 ** 25 },
        message: expect.stringContaining(
          '1 of 33,554,432 words wrong (the first is word 25,282,637: 0x3f000000',
        ) as string,
      });
    });
  });

  it('finds a read kernel that skips one element', async () => {
    const kernel = kernelNamed('read/f32');
    const code = kernel.code.replace(
      'sum += element_bits(a[i2]);',
      'sum += select(element_bits(a[i2]), 0u, i2 == 2200u);',
    );
    await withBench(async (context) => {
      const failing = runRow(context, { ...kernel, code }, 64 * KiB, 1024);
      await expect(failing).rejects.toMatchObject({ failure: { kind: 'wrong-data', wrong: 1, checked: 1024 } });
    });
  });

  it('finds a kernel that writes nothing', async () => {
    const kernel = kernelNamed('write/vec4');
    const code = kernel.code.replace('step < stream.steps', 'step < stream.steps && stream.mask == 0u');
    await withBench(async (context) => {
      const failing = runRow(context, { ...kernel, code }, 64 * KiB, 1024);
      await expect(failing).rejects.toMatchObject({ failure: { kind: 'wrong-data', checked: 16384 } });
    });
  });
});

describe('the stream kernels’ work', () => {
  it.each(streamKernels.map(({ id }) => id))('%s: four times the repeats take about four times as long', async (id) => {
    const kernel = kernelNamed(id);
    await withBench(async ({ bench }) => {
      const { device, pool, stopwatch } = bench;
      const threads = 2 ** 12;
      const size = 256 * KiB;
      const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
      const held = {
        uniform: await pool.create({
          label: 'u',
          size: UNIFORM_BYTES,
          usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
        }),
        a: await pool.create({ label: 'a', size, usage: storage }),
        b: await pool.create({ label: 'b', size, usage: storage }),
        dst: await pool.create({ label: 'dst', size, usage: storage }),
        sums: await pool.create({ label: 'sums', size: threads * 4, usage: storage }),
      };
      const bound = await bindStream(device, { id, kernel, size, threads, seedWrite: 1 }, held);
      const time = async (steps: number): Promise<number> => {
        bound.prepare(steps);
        const { beginStamp, endStamp } = await stopwatch.time(id, (encoder, { pass }) => bound.encode(encoder, pass));
        return Number(endStamp - beginStamp);
      };
      await time(1);
      // Interleaved, and the shortest of each: what disturbs on a busy machine only ever lengthens, so more rounds
      // bring the ratio to the truth, whatever that is.
      let [few, many, ratio] = [Infinity, Infinity, 0];
      for (let round = 0; round < 40 && (round < 5 || ratio < 3.2 || ratio > 4.8); round++) {
        few = Math.min(few, await time(16));
        many = Math.min(many, await time(64));
        ratio = many / few;
      }
      expect(ratio).toBeGreaterThan(2.8);
      expect(ratio).toBeLessThan(5.7);
    });
  });
});

describe('a dispatch past one dimension', () => {
  it.each([
    [65_535, [65_535, 1]],
    [65_536, [32_768, 2]],
    [131_071, [43_691, 3]],
  ] as const)('folds %d workgroups', (count, folded) => {
    expect(foldWorkgroups(count, 65_535)).toEqual(folded);
    expect(folded[0] * folded[1]).toBeGreaterThanOrEqual(count);
  });

  it.each([65_535, 65_536])('reaches every word with %d workgroups', async (workgroups) => {
    await withBench(async ({ bench, signal }) => {
      const { device, pool } = bench;
      // The last workgroup has one word only: the guard and the end of the range are met.
      const words = (workgroups - 1) * WORKGROUP_SIZE + 1;
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const buffer = await pool.create({ label: 'folded', size: words * 4, usage });
      await fillBuffer(bench, await fillPipeline(device), buffer, 5, signal, words);
      const reference = (first: number, expected: Float32Array | Uint32Array): void => {
        for (let i = 0; i < expected.length; i++) expected[i] = filledWord(first + i, 5);
      };
      const verdict = await verify(device, pool, { label: 'folded', buffer, words, type: 'f32', reference }, signal);
      expect(verdict).toEqual({ checked: words, wrong: 0 });
    });
  });
});

describe('copyBufferToBuffer and clearBuffer', () => {
  it.each(['copy', 'clear'] as const)('%s is measured and right in every word', async (command) => {
    await withBench(async (context) => {
      const arrays = new StreamArrays({ a: 1, b: 2 });
      const result = await runCommandRow(context, { id: command, command, size: MiB }, arrays);
      arrays.dispose();
      expect(result).toMatchObject({ row: { status: 'measured', verified: true, checkedElements: 2 ** 18 } });
    });
  });
});
