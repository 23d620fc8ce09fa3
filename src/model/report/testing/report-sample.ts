/** A small report with one row of each status, for tests of everything that reads or writes reports. */
import { REPORT_SCHEMA, REPORT_VERSION, type Environment, type MeasuredRow, type Report } from '../schema.js';

export const sampleEnvironment: Environment = {
  browser: { name: 'Chrome', version: '156.0.0.0', userAgent: 'Mozilla/5.0', flags: ['--headless=new'] },
  adapter: {
    vendor: 'google',
    architecture: 'swiftshader',
    device: '',
    description: '',
    class: 'software',
    isFallbackAdapter: true,
    features: ['timestamp-query'],
    limits: { maxBufferSize: 2 ** 30 },
    limitRequests: [{ name: 'maxBufferSize', asked: 2 ** 30, granted: 2 ** 30, maximum: 2 ** 30 }],
  },
  clock: {
    kind: 'timestamp-query',
    gridNs: 65_536,
    emptySubmitNs: 100_000,
    emptySubmit: { p10Ns: 90_000, p50Ns: 100_000, p90Ns: 2_400_000 },
    wallGridNs: 5000,
    gpuOverWall: 0.9,
    suspect: false,
    dropped: 0,
  },
  crossOriginIsolated: true,
  headless: true,
  platform: 'Linux x86_64',
  hardwareConcurrency: 2,
};

export const sampleRow: MeasuredRow = {
  id: 'tiers/global/triad/vec4/64MiB',
  suite: 'tiers',
  status: 'measured',
  unit: 'GB/s',
  value: 12.5,
  samples: [12, 12.5, 13],
  stats: { n: 3, median: 12.5, mean: 12.5, min: 12, max: 13, p99: 13, cv: 0.04, ci95: [12, 13] },
  bytes: 3 * 2 ** 26,
  verified: true,
  flags: ['unstable'],
  stopReason: 'time-budget',
};

export const sampleReport: Report = {
  schema: REPORT_SCHEMA,
  version: REPORT_VERSION,
  tool: { name: 'vramlab', version: '0.1.0' },
  createdAt: '2026-01-01T00:00:00.000Z',
  argv: ['bench'],
  seed: 1,
  preset: 'quick',
  complete: true,
  environment: sampleEnvironment,
  results: [
    sampleRow,
    { id: 'tiers/latency', suite: 'tiers', status: 'skipped', unit: 'ns', reason: 'no <timestamps>, "here" | there' },
    { id: 'dispatch/pass', suite: 'dispatch', status: 'failed', unit: 'ns', reason: '1 of 4 words is wrong' },
  ],
  experiments: [
    {
      id: 'oom/max',
      suite: 'oom',
      status: 'measured',
      provoked: 'create-max',
      observed: 'out-of-memory',
      recovered: true,
    },
  ],
};

/** A measured row at a size; `n` samples between `low` and `high`. */
export function measured(id: string, value: number, more: Partial<MeasuredRow> = {}, n = 12): MeasuredRow {
  const [low, high] = [value * 0.9, value * 1.1];
  return {
    id,
    suite: 'tiers',
    status: 'measured',
    unit: 'GB/s',
    value,
    samples: [low, value, high],
    stats: {
      n,
      median: value,
      mean: value,
      min: low,
      max: high,
      p99: high,
      cv: 0.02,
      ci95: [value * 0.99, value * 1.01],
    },
    verified: true,
    flags: [],
    stopReason: 'noise-target',
    ...more,
  };
}
