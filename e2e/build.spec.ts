import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { expect } from 'playwright/test';
import { test } from './support/program.js';

/** Node's own parser: it knows no decorators, so one that the build left in is a syntax error. */
const parses = (file: string): boolean => spawnSync(process.execPath, ['--check', file]).status === 0;

test('no decorator reaches what is shipped', ({ workplace }) => {
  const control = join(workplace.folder, 'control.mjs');
  writeFileSync(control, '@element class Control {}\n');
  expect(parses(control)).toBe(false);

  const built = ['dist/web/assets', 'dist/cli'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .map((name) => resolve(folder, name)),
  );
  expect(built.length).toBeGreaterThan(2);
  expect(built.filter((file) => !parses(file))).toEqual([]);
});

test('the program runs by its name, as npx starts it', () => {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: { vramlab: string } };
  test.skip(process.platform === 'win32', 'npm makes a command file of its own there');
  const help = spawnSync(resolve(bin.vramlab), ['--help'], { encoding: 'utf8' });
  expect([help.status, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toContain('Usage: vramlab');
});
