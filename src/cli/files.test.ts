import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkDistinct, checkWritable, readInput, writeAtomically } from './files.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vramlab-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('files', () => {
  it('writes a file whole, over an old one too, and leaves nothing beside it', async () => {
    const path = join(folder, 'run.json');
    await writeAtomically(path, 'first');
    await writeAtomically(path, 'second');
    expect(readFileSync(path, 'utf8')).toBe('second');
    expect(readdirSync(folder)).toEqual(['run.json']);
  });

  it('leaves nothing behind when it cannot write', async () => {
    mkdirSync(join(folder, 'taken'));
    writeFileSync(join(folder, 'file'), '');
    await expect(writeAtomically(join(folder, 'none', 'run.json'), 'x')).rejects.toThrow('there is no such');
    await expect(writeAtomically(join(folder, 'taken'), 'x')).rejects.toThrow('directory');
    expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
  });

  it('tells beforehand whether a file can be written, without creating it', () => {
    checkWritable(join(folder, 'run.json'), '--out');
    checkWritable(join(folder, 'run.json'), '--out', 100_000);
    checkWritable('-', '--out');
    checkWritable('/dev/null', '--out');
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, 'file'), '');
    checkWritable(join(folder, 'file'), '--out');
    expect(() => checkWritable(folder, '--out')).toThrow(`--out: ${folder} is a directory`);
    expect(() => checkWritable(join(folder, 'none', 'run.json'), '--out')).toThrow('there is no directory');
    expect(() => checkWritable(join(folder, 'file', 'run.json'), '--out')).toThrow('is not a directory');
    if (process.platform === 'linux')
      expect(() => checkWritable('/proc/run.json', '--out')).toThrow('cannot write /proc/run.json');
    expect(() => checkWritable('', '--out')).toThrow('--out');
  });

  it('knows one file under two names', () => {
    const path = join(folder, 'run.json');
    const md = (other: string | undefined) => () => {
      checkDistinct([
        ['--out', path],
        ['--md', other],
      ]);
    };
    expect(md(join(folder, 'none', '..', 'run.json'))).toThrow('--out and --md are the same file');
    expect(md(join(folder, 'run.md'))).not.toThrow();
    expect(md(undefined)).not.toThrow();
    writeFileSync(path, '');
    symlinkSync(path, join(folder, 'link'));
    expect(md(join(folder, 'link'))).toThrow('are the same file');
    checkDistinct([
      ['--out', '/dev/null'],
      ['--md', '/dev/null'],
    ]);
  });

  it('names a file that cannot be read', async () => {
    await expect(readInput(join(folder, 'none'))).rejects.toThrow(
      `cannot read ${join(folder, 'none')}: there is no such file`,
    );
    await expect(readInput(folder)).rejects.toThrow('that is a directory');
  });
});
