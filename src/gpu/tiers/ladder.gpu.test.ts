import { describe, expect, it } from 'vitest';
import { gatherKernels, permuted } from '../../../shaders/index.js';
import { defined } from '../../base/errors.js';
import { bindStream, UNIFORM_BYTES } from '../stream.js';
import { type RowContext } from '../suite.js';
import { withBench } from '../testing/test-bench.js';
import { runChaseRow } from './chase-row.js';
import { type ChipRow, runChipRow } from './chip-row.js';
import { registerRow, strideRow, subgroupRow } from './chip-rows.js';
import { StreamArrays } from './stream-arrays.js';
import { runStreamRow } from './stream-row.js';

const KiB = 2 ** 10;
const THREADS = 2 ** 10;

async function withArrays<T>(work: (arrays: StreamArrays) => Promise<T>): Promise<T> {
  const arrays = new StreamArrays({ a: 0xabcdef, b: 0x123456 });
  try {
    return await work(arrays);
  } finally {
    arrays.dispose();
  }
}

const runChip = (context: RowContext, row: ChipRow) => withArrays((arrays) => runChipRow(context, row, arrays));

/** A row whose code is changed: the check must find it. */
const changed = (row: ChipRow, from: string, to: string): ChipRow => {
  expect(row.program.code).toContain(from);
  return { ...row, program: { ...row.program, code: row.program.code.replaceAll(from, to) } };
};

const chipRows = [
  registerRow('f32', 1, THREADS),
  registerRow('f32', 3, THREADS),
  strideRow(1, THREADS, 512, 7),
  strideRow(32, THREADS, 512, 7),
  strideRow(3, THREADS, 512, 7),
];

describe('kernels that stay on the chip', () => {
  it.each(chipRows.map((row) => [row.id, row] as const))('%s is right in every thread', async (_, row) => {
    await withBench(async (context) => {
      expect(await runChip(context, row)).toMatchObject({
        row: { status: 'measured', unit: 'GB/s', checkedElements: THREADS, bytes: row.bytes },
      });
    });
  });

  it('swaps inside a subgroup, where the adapter has subgroups', async ({ skip }) => {
    await withBench(async (context) => {
      if (!context.bench.device.features.has('subgroups')) return skip('the adapter has no subgroups');
      const row = subgroupRow(THREADS);
      expect(await runChip(context, row)).toMatchObject({ row: { status: 'measured', checkedElements: THREADS } });
      const idle = changed(row, 'subgroupShuffleXor(value, swap.distance)', 'value');
      await expect(runChip(context, idle)).rejects.toMatchObject({ failure: { kind: 'wrong-data' } });
    });
  });

  it('counts in f16 too, where the adapter has shader-f16', async ({ skip }) => {
    await withBench(async (context) => {
      if (!context.bench.device.features.has('shader-f16')) return skip('the adapter has no shader-f16');
      expect(await runChip(context, registerRow('f16', 2, THREADS))).toMatchObject({ row: { status: 'measured' } });
    });
  });

  it.each([
    ['one link of a chain left out', registerRow('f32', 2, THREADS), 'link < CHAIN', 'link < CHAIN - 1u'],
    ['one block of vectors left out', registerRow('f32', 2, THREADS), 'x1 = step_all(x1, factor, addend);', ''],
    ['one load that is another', strideRow(2, THREADS, 512, 7), '(index + 3u) & mask', '(index + 2u) & mask'],
    ['a tile without its salt', strideRow(2, THREADS, 512, 7), '+ walk.seed', ''],
  ] as const)('finds %s', async (_, row, from, to) => {
    await withBench(async (context) => {
      await expect(runChip(context, changed(row, from, to))).rejects.toMatchObject({ failure: { kind: 'wrong-data' } });
    });
  });
});

describe('gathers', () => {
  it.each([
    ['strided', 1],
    ['strided', 5],
    ['random', 0x12345],
  ] as const)('%s (%d) reads every word once a pass', async (name, seedWrite) => {
    const kernel = defined(
      gatherKernels.find(({ id }) => id === `${name}/f32`),
      name,
    );
    await withBench(async (context) => {
      for (const [size, threads] of [
        [256 * KiB, 1024],
        [4 * KiB, 2 ** 12],
      ] as const) {
        const row = { id: kernel.id, kernel, size, threads, seedWrite };
        const result = await withArrays((arrays) => runStreamRow(context, row, arrays));
        expect(result).toMatchObject({ row: { status: 'measured', checkedElements: threads } });
        const broken = { ...row, seedWrite: seedWrite + 1 };
        const original = withArrays((arrays) =>
          runStreamRow(
            context,
            {
              ...broken,
              kernel: {
                ...kernel,
                reference: (input, first, out) => kernel.reference({ ...input, seedWrite }, first, out),
              },
            },
            arrays,
          ),
        );
        // With more threads than elements every element is still met, but by another thread.
        await expect(original).rejects.toMatchObject({ failure: { kind: 'wrong-data' } });
      }
    });
  });
});

describe('the pointer chase', () => {
  it.each([128, 16 * KiB, 1024 * KiB])('over %d bytes ends where the reference ends', async (size) => {
    await withBench(async (context) => {
      const row = { id: 'chase', size, salt: 99 };
      const result = await withArrays((arrays) => runChaseRow(context, row, arrays));
      expect(result).toMatchObject({ row: { status: 'measured', unit: 'ns', workingSet: size } });
      if (result.kind === 'row' && result.row.status === 'measured') {
        expect(result.row.checkedElements).toBeLessThanOrEqual(size / 64);
      }
    });
  });

  it('goes round one cycle over all lines, in an order without neighbours', () => {
    for (const bits of [1, 4, 11]) {
      const seen = new Set(Array.from({ length: 2 ** bits }, (_, i) => permuted(i, bits, 99)));
      expect(seen.size).toBe(2 ** bits);
    }
    const order = Array.from({ length: 2 ** 11 }, (_, i) => permuted(i, 11, 99));
    const neighbours = order.filter((line, i) => Math.abs(line - (order[i - 1] ?? -9)) <= 2);
    expect(neighbours.length).toBeLessThan(0.02 * order.length);
  });
});

describe('shared arrays', () => {
  it('serve a small row from a large buffer, and make room inside the budget', async () => {
    await withBench(async (context) => {
      await withArrays(async (arrays) => {
        const large = await arrays.acquire(context, { a: 1024 * KiB });
        const small = await arrays.acquire(context, { a: 4 * KiB, dst: 4 * KiB });
        expect(small('a')).toBe(large('a'));
        const { pool } = context.bench;
        const most = pool.budgetBytes - pool.liveBytes - 40 * 2 ** 20;
        const ring = (await arrays.acquire(context, { ring: Math.min(most, 2 ** 28) }))('ring');
        expect(ring.size).toBeLessThanOrEqual(2 ** 28);
        expect(pool.liveBytes).toBeLessThanOrEqual(pool.budgetBytes);
      });
    });
  });
});

describe('the work of a gather', () => {
  it('takes longer with more steps', async () => {
    const kernel = defined(gatherKernels[0], 'strided');
    await withBench(async (context) => {
      await withArrays(async (arrays) => {
        const { device, pool, stopwatch } = context.bench;
        const row = { id: 'strided', kernel, size: 256 * KiB, threads: 1024, seedWrite: 2 };
        const arrayOf = await arrays.acquire(context, { a: row.size, sums: row.threads * 4 });
        const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
        await pool.using({ label: 'u', size: UNIFORM_BYTES, usage }, async (uniform) => {
          const bound = await bindStream(device, row, { a: arrayOf('a'), sums: arrayOf('sums'), uniform });
          const time = async (steps: number): Promise<number> => {
            bound.prepare(steps);
            const { beginStamp, endStamp } = await stopwatch.time('s', (encoder, { pass }) =>
              bound.encode(encoder, pass),
            );
            return Number(endStamp - beginStamp);
          };
          let [few, many] = [Infinity, Infinity];
          for (let i = 0; i < 10; i++) {
            few = Math.min(few, await time(64));
            many = Math.min(many, await time(512));
          }
          expect(many / few).toBeGreaterThan(4);
        });
      });
    });
  });
});
