import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { type Finished, test } from './support/program.js';

/** One line on stderr that holds the words, nothing on stdout, the exit code. */
function expectRefusal({ code, stdout, stderr }: Finished, exitCode: number, words: string | RegExp): void {
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stdout).toBe('');
  expect(code).toBe(exitCode);
}

const USAGE: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no command', [], /no command/],
  ['an unknown command', ['bnech'], /unknown command 'bnech' \(Did you mean bench\?\)/],
  ['an unknown option', ['bench', '--pre-set', 'quick'], /unknown option '--pre-set'/],
  ['an option without its value', ['bench', '--out'], /argument missing/],
  ['a stray argument', ['bench', 'quick'], /too many arguments/],
  ['an unknown suite', ['bench', '--suite', 'tiers,teirs'], /no suite "teirs"; choose from tiers/],
  ['an unknown suite beside all', ['bench', '--suite', 'all,teirs'], /no suite "teirs"/],
  ['an empty suite', ['bench', '--suite', ''], /no suite ""/],
  ['an unknown preset', ['bench', '--preset', 'fast'], /quick, standard, full/],
  ['an unknown adapter class', ['bench', '--adapter', 'gpu'], /any, hardware, software/],
  ['a bad expression', ['bench', '--filter', '('], /--filter.*Unterminated group/],
  ['a bad size', ['bench', '--budget', '1XiB'], /--budget.*"1XiB" is not a usable size/],
  ['no size', ['bench', '--budget', '0'], /--budget.*at least 1 byte/],
  ['a budget that holds nothing', ['bench', '--budget', '1KiB'], /--budget: 1 KiB is too small/],
  ['a bad seed', ['bench', '--seed', '-1'], /--seed/],
  ['a seed past 32 bits', ['bench', '--seed', '4294967296'], /--seed/],
  ['no time', ['bench', '--timeout', '0'], /--timeout/],
  ['a bad time', ['bench', '--timeout', 'soon'], /--timeout/],
  ['a file in no directory', ['bench', '--out', 'none/run.json'], /--out: there is no directory/],
  ['a directory as file', ['bench', '--out', '.'], /--out: \. is a directory/],
  ['a file that cannot be written', ['bench', '--junit', 'none/run.xml'], /--junit: there is no directory/],
  ['two results on one stdout', ['bench', '--out', '-', '--md', '-'], /only one of/],
  ['two results in one file', ['bench', '--out', 'run', '--md', './run'], /--out and --md are the same file/],
  ['a bad port', ['serve', '--port', '65536'], /--port/],
];

for (const [what, args, words] of USAGE) {
  test(`refuses ${what} in one line`, async ({ workplace }) => {
    expectRefusal(await workplace.run(...args), 2, words);
    expect(readdirSync(workplace.folder)).toEqual([]);
  });
}

test('refuses a filter that matches no row, and writes nothing', async ({ workplace }) => {
  expectRefusal(await workplace.run('bench', '--filter', '^nothing$', '--out', 'run.json'), 2, /no row of .* matches/);
  expect(readdirSync(workplace.folder)).toEqual([]);
});

test('says what is missing where there is no browser', async ({ workplace }) => {
  expectRefusal(
    await workplace.run('bench', '--browser', '/none/chrome'),
    3,
    /there is no browser "\/none\/chrome"; install/,
  );
  expectRefusal(await workplace.run('bench', '--browser', 'netscape'), 3, /there is no browser "netscape"/);
});

test('says why a program cannot be used as browser', async ({ workplace }) => {
  test.skip(process.platform === 'win32', 'uses a shell script');
  const fake = join(workplace.folder, 'browser');
  writeFileSync(fake, '#!/bin/sh\necho "libnss3.so is missing" >&2\nexit 127\n', { mode: 0o755 });
  expectRefusal(await workplace.run('bench', '--browser', fake), 3, /exit code 127: libnss3\.so is missing/);
  expect(readdirSync(workplace.temporary)).toEqual([]);
});

test('says what was found and what is missing where hardware is asked for and there is none', async ({ workplace }) => {
  const found = await workplace.run(
    'bench',
    '--adapter',
    'hardware',
    '--suite',
    'tiers',
    '--preset',
    'quick',
    '--quiet',
    '--filter',
    'copy-buffer',
  );
  test.skip(found.code === 0, 'this machine has a hardware adapter');
  expectRefusal(found, 3, /--adapter hardware: the browser gives .*started with --.*(missing here|driver)/);
});

test('writes help and version to stdout', async ({ workplace }) => {
  const help = await workplace.run('bench', '--help');
  expect([help.code, help.stderr]).toEqual([0, '']);
  for (const option of ['suite', 'preset', 'filter', 'out', 'md', 'csv', 'junit', 'browser', 'adapter', 'headed']) {
    expect(help.stdout).toContain(`--${option}`);
  }
  expect((await workplace.run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.describe('a report that cannot be read', () => {
  const REFUSED: readonly (readonly [string, string, RegExp])[] = [
    ['empty', '', /run\.json: the file is empty/],
    ['cut', '{"schema":"vramlab-report","version":1,"tool":{"name":"vram', /run\.json: the file is cut/],
    ['not JSON', 'id,suite\n', /run\.json: not JSON/],
    ['of a newer version', '{"schema":"vramlab-report","version":2}', /version 2 is newer than this program/],
    ['of another schema', '{"schema":"vramlab-trace","version":1}', /its schema is "vramlab-trace"/],
    ['incomplete in itself', '{"schema":"vramlab-report","version":1}', /not a valid vramlab-report/],
  ];
  for (const [what, content, words] of REFUSED) {
    test(`is refused by name: ${what}`, async ({ workplace }) => {
      writeFileSync(join(workplace.folder, 'run.json'), content);
      expectRefusal(await workplace.run('report', 'run.json'), 2, words);
    });
  }

  test('is refused by name: missing, or a directory', async ({ workplace }) => {
    mkdirSync(join(workplace.folder, 'folder'));
    expectRefusal(await workplace.run('report', 'none.json'), 2, /cannot read none\.json: there is no such file/);
    expectRefusal(await workplace.run('report', 'folder'), 2, /cannot read folder: that is a directory/);
  });
});

test('does not write over the report that it reads', async ({ workplace }) => {
  const path = join(workplace.folder, 'run.json');
  writeFileSync(path, 'kept');
  expectRefusal(await workplace.run('report', 'run.json', '--md', './run.json'), 2, /are the same file/);
  expect(readFileSync(path, 'utf8')).toBe('kept');
});

test('leaves an old report alone when it refuses a run', async ({ workplace }) => {
  const path = join(workplace.folder, 'run.json');
  writeFileSync(path, 'old');
  await workplace.run('bench', '--out', 'run.json', '--browser', '/none/chrome');
  expect(readFileSync(path, 'utf8')).toBe('old');
});
