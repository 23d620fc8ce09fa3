/** The golden files of PyTorch's allocator as data (golden/pytorch/README.md). Other members are not checked. */
import * as v from 'valibot';
import { badInput } from '../../base/errors.js';

const numbers = v.array(v.number());
const segment = v.object({
  address: v.number(),
  total_size: v.number(),
  allocated_size: v.number(),
  active_size: v.number(),
  requested_size: v.number(),
  stream: v.number(),
  segment_type: v.string(),
  is_expandable: v.boolean(),
  segment_pool_id: numbers,
  blocks: v.array(v.tuple([v.number(), v.number(), v.number(), v.string()])),
});
const stats = v.record(v.string(), v.number());
const calls = v.record(v.string(), v.number());

const setup = {
  name: v.string(),
  pytorch: v.string(),
  config: v.string(),
  capacity: v.number(),
  fraction: v.nullish(v.number()),
};

const traceSchema = v.object({
  ...setup,
  ops: v.array(v.array(v.unknown())),
  expected: v.record(v.string(), numbers),
  errors: v.record(v.string(), v.string()),
  snapshots: v.record(v.string(), v.array(segment)),
  final: v.object({ stats, segments: v.array(segment), memory_summary: v.string() }),
  trace: v.array(v.tuple([v.string(), v.number(), v.number(), v.number()])),
  mock: v.optional(calls),
});

const generatedSchema = v.object({
  ...setup,
  generator: v.intersect([v.object({ trace_sha256: v.string() }), v.record(v.string(), v.unknown())]),
  address_sha256: v.string(),
  checkpoints: v.array(v.tuple([v.number(), v.number(), v.number(), v.number(), v.string()])),
  ooms: v.number(),
  final: v.object({ stats, segments: v.optional(v.array(segment)) }),
  mock: v.optional(calls),
});

const outcome = v.object({
  type: v.string(),
  result: v.string(),
  state: v.optional(v.record(v.string(), v.unknown())),
});
const configSchema = v.object({
  rows: v.array(v.object({ config: v.string(), v2_6_0: outcome, v2_14_1: outcome })),
});

export type PytorchTrace = v.InferOutput<typeof traceSchema>;
export type PytorchGenerated = v.InferOutput<typeof generatedSchema>;
export type ConfigValidation = v.InferOutput<typeof configSchema>;
export type GoldenSegment = v.InferOutput<typeof segment>;
export type GoldenSetup = Pick<PytorchTrace, 'config' | 'capacity' | 'fraction' | 'pytorch'>;

/** Throw `AppError` (`bad-input`) naming the file and the member that is wrong. */
export const readPytorchTrace = (value: unknown, source: string): PytorchTrace => checked(traceSchema, value, source);
export const readPytorchGenerated = (value: unknown, source: string): PytorchGenerated =>
  checked(generatedSchema, value, source);
export const readConfigValidation = (value: unknown, source: string): ConfigValidation =>
  checked(configSchema, value, source);

function checked<S extends v.GenericSchema>(schema: S, value: unknown, source: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw badInput(source, `${source}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
}
