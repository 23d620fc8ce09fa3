/** Reads a diagnosis that was exported as JSON. What is shown is checked; the rest comes along as it is. */
import * as v from 'valibot';
import { badInput, messageOf } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { DIAGNOSIS_SCHEMA, DIAGNOSIS_VERSION, type Diagnosis } from './diagnosis.js';

const lines = v.array(v.string());
const schema = v.looseObject({
  schema: v.literal(DIAGNOSIS_SCHEMA),
  version: v.literal(DIAGNOSIS_VERSION),
  kind: v.picklist(['oom-text', 'memory-summary', 'snapshot']),
  framework: v.string(),
  facts: v.record(v.string(), v.union([v.number(), v.string(), v.boolean(), v.array(v.number())])),
  ranges: v.optional(v.record(v.string(), v.tuple([v.number(), v.number()])), {}),
  verdict: v.picklist(['fragmentation', 'true-shortage', 'limit-set', 'other-process', 'unknown']),
  why: v.string(),
  steps: lines,
  advice: lines,
  oddities: v.optional(lines, []),
});

/** True for a text that says it is a diagnosis. Never throws. */
export const looksLikeDiagnosis = (text: string): boolean =>
  /^\s*\{/.test(text) && text.slice(0, 500).includes(`"${DIAGNOSIS_SCHEMA}"`);

/** Throws `AppError` (`bad-input`): one line with what is wrong and where. */
export function readDiagnosis(text: string, name: string): Diagnosis {
  const data = parse(text, name);
  const version = typeof data === 'object' && data !== null && 'version' in data ? data.version : undefined;
  if (typeof version === 'number' && version > DIAGNOSIS_VERSION) {
    throw badInput(
      name,
      say`${name} is a diagnosis of version ${version}; this vramlab reads up to ${DIAGNOSIS_VERSION}.`,
    );
  }
  const read = v.safeParse(schema, data);
  if (read.success) return read.output;
  const [issue] = read.issues;
  const where = issue.path?.map(({ key }) => String(key)).join('.') ?? say`the top`;
  throw badInput(name, say`${name}: a damaged diagnosis: at ${where}: ${issue.message}. Export it again.`);
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badInput(name, say`${name}: a damaged diagnosis: ${messageOf(error)}. Export it again.`);
  }
}
