import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.js';
import { type NewHash } from './bfc-model.js';
import { checkBfcGolden } from './check-bfc.js';

const DIRECTORY = new URL('../../../test-data/bfc/', import.meta.url);
const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.json.gz'));
const read = (name: string): unknown => JSON.parse(gunzipSync(readFileSync(new URL(name, DIRECTORY))).toString('utf8'));

/** The checkpoints of the million operations up to 10,000: the rest is `vramlab golden`'s, which runs compiled. */
function shortened(file: unknown): unknown {
  const { variants, ...rest } = file as { variants?: { config: unknown; checkpoints: { ops: number }[] }[] };
  if (variants === undefined) return rest;
  const first = (checkpoints: { ops: number }[]) => checkpoints.filter(({ ops }) => ops <= 10_000);
  return {
    ...rest,
    variants: variants.map(({ config, checkpoints }) => ({ config, checkpoints: first(checkpoints) })),
  };
}

const newHash: NewHash = () => {
  const hash = createHash('sha256');
  return { update: (text) => void hash.update(text), digest: () => hash.copy().digest('hex') };
};

describe('BFC against what the real allocator did', () => {
  it.each(files)('%s is equal in every column and text', { timeout: 60_000 }, (name) => {
    const tally = checkBfcGolden(shortened(read(name)), name, newHash);
    expect(tally.differences).toEqual([]);
    expect(tally.compared).toBeGreaterThan(100);
  });

  type Change = (file: Record<string, unknown[]>) => void;
  const changes: readonly (readonly [string, Change])[] = [
    ['an offset', (file) => (file['off'] = file['off']?.map((offset, i) => (i === 0 ? 256 : offset)) ?? [])],
    ['a freed size', (file) => (file['alloc'] = file['alloc']?.map((size) => (size === 256 ? 512 : size)) ?? [])],
    ['bytes in use', (file) => (file['in_use'] = file['in_use']?.map((bytes, i) => (i === 3 ? 1 : bytes)) ?? [])],
    ['a peak', (file) => (file['peak'] = [[0, 1]])],
    ['a log line', (file) => Object.assign(file['log_2025'] ?? {}, { '32': [['W', 'Allocator (GPU_0_bfc)']] })],
    ['the end', (file) => Object.assign(file['final'] ?? {}, { chunks: 1 })],
    ['a device call', (file) => Object.assign(file['sub'] ?? {}, { '0': [['alloc', 0, 1, 1]] })],
  ];
  it.each(changes)('notices that %s differs', (_, change) => {
    const file = read('retry_dump.json.gz') as Record<string, unknown[]>;
    change(file);
    const tally = checkBfcGolden(file, 'changed', newHash);
    expect(tally.failed).toBeGreaterThan(0);
    expect(tally.differences[0]).toMatch(/model .*, golden /);
  });

  it('refuses a file that is not whole, and names the member', () => {
    const file = read('retry_dump.json.gz') as Record<string, unknown>;
    delete file['off'];
    expect(() => checkBfcGolden(file, 'cut.json', newHash)).toThrow(AppError);
    expect(() => checkBfcGolden(file, 'cut.json', newHash)).toThrow(/^cut\.json: off: /);
  });
});
