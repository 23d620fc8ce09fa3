/** The suite `transfer`: bandwidth between the page and the GPU by size, for each way that a page has. */
import { formatBytes } from '../../base/format.js';
import { say } from '../../base/said.js';
import { sizeLabel } from '../../base/sizes.js';
import { bytes, nanoseconds, throughput } from '../../base/units.js';
import { type Preset } from '../../model/report/schema.js';
import { sampleWall } from '../measure.js';
import { measuredRow } from '../measured-row.js';
import { type Job, type RowContext, type RowResult, rowResult, type Suite } from '../suite.js';
import { CHUNK_BYTES, checkOnce, demandRight, mismatches } from '../verify.js';
import { Payload } from './payload.js';
import { METHODS, openWay, type Way, wayBytes, type WayName, WAYS } from './ways.js';

const KiB = 2 ** 10;
const MiB = 2 ** 20;
const WORD = 4;
/** Beside a row's own buffers: the check's read-back, the reference kernel, what another suite still holds is destroyed. */
const HEADROOM = CHUNK_BYTES + 8 * MiB;
const MOST_REPEATS = 2 ** 16;
/** Samples of a round of `quick`: large transfers take tens of milliseconds each. */
const QUICK_SAMPLES = 2;

/** Around 4 MiB (Dawn's upload ring) and 16 MiB (it submits by itself) the sizes lie close: knees are expected there. */
const SIZES: Readonly<Record<Preset, readonly number[]>> = {
  quick: [256, 64 * KiB, 2 * MiB, 4 * MiB, 8 * MiB, 16 * MiB, 24 * MiB],
  standard: [
    ...[256, 4 * KiB, 64 * KiB, 256 * KiB],
    ...[1, 2, 3, 4, 5, 8, 12, 16, 20, 32, 64, 128, 256].map((mebibytes) => mebibytes * MiB),
  ],
  full: [
    ...[256, KiB, 4 * KiB, 16 * KiB, 64 * KiB, 256 * KiB, 512 * KiB],
    ...[1, 2, 3, 4, 5, 6, 8, 12, 15, 16, 17, 20, 24, 32, 64, 128, 256].map((mebibytes) => mebibytes * MiB),
  ],
};

export const transfer: Suite = {
  rows(_environment, request) {
    const payload = new Payload(request.seed);
    const jobs = WAYS.flatMap((way) =>
      SIZES[request.preset].map((size): Job => {
        const id = `transfer/${way}/${sizeLabel(size)}`;
        return {
          id,
          suite: 'transfer',
          measures: 'GB/s',
          isSpread: true,
          run: async (context) =>
            skipped(context, id, way, size) ?? (await runTransferRow(context, { id, way, size, payload })),
        };
      }),
    );
    return { jobs, leavesOthers: true, dispose: () => undefined };
  },
};

export interface TransferRow {
  readonly id: string;
  readonly way: WayName;
  readonly size: number;
  readonly payload: Payload;
}

/** Measures and checks what the last repetition sent, word by word. */
export async function runTransferRow(context: RowContext, row: TransferRow): Promise<RowResult> {
  const { bench } = context;
  const { id, way: name, size, payload } = row;
  const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  return bench.pool.using({ label: `${id} target`, size, usage }, async (target) => {
    const way = await openWay(name, { bench, label: id, size, payload, target });
    try {
      // Bursts of small transfers end in one wait: its polling is spread over many.
      const { samples, clock } = await sampleWall(context, {
        maxRepeats: MOST_REPEATS,
        ...(context.request.preset === 'quick' ? { minSamples: QUICK_SAMPLES } : {}),
        take: (repeats) => way.take(repeats),
      });
      const checked = await check(context, row, way, target);
      return rowResult(
        measuredRow(
          { id, suite: 'transfer' },
          {
            samples,
            clock,
            unit: 'GB/s',
            toValue: (ns) => throughput(bytes(size), nanoseconds(ns)),
            checkedElements: checked,
            bytes: size,
            workingSet: size,
            method: `${METHODS[name]}; wall clock`,
          },
        ),
      );
    } finally {
      way.dispose();
    }
  });
}

/** Compares every word that the last repetition sent. */
async function check(context: RowContext, { id, size }: TransferRow, way: Way, target: GPUBuffer): Promise<number> {
  const expected = way.expected();
  const received = way.received();
  if (received !== undefined) {
    const { count, first } = mismatches(received, expected);
    const where = { word: first, got: received[first] ?? 0, expected: expected[first] ?? 0 };
    demandRight({ checked: expected.length, wrong: count, ...(count === 0 ? {} : { first: where }) });
    return expected.length;
  }
  return checkOnce(context, size, () =>
    Promise.resolve({
      label: id,
      buffer: target,
      words: size / WORD,
      type: 'u32',
      reference: (first, wanted) => wanted.set(expected.subarray(first, first + wanted.length)),
    }),
  );
}

function skipped({ environment, request }: RowContext, id: string, way: WayName, size: number): RowResult | undefined {
  const largest = environment.adapter.limits['maxBufferSize'] ?? Infinity;
  const needed = wayBytes(way, size) + HEADROOM;
  const reason =
    size > largest
      ? say`${formatBytes(size)} pass the device's limit of ${formatBytes(largest)}`
      : needed > request.budgetBytes
        ? say`needs ${formatBytes(needed)} of buffers, the check's read-back included; the budget is ${formatBytes(request.budgetBytes)}`
        : undefined;
  if (reason === undefined) return undefined;
  return rowResult({ id, suite: 'transfer', status: 'skipped', unit: 'GB/s', workingSet: size, reason });
}
