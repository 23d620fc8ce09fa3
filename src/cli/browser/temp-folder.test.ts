import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTempFolder } from './temp-folder.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vramlab-test-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

it('removes the folders of programs that are gone, and nothing else', () => {
  const gone = spawnSync(process.execPath, ['--version']).pid;
  const make = (name: string): string => {
    mkdirSync(join(root, name, 'profile'), { recursive: true });
    return join(root, name);
  };
  const stale = make(`vramlab${gone}-abc`);
  const kept = [make(`vramlab${process.pid}-abc`), make('vramlab-other'), make('somebody-else-1-x')];
  const made = makeTempFolder(root);
  expect(existsSync(stale)).toBe(false);
  expect(kept.every((folder) => existsSync(folder))).toBe(true);
  expect(existsSync(made)).toBe(true);
});
