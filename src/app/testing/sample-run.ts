/** Plain data that tests of the page start from: an environment, rows, runs in each phase. */
import { type PlannedRow, type RunRequest } from '../../engine/protocol.js';
import { type AdapterFacts, type Environment, type Row } from '../../model/report/schema.js';
import { measured } from '../../model/report/testing/report-sample.js';
import { type RunRecord, type RunState } from '../run-state.js';

export const SOFTWARE_ADAPTER: AdapterFacts = {
  vendor: 'google',
  architecture: 'swiftshader',
  device: '',
  description: '',
  class: 'software',
  isFallbackAdapter: true,
  features: ['subgroups', 'timestamp-query'],
  limits: { maxBufferSize: 2 ** 30, maxStorageBufferBindingSize: 2 ** 30, maxComputeWorkgroupStorageSize: 2 ** 15 },
  limitRequests: [],
};

export const HARDWARE_ADAPTER: AdapterFacts = {
  ...SOFTWARE_ADAPTER,
  vendor: 'nvidia',
  architecture: 'lovelace',
  description: 'NVIDIA GeForce RTX 4070',
  class: 'hardware',
  isFallbackAdapter: false,
};

export const MASKED_ADAPTER: AdapterFacts = { ...HARDWARE_ADAPTER, vendor: '', architecture: '', description: '' };

export const environmentOf = (adapter: AdapterFacts, gridNs = 65_536): Environment => ({
  browser: { name: 'Chromium', version: '156', userAgent: 'test', flags: [] },
  adapter,
  clock: {
    kind: 'timestamp-query',
    gridNs,
    emptySubmitNs: 110_000,
    emptySubmit: { p10Ns: 100_000, p50Ns: 110_000, p90Ns: 300_000 },
    wallGridNs: 5_000,
    suspect: false,
    dropped: 0,
  },
  crossOriginIsolated: true,
  headless: true,
  platform: 'Linux',
  hardwareConcurrency: 2,
});

export const SAMPLE_ROWS: readonly Row[] = [
  measured('tiers/global/triad/vec4/64MiB', 457.1, { workingSet: 2 ** 26 }),
  measured('tiers/global/read/vec4/64MiB', 462.8, { workingSet: 2 ** 26, flags: ['unstable'] }),
  { id: 'tiers/global/copy/vec4/4GiB', suite: 'tiers', status: 'skipped', unit: 'GB/s', reason: 'needs 8 GiB' },
  { id: 'tiers/global/add/vec4/64MiB', suite: 'tiers', status: 'failed', unit: 'GB/s', reason: '1 of 16 words wrong' },
];

export const SAMPLE_REQUEST: RunRequest = {
  suites: ['tiers'],
  preset: 'quick',
  budgetBytes: 2 ** 30,
  seed: 1,
  adapter: 'any',
};

export const recordOfRows = (rows: readonly Row[], planned: readonly PlannedRow[] = rows): RunRecord => ({
  request: SAMPLE_REQUEST,
  suites: SAMPLE_REQUEST.suites,
  createdAt: '2026-11-30T00:12:45.000Z',
  environment: environmentOf(SOFTWARE_ADAPTER),
  planned,
  rows,
  experiments: [],
});

export const runningAt = (rows: readonly Row[], total: number, remainingNs?: number): RunState => ({
  phase: 'running',
  record: recordOfRows(
    rows,
    Array.from({ length: total }, (_, i) => ({ id: `tiers/${i}`, suite: 'tiers' as const })),
  ),
  progress: {
    done: rows.length,
    total,
    id: 'tiers/global/scale/vec4/64MiB',
    ...(remainingNs === undefined ? {} : { remainingNs }),
  },
});

export const doneWith = (rows: readonly Row[]): RunState => ({
  phase: 'done',
  record: recordOfRows(rows),
  tookNs: 102e9,
});
