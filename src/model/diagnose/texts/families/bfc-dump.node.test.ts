import { readFileSync, readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { explainText } from '../explain-text.js';

const DIRECTORY = new URL('../../../../../test-data/bfc/', import.meta.url);

interface Golden {
  readonly name: string;
  readonly config: { readonly memory_limit: number; readonly sub_capacity: number };
  readonly in_use: readonly number[];
  readonly pool: readonly (readonly [number, number])[];
  readonly largest_free: readonly (readonly [number, number])[];
  readonly log_2025?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  readonly log_2026?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
}

const golden = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith('.json.gz'))
  .map((file) => JSON.parse(gunzipSync(readFileSync(new URL(file, DIRECTORY))).toString()) as Golden);

/** The value of a column that lists only its changes. */
const at = (changes: readonly (readonly [number, number])[], row: number): number =>
  changes.findLast(([from]) => from <= row)?.[1] ?? 0;

const stamped = (lines: readonly (readonly [string, string])[]): string =>
  lines
    .map(
      ([level, text], i) =>
        `2024-03-01 10:00:00.${100000 + i}: ${level} external/local_tsl/tsl/framework/bfc_allocator.cc:${1000 + i}] ${text}`,
    )
    .join('\n');

/** Every dump that the real allocators printed, with what it was. */
const dumps = golden.flatMap((file) =>
  [file.log_2025 ?? {}, file.log_2026 ?? {}].flatMap((logs) =>
    Object.entries(logs)
      .filter(([, lines]) => lines.some(([, text]) => text.startsWith('BFCAllocator dump')))
      .map(([row, lines]) => ({ file, row: Number(row), lines })),
  ),
);

describe('dumps of the real BFC allocators', () => {
  it('give what was in use, free and longest to the byte, and the verdict that follows from them', () => {
    expect(dumps.length).toBeGreaterThan(20);
    const verdicts = new Set<string>();
    for (const { file, row, lines } of dumps) {
      const { facts, verdict, framework } = explainText(stamped(lines));
      const name = `${file.name}, row ${row}`;
      const inUse = file.in_use[row] ?? NaN;
      const pool = at(file.pool, row);
      expect(framework, name).toBe('tensorflow');
      expect(facts['in_use_bytes'], name).toBe(inUse);
      expect(facts['free_bytes'], name).toBe(pool - inUse);
      expect(facts['reserved_bytes'], name).toBe(pool);
      const tried = Number(facts['tried_bytes']);
      const limit = Number(facts['limit_bytes']);
      const room = pool - inUse + Math.max(0, limit - pool);
      const expected =
        tried > limit || room < tried
          ? ['true-shortage']
          : ['fragmentation', ...(limit - pool >= tried ? ['other-process'] : [])];
      expect(expected, name).toContain(verdict);
      verdicts.add(verdict);
    }
    expect([...verdicts].sort()).toEqual(expect.arrayContaining(['fragmentation', 'true-shortage']));
  });

  it('are not taken for whole where lines are missing', () => {
    for (const { file, row, lines } of dumps.slice(0, 10)) {
      const free = lines.filter(([, text]) => text.startsWith('Free '));
      if (free.length === 0) continue;
      const { steps, verdict } = explainText(stamped(lines.filter((line) => line !== free[0])));
      const name = `${file.name}, row ${row}`;
      if (steps.some((step) => step.includes('> limit'))) continue;
      expect(steps.join('\n'), name).toContain('which is not whole');
      expect(verdict, name).not.toBe('true-shortage');
    }
  });
});

describe('a line of bins alone', () => {
  it('proves a shortage where its only free chunk was too short', () => {
    const { verdict, facts, why } = explainText(
      'Bin (268435456): Total Chunks: 2, Chunks in use: 1. 14.59GiB allocated for chunks. 8.49GiB in use in bin.',
    );
    expect(verdict).toBe('true-shortage');
    expect(facts['tried_bytes']).toBeUndefined();
    expect(why).toContain('does not print how much');
  });

  it('proves nothing with two free chunks', () => {
    const { verdict } = explainText(
      'Bin (268435456): Total Chunks: 3, Chunks in use: 1. 14.59GiB allocated for chunks. 8.49GiB in use in bin.',
    );
    expect(verdict).toBe('unknown');
  });
});

describe('an exception without a dump', () => {
  it.each([
    ['float', 4],
    ['half', 2],
    ['double', 8],
    ['bfloat16', 2],
  ])('gives the size of a tensor of %s from its shape', (type, element) => {
    const { facts, verdict } = explainText(
      `ResourceExhaustedError: OOM when allocating tensor with shape[32,1024,1024] and type ${type} on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc`,
    );
    expect(facts).toMatchObject({ tensor_shape: [32, 1024, 1024], tried_bytes: 32 * 2 ** 20 * element });
    expect(verdict).toBe('unknown');
  });
});
