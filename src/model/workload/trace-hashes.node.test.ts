import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findWorkload } from './catalogue.js';
import { type LineDialect, LineProgram } from './line-program.js';

interface Recorded {
  readonly source: string;
  readonly workload: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly dialect: LineDialect;
  readonly sha256: string;
}

const file = new URL('../../../test-data/workload/trace-hashes.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as { readonly traces: readonly Recorded[] };

function hashOf({ workload, parameters, dialect }: Recorded): string {
  const hash = createHash('sha256');
  const lines = new LineProgram((text) => hash.update(text), dialect);
  findWorkload(workload).run(lines, parameters);
  lines.flush();
  return hash.digest('hex');
}

const sources = [...new Set(recorded.traces.map((trace) => trace.source.split(' ')[0]))];

test.each(sources)(
  '%s: every recorded trace comes out operation by operation',
  (source) => {
    const traces = recorded.traces.filter((trace) => trace.source.split(' ')[0] === source);
    for (const trace of traces) expect({ trace, sha256: hashOf(trace) }).toEqual({ trace, sha256: trace.sha256 });
  },
  120_000,
);
