import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { GZIPPED_ZEROS, PNG } from './support/bytes.js';
import { test, type Workplace } from './support/program.js';

/** A snapshot that the program writes itself: a transformer's training steps. */
async function snapshot(workplace: Workplace, name: string, ...settings: readonly string[]): Promise<string> {
  const trace = `${name}.trace.json`;
  const set = settings.flatMap((setting) => ['--set', setting]);
  expect((await workplace.run('trace', 'kv-cache', ...set, '--out', trace)).code).toBe(0);
  const file = `${name}.pickle`;
  expect((await workplace.run('replay', trace, '--capacity', '8GiB', '--snapshot', file)).code).toBe(0);
  return file;
}

test('explains a snapshot: its state, and that the model repeats its trace', async ({ workplace }) => {
  const file = await snapshot(workplace, 'run');
  const { code, stdout, stderr } = await workplace.run('explain', file, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const diagnosis = JSON.parse(stdout) as {
    readonly kind: string;
    readonly state: Record<string, number>;
    readonly fidelity: readonly Record<string, number>[];
  };
  expect(diagnosis.kind).toBe('snapshot');
  expect(diagnosis.state['reserved_bytes']).toBeGreaterThan(0);
  const [fidelity = {}] = diagnosis.fidelity;
  expect(fidelity['alloc']).toBeGreaterThan(0);
  expect(fidelity['addr_match']).toBe(fidelity['alloc']);
  expect(fidelity['segsize_match']).toBe(fidelity['segment_alloc']);
  expect(fidelity['final_reserved_model']).toBe(fidelity['final_reserved_snap']);
});

test('compares two snapshots, and writes one page that needs nothing else', async ({ workplace }) => {
  const files = [await snapshot(workplace, 'a'), await snapshot(workplace, 'b', 'rounds=2')];
  const { code, stdout } = await workplace.run('explain', ...files, '--html', 'report.html');
  expect(code).toBe(0);
  expect(stdout).toContain('Live bytes by place in the code');
  const page = await workplace.run('explain', ...files, '--html', '-');
  expect(page.stdout).toMatch(/^<!doctype html>/);
  expect(page.stdout).toContain('<h2>Compared</h2>');
  expect(page.stdout).not.toMatch(/<script|<link|src=|https?:\/\//);
});

test('asks a snapshot what if, beside the fresh start', async ({ workplace }) => {
  const file = await snapshot(workplace, 'run');
  const { code, stdout } = await workplace.run('whatif', file, '--capacity', '8GiB', '--json');
  expect(code).toBe(0);
  const answer = JSON.parse(stdout) as {
    readonly schema: string;
    readonly baseline: Record<string, unknown>;
    readonly rows: readonly Record<string, unknown>[];
  };
  expect(answer.schema).toBe('vramlab-whatif');
  expect(answer.baseline).toMatchObject({ setting: 'default', allocator: 'caching', fits: true, outcome: 'completed' });
  expect(answer.rows.length).toBeGreaterThanOrEqual(11);
  for (const row of answer.rows) {
    expect(Object.keys(row)).toEqual(
      expect.arrayContaining([
        'setting',
        'allocator',
        'peak_reserved',
        'peak_allocated',
        'fits',
        'outcome',
        'retries',
        'device_calls',
      ]),
    );
  }
});

test('asks a trace what was named, and says where it stops', async ({ workplace }) => {
  await workplace.run('trace', 'kv-cache', '--out', 'run.trace.json');
  const named = await workplace.run(
    'whatif',
    'run.trace.json',
    ...['--conf', 'expandable_segments:True', '--conf', 'max_split_size_mb:64', '--allocator', 'direct'],
    ...['--capacity', '64MiB', '--json'],
  );
  expect(named.code).toBe(0);
  const { rows } = JSON.parse(named.stdout) as { readonly rows: readonly Record<string, unknown>[] };
  expect(rows.map(({ setting, allocator }) => [setting, allocator])).toEqual([
    ['expandable_segments:True', 'caching'],
    ['max_split_size_mb:64', 'caching'],
    ['default', 'direct'],
  ]);
  expect(rows[0]).toMatchObject({ fits: false, outcome: 'out-of-memory' });
});

test('keeps the rows that are there when it is stopped, and says so', async ({ workplace }) => {
  await workplace.run('trace', 'churn-pytorch', '--set', 'ops=1000000', '--out', 'run.trace.json');
  const running = workplace.start('whatif', 'run.trace.json', '--smallest', '--json');
  await running.until('what-ifs');
  running.kill('SIGINT');
  const { code, stdout, stderr } = await running.finished;
  expect(code).toBe(130);
  expect(stderr).not.toContain('bug');
  const answer = JSON.parse(stdout) as {
    readonly complete: boolean;
    readonly missing: string[];
    readonly notes: string[];
  };
  expect(answer.complete).toBe(false);
  expect(answer.missing.length).toBeGreaterThan(0);
  expect(answer.notes[0]).toMatch(/^Incomplete: stopped after \d+ of \d+ changes/);
});

const HOSTILE: readonly (readonly [string, Uint8Array])[] = [
  ['an empty file', new Uint8Array(0)],
  ['a PNG', PNG],
  ['a CSV', new TextEncoder().encode('name,value\na,1\nb,2\n')],
  ['a gzip of zeros', GZIPPED_ZEROS],
  ['a pickle that is cut off', Uint8Array.from([0x80, 4, 0x7d, 0x94, 0x28, 0x8c, 8, 0x73])],
];

for (const [what, bytes] of HOSTILE) {
  for (const command of ['explain', 'whatif']) {
    test(`${command} refuses ${what} in one line`, async ({ workplace }) => {
      writeFileSync(join(workplace.folder, 'input'), bytes);
      const { code, stdout, stderr } = await workplace.run(command, 'input');
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stderr).toMatch(/^vramlab: input:? .*(?:not a snapshot|byte|offset)/);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    });
  }
}

test('refuses what nobody can try in one line', async ({ workplace }) => {
  await workplace.run('trace', 'kv-cache', '--out', 'run.trace.json');
  for (const [args, words] of [
    [['--conf', 'max_split_size_mb:1'], /--conf "max_split_size_mb:1": .*too small/],
    [['--allocator', 'none'], /--allocator: "none" is not known/],
    [['--capacity', '0'], /--capacity/],
  ] as const) {
    const { code, stdout, stderr } = await workplace.run('whatif', 'run.trace.json', ...args);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }
});
