import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkGolden, checkPickle, isGolden } from './golden-files.js';

const hash = () => {
  const sha = createHash('sha256');
  return { update: (text: string) => void sha.update(text), digest: () => sha.copy().digest('hex') };
};
const read = (path: string): unknown => {
  const bytes = readFileSync(path);
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()) as unknown;
};
/** Traces of the folder of a file, by name. */
const findTraceBeside =
  (path: string) =>
  (name: string): unknown => {
    const trace = join(dirname(path), `${name}.json.gz`);
    return existsSync(trace) ? read(trace) : undefined;
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
    const { tally } = checkGolden(read(path), path, hash, findTraceBeside(path));
    expect(tally.differences).toEqual([]);
    expect(tally.compared).toBeGreaterThan(100);
  });
});

describe('a golden pickle', () => {
  const FOLDER = 'test-data/pytorch/pickles';
  const findTrace = findTraceBeside('test-data/pytorch/x');
  const pickle = (name: string): Uint8Array => readFileSync(join(FOLDER, `${name}.pickle`));

  it.each(['graphpool__default', 'train_cat__exp'])('of %s holds what the pickle of the model holds', (name) => {
    const verdict = checkPickle(pickle(name), name, name, findTrace);
    expect(verdict?.tally.differences).toEqual([]);
    expect(verdict?.tally.compared).toBeGreaterThan(400);
  });

  it('of another trace is told apart', () => {
    const verdict = checkPickle(pickle('graphpool__default'), 'x', 'train_cat__exp', findTrace);
    expect(verdict?.tally.differences[0]).toMatch(/^segments, length: model 2, golden 11/);
  });

  it('is left alone where its trace is not to be found, and refused where it is damaged', () => {
    expect(checkPickle(pickle('train_cat__exp'), 'x', 'nobody', findTrace)).toBeUndefined();
    const cut = pickle('train_cat__exp').slice(0, 5000);
    expect(() => checkPickle(cut, 'cut.pickle', 'train_cat__exp', findTrace)).toThrow(
      /^cut\.pickle stops at byte 5,000 /,
    );
  });
});

describe('golden texts of _memory_viz.py', () => {
  const PATH = 'test-data/pytorch/memory_viz_text.json.gz';
  const texts = read(PATH) as Record<string, { trace: string; segsum: string }>;

  it('say which of their traces are not there', () => {
    const { notes } = checkGolden(texts, 'x', hash, (name) =>
      name === 'graphpool__default' ? findTraceBeside(PATH)(name) : undefined,
    );
    expect(notes).toHaveLength(Object.keys(texts).length - 1);
    expect(notes?.[0]).toMatch(/^texts of .* not checked: its trace is not in the folder$/);
  });

  it('are told apart by one line', () => {
    const { trace = '', segsum = '' } = texts['train_cat__exp'] ?? {};
    const changed = { train_cat__exp: { trace_entries: 1500, trace, segsum: segsum.replace('[9', '[8') } };
    const { tally } = checkGolden(changed, 'x', hash, findTraceBeside(PATH));
    expect(tally.differences).toHaveLength(1);
    expect(tally.differences[0]).toMatch(/^train_cat__exp, segsum, line 2: model "\[9/);
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
