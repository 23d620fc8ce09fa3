/**
 * The report of a benchmark run (DESIGN section 5), checked when it is written and when it is read. One row a
 * measurement, each a positive number or a reason why there is none; raw samples are kept.
 */
import * as v from 'valibot';

export const REPORT_SCHEMA = 'vramlab-report';
export const REPORT_VERSION = 1;

const finite = v.pipe(v.number(), v.finite());
const positive = v.pipe(finite, v.gtValue(0));
const notNegative = v.pipe(finite, v.minValue(0));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = v.string();

export const SUITES = ['tiers', 'transfer', 'dispatch', 'alloc', 'oom', 'driver', 'train'] as const;
export const PRESETS = ['quick', 'standard', 'full'] as const;
export const ADAPTER_CHOICES = ['any', 'hardware', 'software'] as const;
export type SuiteName = (typeof SUITES)[number];
export type Preset = (typeof PRESETS)[number];
export type AdapterChoice = (typeof ADAPTER_CHOICES)[number];

/** Why sampling ended (facts/measuring.md 1). `time-budget` is the `quick` preset's rule. */
export const STOP_REASONS = ['noise-target', 'noise-stable', 'time-limit', 'time-budget', 'fixed-count'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

const limitRow = v.object({ name: text, asked: finite, granted: finite, maximum: finite });

export const adapterSchema = v.object({
  vendor: text,
  architecture: text,
  device: text,
  description: text,
  class: v.picklist(['hardware', 'software']),
  isFallbackAdapter: v.boolean(),
  features: v.array(text),
  /** Granted limits by name, in the unit of the WebGPU specification. */
  limits: v.record(text, finite),
  /** What was asked of the adapter, what the device got, what the adapter could give. */
  limitRequests: v.array(limitRow),
  /** Heap sizes in bytes where the browser shows them (developer features). */
  memoryHeaps: v.optional(v.array(v.object({ sizeBytes: positive, properties: finite }))),
});

export const clockSchema = v.object({
  kind: v.picklist(['timestamp-query', 'wall']),
  /** Smallest step of the clock in ns, found from raw stamps. */
  gridNs: positive,
  /** Time from submit to done of an empty submit, p50 in ns: the floor of a wall-clock figure. */
  emptySubmitNs: positive,
  emptySubmit: v.object({ p10Ns: positive, p50Ns: positive, p90Ns: positive }),
  /** Step of performance.now() in ns. */
  wallGridNs: positive,
  /** GPU time / wall time of the same work; undefined where there is no GPU clock. */
  gpuOverWall: v.optional(positive),
  /** True when that ratio lies outside [0.2, 1.1] (wgpu#6719). */
  suspect: v.boolean(),
  /** Pairs dropped because they were negative or reset; absent where none was. */
  dropped: v.optional(count),
});

export const environmentSchema = v.object({
  browser: v.object({ name: text, version: text, userAgent: text, flags: v.array(text) }),
  adapter: adapterSchema,
  clock: clockSchema,
  crossOriginIsolated: v.boolean(),
  headless: v.boolean(),
  platform: text,
  hardwareConcurrency: count,
  /** Most bytes of buffers at once; `asked` where somebody chose it. */
  budget: v.optional(v.object({ bytes: positive, asked: v.boolean() })),
});

export const statsSchema = v.object({
  n: v.pipe(count, v.minValue(1)),
  median: positive,
  mean: positive,
  min: positive,
  max: positive,
  p99: positive,
  /** Standard deviation / mean. */
  cv: notNegative,
  /** 95 % interval of the median (or of the mean where the row is `timer-limited`). */
  ci95: v.tuple([positive, positive]),
});

const rowCommon = { id: text, suite: v.picklist(SUITES), unit: text, workingSet: v.optional(positive) };

export const measuredSchema = v.object({
  ...rowCommon,
  status: v.literal('measured'),
  /** The figure to quote, in `unit`. */
  value: positive,
  /** One value a sample, in `unit`, in the order they were taken. */
  samples: v.pipe(v.array(positive), v.minLength(1)),
  stats: statsSchema,
  /** Bytes moved by one repetition of the work; undefined where nothing is moved. */
  bytes: v.optional(positive),
  verified: v.literal(true),
  /** Elements compared with the reference. */
  checkedElements: v.optional(count),
  flags: v.array(text),
  stopReason: v.picklist(STOP_REASONS),
  /** Separate figures that are no part of the samples (facts/measuring.md 4). */
  pipelineCreationNs: v.optional(positive),
  firstRunNs: v.optional(positive),
  /** How often the work was repeated inside a sample. */
  repeats: v.optional(positive),
  /**
   * How many of `samples` each round gave, in order: rows that are spread over a run come back to it several times.
   * Their sum is the number of samples. Absent where all samples were taken in one go.
   */
  rounds: v.optional(v.array(v.pipe(count, v.minValue(1)))),
  /**
   * Time of the throttle reference kernel beside each round, over its best of the run: 1.07 is a machine 7 % slower.
   * One number a round (one in all without `rounds`).
   */
  reference: v.optional(v.array(positive)),
  /** How the figure was got, in words, where the id does not say it. */
  method: v.optional(text),
});

export const skippedSchema = v.object({ ...rowCommon, status: v.literal('skipped'), reason: text });
export const failedSchema = v.object({ ...rowCommon, status: v.literal('failed'), reason: text });
export const rowSchema = v.variant('status', [measuredSchema, skippedSchema, failedSchema]);

export const experimentSchema = v.looseObject({
  id: text,
  suite: v.picklist(SUITES),
  status: v.picklist(['measured', 'skipped', 'failed']),
  reason: v.optional(text),
});

const reportFields = v.object({
  schema: v.literal(REPORT_SCHEMA),
  version: v.literal(REPORT_VERSION),
  tool: v.object({ name: text, version: text, commit: v.optional(text) }),
  createdAt: v.pipe(text, v.isoTimestamp()),
  argv: v.array(text),
  seed: count,
  preset: v.picklist(PRESETS),
  /** False when the run was cancelled, interrupted or timed out: `results` holds what was measured until then. */
  complete: v.boolean(),
  /** Why it is not complete. */
  incompleteReason: v.optional(text),
  /** Absent only where a run was stopped before the browser had described itself: never in a complete report. */
  environment: v.optional(environmentSchema),
  results: v.array(rowSchema),
  experiments: v.array(experimentSchema),
});

export const reportSchema = v.pipe(
  reportFields,
  v.check((report) => !report.complete || report.environment !== undefined, 'a complete report has an environment'),
);

export type AdapterFacts = v.InferOutput<typeof adapterSchema>;
export type ClockFacts = v.InferOutput<typeof clockSchema>;
export type Environment = v.InferOutput<typeof environmentSchema>;
export type Stats = v.InferOutput<typeof statsSchema>;
export type MeasuredRow = v.InferOutput<typeof measuredSchema>;
export type Row = v.InferOutput<typeof rowSchema>;
export type Experiment = v.InferOutput<typeof experimentSchema>;
export type Report = v.InferOutput<typeof reportSchema>;
