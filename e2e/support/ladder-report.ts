/** A report of a whole ladder with round figures, marked as made up in its own text: for screens that a run here cannot show. */
import { type Experiment, type Report, type Row } from '../../src/model/report/schema.js';
import { measured, sampleReport } from '../../src/model/report/testing/report-sample.js';
import { sizeLabel } from '../../src/base/sizes.js';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** Three plateaus with a step at 4 MiB and at 64 MiB. */
const plateau = (workingSet: number, near: number, middle: number, far: number): number =>
  workingSet <= 4 * MIB ? near : workingSet <= 64 * MIB ? middle : far;

const sizes = Array.from({ length: 17 }, (_, i) => 16 * KIB * 2 ** i);
const line = (stem: string, unit: string, value: (size: number) => number): Row[] =>
  sizes.map((workingSet) => measured(`${stem}/${sizeLabel(workingSet)}`, value(workingSet), { workingSet, unit }));

const named = (name: string, ...values: readonly [number, number, number]) => ({
  name,
  tiers: [
    { fromBytes: 16 * KIB, toBytes: 4 * MIB, value: values[0] },
    { fromBytes: 8 * MIB, toBytes: 64 * MIB, value: values[1] },
    { fromBytes: 128 * MIB, toBytes: 2 ** 30, value: values[2] },
  ],
});

const experiments: Experiment[] = [
  {
    id: 'tiers/named',
    suite: 'tiers',
    status: 'measured',
    verdict: 'resolved',
    sentence: '3 tiers, made up',
    isInstructionBound: false,
    tiers: [
      { name: 'cache 1', capacity: { fromBytes: 4 * MIB, toBytes: 8 * MIB } },
      { name: 'cache 2', capacity: { fromBytes: 64 * MIB, toBytes: 128 * MIB } },
      { name: 'memory' },
    ],
    lines: [named('sweep', 9790, 2130, 457), named('copy-buffer', 1900, 1800, 430), named('latency', 18, 118, 276)],
  },
];

const rows: Row[] = [
  ...line('tiers/sweep', 'GB/s', (size) => plateau(size, 9790, 2130, 457)),
  ...line('tiers/copy-buffer', 'GB/s', (size) => Math.min(size / 800, plateau(size, 1900, 1800, 430))),
  ...line('tiers/latency', 'ns', (size) => plateau(size, 18, 118, 276)),
  measured('tiers/register/fma', 41_200, { flags: ['derived'] }),
  measured('tiers/workgroup/stride-1', 11_940),
  measured('tiers/global/triad/vec4/256MiB', 457.1, { workingSet: 256 * MIB }),
  measured('tiers/global/read/vec4/256MiB', 462.8, { workingSet: 256 * MIB, flags: ['unstable'] }),
  {
    id: 'tiers/global/strided-64',
    suite: 'tiers',
    status: 'failed',
    unit: 'GB/s',
    reason: '1 of 16,777,216 words wrong',
  },
  { id: 'tiers/global/copy/vec4/4GiB', suite: 'tiers', status: 'skipped', unit: 'GB/s', reason: 'needs 8 GiB' },
];

export const ladderReport: Report = {
  ...sampleReport,
  argv: ['made up for a test'],
  results: rows,
  experiments,
};
