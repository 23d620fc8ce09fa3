import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'playwright/test';
import { type Finished, test } from './support/program.js';

const GOLDEN = resolve('test-data/pytorch/retries__ms21.json.gz');
interface Golden {
  readonly ops: readonly unknown[];
  readonly expected: Readonly<Record<string, readonly number[]>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly final: { readonly memory_summary: string; readonly stats: Readonly<Record<string, number>> };
}
const golden = JSON.parse(gunzipSync(readFileSync(GOLDEN)).toString()) as Golden;

const trace = (...ops: readonly string[]): string =>
  `{"schema":"vramlab-trace","version":1,"name":"x","meta":{},"ops":[${ops.join(',')}]}`;

/** One line on stderr that holds the words, nothing on stdout, exit 2. */
function expectRefusal({ code, stdout, stderr }: Finished, words: string | RegExp): void {
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(words);
  expect(stdout).toBe('');
  expect(code).toBe(2);
}

test('replays a golden file under its own settings: every event is what the real allocator did', async ({
  workplace,
}) => {
  const { code, stdout } = await workplace.run('replay', GOLDEN, '--events', '-');
  expect(code).toBe(0);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events).toHaveLength(golden.ops.length);
  const { expected } = golden;
  for (const column of ['allocated', 'reserved', 'active', 'requested', 'segments']) {
    expect(events.map((event) => event[column])).toEqual(expected[column]);
  }
  expect(events.map(({ addr }) => addr ?? -1)).toEqual(expected['addr']?.map((addr) => (addr === -2 ? -1 : addr)));
  const errors = events.flatMap(({ op, error }) => (error === undefined ? [] : [[String(op), error]]));
  expect(Object.fromEntries(errors)).toEqual(golden.errors);
});

test('prints the memory_summary of the real program, and the statistics as JSON', async ({ workplace }) => {
  const summary = await workplace.run('replay', GOLDEN, '--summary');
  expect(summary.stdout.trimEnd()).toBe(golden.final.memory_summary.trimEnd());
  const json = await workplace.run('replay', GOLDEN, '--json');
  const result = JSON.parse(json.stdout) as Record<string, unknown>;
  expect(result).toMatchObject({ schema: 'vramlab-replay', outcome: 'out-of-memory', oom_count: 224 });
  expect(result['stats']).toEqual(golden.final.stats);
});

test('tells one story of a failure, with its arithmetic', async ({ workplace }) => {
  const { code, stdout } = await workplace.run('replay', GOLDEN);
  expect(code).toBe(0);
  expect(stdout).toContain('not reserved  4.0 MiB, 14.0 MiB too few for a new segment of 18.0 MiB');
  expect(stdout).toContain('One free would have been enough');
});

test('compares all allocators in one table', async ({ workplace }) => {
  const { code, stdout } = await workplace.run('replay', GOLDEN, '--allocator', 'all');
  expect(code).toBe(0);
  for (const name of ['caching', 'bfc', 'arena', 'buddy', 'direct', 'stream-ordered']) expect(stdout).toContain(name);
});

test('writes a trace that it replays, the same bytes for the same seed', async ({ workplace }) => {
  const set = ['--set', 'ops=500', '--set', 'seed=7'];
  const first = await workplace.run('trace', 'churn', ...set, '--out', 'a.trace.json.gz');
  expect(first).toMatchObject({ code: 0, stdout: '' });
  const second = await workplace.run('trace', 'churn', ...set);
  expect(gunzipSync(readFileSync(join(workplace.folder, 'a.trace.json.gz'))).toString()).toBe(second.stdout);
  expect(await workplace.run('replay', 'a.trace.json.gz', '--capacity', '8GiB')).toMatchObject({ code: 0 });
  const list = await workplace.run('trace', '--list');
  expect(list.stdout).toContain('case13b');
});

const BROKEN: readonly (readonly [string, string, RegExp])[] = [
  ['a double free', trace('["a",1,512,0]', '["f",1]', '["f",1]'), /bad\.json: operation 2: tensor 1 is freed.*before/],
  ['an unknown id', trace('["a",1,512,0]', '["f",2]'), /bad\.json: operation 1: tensor 2 .*never allocated/],
  ['a negative size', trace('["a",1,-5,0]'), /bad\.json: operation 0: size -5/],
  ['a size that is no number', trace('["a",1,NaN,0]'), /bad\.json: operation 0: /],
  ['a size over 2^53', trace('["a",1,9007199254740994,0]'), /bad\.json: operation 0: size 9007199254740994/],
  ['an unknown operation', trace('["q",1]'), /bad\.json: operation 0: .* is no operation/],
  ['a file cut off', trace('["a",1,512,0]', '["f",1]').slice(0, -8), /bad\.json: operation 1: .*cut off/],
  ['a newer version', trace().replace('"version":1', '"version":2'), /bad\.json: .*newer/],
  ['another file', '{"schema":"vramlab-report","version":1,"ops":[]}', /bad\.json: this is a "vramlab-report" file/],
  ['gzip under another name', gzipSync(trace()).toString('latin1'), /bad\.json: named \.json, but it is gzip/],
];

for (const [what, content, words] of BROKEN) {
  test(`refuses ${what} in one line and writes nothing`, async ({ workplace }) => {
    writeFileSync(join(workplace.folder, 'bad.json'), content, 'latin1');
    const outputs = ['--events', 'events.jsonl', '--snapshot', 'snapshot.pickle'];
    expectRefusal(await workplace.run('replay', 'bad.json', '--capacity', '1GiB', ...outputs), words);
    expect(readdirSync(workplace.folder)).toEqual(['bad.json']);
  });
}

const OPTIONS: readonly (readonly [readonly string[], RegExp])[] = [
  [['--capacity', '0'], /--capacity: "0".*at least 1 byte/],
  [['--fraction', '1.1'], /--fraction: "1\.1" is not a number from 0 to 1/],
  [['--fraction', 'NaN'], /--fraction/],
  [['--allocator', 'slab'], /--allocator.*'slab' is invalid/],
  [['--conf', 'max_split_size_mb:20'], /--conf .*max_split_size_mb too small, must be > 20/],
  [['--allocator', 'bfc', '--conf', 'x=1'], /--conf: "x=1" is no setting of bfc/],
  [['--events', '-', '--json'], /--events -: --json goes to stdout too/],
  [['--snapshot', '.'], /--snapshot: \. is a directory/],
];

for (const [options, words] of OPTIONS) {
  test(`refuses ${options.join(' ')} in one line`, async ({ workplace }) => {
    expectRefusal(await workplace.run('replay', GOLDEN, ...options), words);
    expect(readdirSync(workplace.folder)).toEqual([]);
  });
}

test('golden counts a file a line; a damaged one fails alone, what is no golden file is said', async ({
  workplace,
}) => {
  const folder = join(workplace.folder, 'golden');
  mkdirSync(folder);
  copyFileSync(GOLDEN, join(folder, 'good.json.gz'));
  copyFileSync(resolve('test-data/pytorch/config_validation.json'), join(folder, 'config.json'));
  writeFileSync(join(folder, 'README.md'), 'words');
  const whole = await workplace.run('golden', 'golden');
  expect(whole.stdout.trimEnd().split('\n').at(-1)).toBe('2 passed, 0 failed');
  expect(whole.stderr).toMatch(/README\.md: passed over/);
  expect(whole.code).toBe(0);

  writeFileSync(join(folder, 'cut.json.gz'), readFileSync(GOLDEN).subarray(0, 9000));
  const wrong = { ...golden, expected: { ...golden.expected, reserved: golden.expected['reserved']?.map(() => 1) } };
  writeFileSync(join(folder, 'wrong.json'), JSON.stringify(wrong));
  const damaged = await workplace.run('golden', 'golden');
  expect(damaged.stdout).toMatch(/FAILED +cut\.json\.gz: the gzip data are damaged or cut off/);
  expect(damaged.stdout).toMatch(
    /FAILED +wrong\.json: .* compared, \d+ different\n +wrong\.json: operation 0 .*reserved: model/,
  );
  expect(damaged.stdout.trimEnd().split('\n').at(-1)).toBe('2 passed, 2 failed');
  expect(damaged.code).toBe(1);
});

test('golden refuses a folder without golden files, and one that is not there', async ({ workplace }) => {
  mkdirSync(join(workplace.folder, 'empty'));
  expectRefusal(await workplace.run('golden', 'empty'), /empty: there are no golden files in it/);
  expectRefusal(await workplace.run('golden', 'none'), /cannot read none: there is no such file or directory/);
});
