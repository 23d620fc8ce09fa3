import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPTS = [
  'scripts/start.mjs',
  'scripts/process.mjs',
  'scripts/fingerprint.mjs',
  'src/cli/browser/find-browser.mjs',
];
/** Stands for the program: says where it runs and with what. */
const PROGRAM = `console.log(JSON.stringify({ cwd: process.cwd(), args: process.argv.slice(2) }));`;
/** Stands for the build: as the real one, it leaves its mark last. */
const BUILD = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { sourceFingerprint } from './fingerprint.mjs';
mkdirSync('dist/cli', { recursive: true });
mkdirSync('dist/web', { recursive: true });
writeFileSync('dist/cli/vramlab.js', ${JSON.stringify(PROGRAM)});
writeFileSync('dist/web/index.html', '');
writeFileSync('dist/.built', sourceFingerprint());
`;
/** Stands for npm: notes that it was called and installs what the lock says. */
const NPM = `#!${process.execPath}
const { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
rmSync('node_modules', { recursive: true, force: true });
mkdirSync('node_modules/one', { recursive: true });
writeFileSync('node_modules/one/package.json', '{}');
cpSync('installed.json', 'node_modules/.package-lock.json');
`;
const lock = (version: string, root: object = {}) =>
  JSON.stringify({ packages: { ...root, 'node_modules/one': { version } } });

let root = '';
const put = (name: string, text: string): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vramlab-start-'));
  for (const script of SCRIPTS) cpSync(script, join(root, script));
  put('package.json', '{"type":"module"}');
  put('package-lock.json', lock('1.0.0', { '': {} }));
  put('installed.json', lock('1.0.0'));
  put('scripts/build.mjs', BUILD);
  put('bin/npm', NPM);
  put('bin/package.json', '{"type":"commonjs"}');
  chmodSync(join(root, 'bin/npm'), 0o755);
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function start(folder = root) {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'INIT_CWD'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/start.mjs'), 'run', 'x', '--y'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment, PATH: join(root, 'bin') + delimiter + (process.env['PATH'] ?? '') },
  });
  return { status, stdout, stderr };
}
const npmCalls = (): number =>
  existsSync(join(root, 'npm-calls')) ? readFileSync(join(root, 'npm-calls'), 'utf8').trim().split('\n').length : 0;

describe.skipIf(process.platform === 'win32')(
  'start.mjs (not on Windows: npm is stood in for by a script with a shebang)',
  () => {
    it('installs and builds on a fresh clone, and does neither again', () => {
      const first = start();
      expect(first.stderr).toMatch(/packages are not installed: npm ci\n.*not built yet: building/);
      expect(JSON.parse(first.stdout)).toEqual({ cwd: root, args: ['x', '--y'] });
      const second = start();
      expect([second.status, second.stderr]).toEqual([0, '']);
      expect(npmCalls()).toBe(1);
    });

    it('runs where the person stands, in a folder below too', () => {
      mkdirSync(join(root, 'docs/deep'), { recursive: true });
      const { stdout } = start(join(root, 'docs/deep'));
      expect(JSON.parse(stdout)).toMatchObject({ cwd: join(root, 'docs/deep') });
      expect(existsSync(join(root, 'dist/.built'))).toBe(true);
    });

    it.each([
      ['a record of other versions', () => put('node_modules/.package-lock.json', lock('0.9.0')), 'do not match'],
      ['a record that was cut off', () => put('node_modules/.package-lock.json', '{"packages":'), 'damaged'],
      ['a record of nothing', () => put('node_modules/.package-lock.json', '{}'), 'damaged'],
      ['a package that is gone', () => rmSync(join(root, 'node_modules/one'), { recursive: true }), 'damaged'],
      ['no record', () => rmSync(join(root, 'node_modules/.package-lock.json')), 'not installed'],
      ['no packages', () => rmSync(join(root, 'node_modules'), { recursive: true }), 'not installed'],
    ])('installs again after %s', (_what, damage, words) => {
      start();
      damage();
      const { status, stderr, stdout } = start();
      expect(stderr).toContain(words);
      expect([status, npmCalls()]).toEqual([0, 2]);
      expect(JSON.parse(stdout)).toMatchObject({ args: ['x', '--y'] });
    });

    it.each([
      ['a source has changed', () => put('src/new.ts', 'new')],
      ['part of the build is gone', () => rmSync(join(root, 'dist/cli'), { recursive: true })],
      ['the build was cut off before its mark', () => rmSync(join(root, 'dist/.built'))],
    ])('builds again when %s', (_what, change) => {
      start();
      change();
      const { status, stderr, stdout } = start();
      expect(stderr).toContain('building');
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ args: ['x', '--y'] });
    });

    it('says in one line that the lock file is damaged', () => {
      start();
      put('package-lock.json', '<<<<<<< HEAD');
      const { status, stderr } = start();
      expect(status).toBe(4);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stderr).toContain('package-lock.json cannot be read');
    });
  },
);
