/** The golden files of BFC as data (golden/bfc/README.md). Members that are not read here are not checked. */
import * as v from 'valibot';
import { badInput } from '../../base/errors.js';

const numbers = v.array(v.nullable(v.number()));
/** `[[first index, value], ...]`: a value holds until the next entry. */
const changes = v.array(v.tuple([v.number(), v.nullable(v.number())]));
const log = v.record(v.string(), v.array(v.tuple([v.string(), v.string()])));
const config = v.record(v.string(), v.union([v.number(), v.boolean(), v.string()]));

const end = {
  ops: v.number(),
  fails: v.number(),
  sha256: v.string(),
  in_use: v.number(),
  peak: v.number(),
  pool: v.number(),
  largest_free: v.number(),
  num_allocs: v.number(),
  largest_alloc: v.number(),
  regions: v.number(),
  chunks: v.number(),
  free_chunks: v.number(),
  fragmentation: v.nullable(v.number()),
  sub_calls: v.number(),
  sub_fails: v.number(),
  sub_frees: v.number(),
  bins: v.optional(v.array(v.array(v.number()))),
  map: v.optional(v.array(v.array(v.number()))),
};

const rowsSchema = v.object({
  name: v.string(),
  config,
  ops: v.array(v.string()),
  off: numbers,
  alloc: numbers,
  in_use: v.array(v.number()),
  peak: changes,
  pool: changes,
  peak_pool: changes,
  regions: changes,
  next_region: changes,
  largest_alloc: changes,
  largest_free: changes,
  num_allocs_at: v.array(v.tuple([v.number(), v.number()])),
  sub_calls_rows: v.number(),
  sub: v.record(v.string(), v.array(v.array(v.union([v.string(), v.number()])))),
  oom_rows: v.array(v.number()),
  log_2026: v.optional(log),
  log_2025: v.optional(log),
  final: v.object(end),
});

const churnSchema = v.object({
  name: v.string(),
  trace_sha256: v.string(),
  ops: v.number(),
  variants: v.array(v.object({ config, checkpoints: v.array(v.object(end)) })),
});

export type BfcRows = v.InferOutput<typeof rowsSchema>;
export type BfcChurn = v.InferOutput<typeof churnSchema>;
export type BfcEnd = BfcRows['final'];
export type BfcGoldenFile =
  { readonly kind: 'rows'; readonly rows: BfcRows } | { readonly kind: 'churn'; readonly churn: BfcChurn };

/** Whether parsed JSON looks like a golden file of BFC. Never throws. */
export function isBfcGolden(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return 'variants' in fields || (typeof fields['config'] === 'object' && 'ops' in fields);
}

/** Throws `AppError` (`bad-input`) naming the file and the member that is wrong. */
export function readBfcGolden(value: unknown, source: string): BfcGoldenFile {
  const isChurn = typeof value === 'object' && value !== null && 'variants' in value;
  return isChurn
    ? { kind: 'churn', churn: checked(churnSchema, value, source) }
    : { kind: 'rows', rows: checked(rowsSchema, value, source) };
}

function checked<S extends v.GenericSchema>(schema: S, value: unknown, source: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw badInput(source, `${source}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
}
