/** `vramlab plan`: the JSON of DESIGN section 5, the files it writes, and what it refuses. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'playwright/test';
import { test } from './support/program.js';

interface PlanFile {
  readonly schema: string;
  readonly version: number;
  readonly terms: {
    readonly id: string;
    readonly bytes: number | null;
    readonly reason?: string;
    readonly formula: string;
    readonly source: string;
  }[];
  readonly total_bytes: number;
  readonly fits?: boolean | null;
  readonly largest_batch?: number;
  readonly changes?: { readonly fits: boolean }[];
  readonly replay?: {
    readonly outcome: string;
    readonly peak_allocated: number;
    readonly peak_reserved: number;
    readonly not_at_peak_bytes: number;
    readonly rounding_bytes: number;
    readonly unexplained_bytes: number;
  };
}

const STEP = ['--arch', 'gpt2', '--batch', '2', '--seq', '256'];

test('a count alone: 14 + 14 + 56 GB, and what is not known with a reason', async ({ workplace }) => {
  const { code, stdout, stderr } = await workplace.run('plan', '--params', '7e9', '--json');
  const plan = JSON.parse(stdout) as PlanFile;
  expect([code, stderr, plan.schema, plan.version, plan.total_bytes]).toEqual([0, '', 'vramlab-plan', 1, 84e9]);
  const bytes = Object.fromEntries(plan.terms.map((term) => [term.id, term.bytes]));
  expect(bytes).toMatchObject({ parameters: 14e9, gradients: 14e9, optimizer: 56e9, activations: null, context: null });
  for (const term of plan.terms.filter((each) => each.bytes === null)) expect(term.reason).toMatch(/give --/);
});

test('a step: formulas and replay agree to the byte, in JSON, text and CSV', async ({ workplace }) => {
  const { stdout } = await workplace.run(
    'plan',
    ...STEP,
    '--json',
    '--csv',
    'plan.csv',
    '--trace',
    'step.trace.json.gz',
  );
  const { terms, replay, total_bytes } = JSON.parse(stdout) as PlanFile;
  expect(replay?.outcome).toBe('completed');
  expect(replay?.unexplained_bytes).toBe(0);
  expect(total_bytes - (replay?.not_at_peak_bytes ?? 0) + (replay?.rounding_bytes ?? 0)).toBe(replay?.peak_allocated);
  const lines = readFileSync(join(workplace.folder, 'plan.csv'), 'utf8').trimEnd().split('\r\n');
  expect(lines).toHaveLength(terms.length + 2);
  const text = await workplace.run('plan', ...STEP);
  expect(text.stdout).toContain('2 * P = 2 * 124,439,808');
  // The step that was written is the step that was replayed.
  const again = await workplace.run('replay', 'step.trace.json.gz', '--capacity', '900GiB', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    peak_allocated: replay?.peak_allocated,
    peak_reserved: replay?.peak_reserved,
  });
});

test('a card: an out of memory is a result, with the largest batch and what would fit', async ({ workplace }) => {
  const args = ['plan', '--arch', 'gpt2', '--batch', '64', '--seq', '256', '--capacity', '4GiB', '--json'];
  const { code, stdout } = await workplace.run(...args);
  const plan = JSON.parse(stdout) as PlanFile;
  expect([code, plan.fits, plan.replay?.outcome]).toEqual([0, false, 'out-of-memory']);
  expect(plan.largest_batch).toBeGreaterThan(0);
  expect(plan.largest_batch).toBeLessThan(64);
  expect(plan.changes?.[0]?.fits).toBe(true);
});

test('a config.json, and an estimator of another tool', async ({ workplace }) => {
  const config = { model_type: 'gpt2', n_embd: 768, n_head: 12, n_layer: 12, n_positions: 1024, vocab_size: 50_257 };
  writeFileSync(join(workplace.folder, 'config.json'), JSON.stringify(config));
  const { stdout } = await workplace.run('plan', '--config', 'config.json', '--json');
  expect((JSON.parse(stdout) as PlanFile).terms[0]?.bytes).toBe(2 * 124_439_808);
  const { stdout: rows } = await workplace.run(
    ...['plan', '--arch', 't5-3b', '--estimator', 'deepspeed-zero3', '--gpus-per-node', '8'],
  );
  expect(rows).toContain('71.71GB |   0.12GB | offload_param=cpu, offload_optimizer=cpu, zero_init=1');
});

test('a config.json may be gzip', async ({ workplace }) => {
  const config = { model_type: 'gpt2', n_embd: 768, n_head: 12, n_layer: 12, n_positions: 1024, vocab_size: 50_257 };
  writeFileSync(join(workplace.folder, 'config.json.gz'), gzipSync(JSON.stringify(config)));
  const { code, stdout } = await workplace.run('plan', '--config', 'config.json.gz');
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'gpt2: 124,439,808 parameters, train, fp16']);
});

test('a job far beyond a card still says what would fit', async ({ workplace }) => {
  const { stdout } = await workplace.run(
    'plan',
    '--arch',
    'gpt2',
    '--batch',
    '8192',
    '--seq',
    '256',
    '--capacity',
    '8GiB',
  );
  expect(stdout).toContain('replays go up to 900 GiB');
  expect(stdout).toMatch(/--batch 32 --accumulate 256 +fits/);
});

const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no model', [], /no model was named/],
  ['two models', ['--params', '7e9', '--arch', 'gpt2'], /only one of/],
  ['a negative count', ['--params', '-7e9'], /--params: "-7e9" is not usable/],
  ['an absurd count', ['--params', '1e16'], /--params: "1e16" is not usable/],
  ['a count past all', ['--params', '2e15'], /1 to 1e15/],
  ['an unknown architecture', ['--arch', 'llama2-7b'], /did you mean llama-2-7b/],
  ['a batch of none', [...STEP.slice(0, 2), '--batch', '0', '--seq', '8'], /--batch: 0 is not usable/],
  ['an absurd sequence', [...STEP.slice(0, 4), '--seq', '1e12'], /--seq/],
  ['a degree that does not divide', [...STEP, '--tp', '5'], /--tp: 5 does not divide 12 heads/],
  ['stages that do not divide', [...STEP, '--pp', '7'], /--pp: 7 does not divide 12 layers/],
  ['a card without a unit', ['--params', '7e9', '--capacity', '80'], /--capacity: "80" is 80 bytes/],
  ['an unknown stage', ['--params', '7e9', '--zero', '4'], /--zero/],
  ['a missing file', ['--config', 'none.json'], /cannot read none\.json/],
  ['an unusable setting', [...STEP, '--conf', 'split:1'], /--conf "split:1": /],
  ['a trace of nothing', ['--params', '7e9', '--trace', 'x.json'], /--trace: the step is not known/],
  ['two results on one stdout', [...STEP, '--json', '--csv', '-'], /--json goes to stdout too/],
];

for (const [what, args, words] of REFUSED) {
  test(`refuses ${what} in one line`, async ({ workplace }) => {
    const { code, stdout, stderr } = await workplace.run('plan', ...args);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(readdirSync(workplace.folder)).toEqual([]);
  });
}
