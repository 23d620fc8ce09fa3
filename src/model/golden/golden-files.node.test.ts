import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkGolden, isGolden } from './golden-files.js';

const hash = () => {
  const sha = createHash('sha256');
  return { update: (text: string) => void sha.update(text), digest: () => sha.copy().digest('hex') };
};
const read = (path: string): unknown => {
  const bytes = readFileSync(path);
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()) as unknown;
};
const filesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /\.json(\.gz)?$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => isGolden(read(path)));

const FILES = ['test-data/pytorch', 'test-data/case13b'].flatMap(filesOf);

describe("the real allocator's golden data", () => {
  it('are there', () => {
    expect(FILES.length).toBeGreaterThan(40);
  });

  it.each(FILES)('%s: equal in every column', { timeout: 60_000 }, (path) => {
    const { tally } = checkGolden(read(path), path, hash);
    expect(tally.differences).toEqual([]);
    expect(tally.compared).toBeGreaterThan(100);
  });
});

describe('a golden file that is not what the allocator did', () => {
  const PATH = 'test-data/pytorch/toggles__default.json.gz';
  const changed = (change: (file: GoldenLike) => void): readonly string[] => {
    const file = read(PATH) as GoldenLike;
    change(file);
    return checkGolden(file, 'changed', hash).tally.differences;
  };

  it.each<[string, (file: GoldenLike) => void, RegExp]>([
    ['an address', (file) => file.expected['addr']?.splice(0, 1, 512), /^operation 0 .*, addr: model -1, golden 512/],
    ['a column', (file) => file.expected['segments']?.splice(5, 1, 77), /^operation 5 .*, segments: model/],
    ['a history entry', (file) => file.trace[3]?.splice(2, 1, 1), /history: model/],
    ['one entry too many', (file) => file.trace.push(['alloc', 0, 1, 0]), /history entries: model/],
    ['a statistic', (file) => (file.final.stats['num_ooms'] = 99), /stats, num_ooms: model 0, golden 99/],
    ['the summary', (file) => (file.final.memory_summary += ' '), /memory_summary: model/],
    ['an error that did not come', (file) => (file.errors['2'] = 'no'), /operation 2 .*, error: model nothing/],
  ])('is told apart by %s', (_, change, message) => {
    expect(changed(change).join('\n')).toMatch(new RegExp(message.source, 'm'));
  });

  it('of a kind nobody knows is refused by name', () => {
    expect(() => checkGolden({ hello: 1 }, 'x.json', hash)).toThrow('x.json: no golden file of a known kind');
    expect(() => checkGolden({ pytorch: '2.6.0' }, 'x.json', hash)).toThrow(/^x.json: name: /);
  });
});

interface GoldenLike {
  readonly expected: Record<string, number[]>;
  readonly trace: (string | number)[][];
  readonly errors: Record<string, string>;
  readonly final: { readonly stats: Record<string, number>; memory_summary: string };
}
