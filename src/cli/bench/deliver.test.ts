import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver, exitCodeAfter } from './deliver.js';

let folder = '';
let said = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vramlab-test-'));
  mkdirSync(join(folder, 'shelter'));
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const WHOLE = { option: '--out', text: '{"all":1}' };
const at = (name: string): string => join(folder, name);
const out = (path: string) => ({ option: '--out', path, text: () => WHOLE.text });
const md = (path: string, text = () => '# all') => ({ option: '--md', path, text });
const kept = (): readonly string[] =>
  readdirSync(at('shelter')).map((name) => readFileSync(join(at('shelter'), name), 'utf8'));

/** Stands for stdout: takes a text, or answers with the error that the system has for it. */
function stdout(take: (text: string) => Error | undefined): void {
  const write = (text: unknown, done: unknown): boolean => {
    const error = take(String(text));
    if (typeof done === 'function') Reflect.apply(done, undefined, [error]);
    return error === undefined;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(write);
}

describe('deliver', () => {
  it('writes every output and says nothing when all is well', async () => {
    expect(await deliver([out(at('run.json')), md(at('run.md'))], WHOLE, [at('shelter')])).toBe(true);
    expect([readFileSync(at('run.json'), 'utf8'), readFileSync(at('run.md'), 'utf8')]).toEqual([
      '{"all":1}\n',
      '# all\n',
    ]);
    expect([said, kept()]).toEqual(['', []]);
  });

  it.each([
    ['a folder that is gone', 'gone/run.json', 'there is no such file or directory'],
    ['a place that became a directory', 'shelter', 'that is a directory'],
  ])('keeps the result elsewhere for %s, in one line, and still writes the other forms', async (_, name, why) => {
    expect(await deliver([out(at(name)), md(at('run.md'))], WHOLE, [at('none'), at('shelter')])).toBe(false);
    expect(kept()).toEqual(['{"all":1}\n']);
    expect(readFileSync(at('run.md'), 'utf8')).toBe('# all\n');
    expect(said).toMatch(/^vramlab: --out: cannot write .*; the whole result is kept in .*shelter.*\.json\n$/);
    expect(said).toContain(why);
  });

  it.runIf(process.platform === 'linux')('keeps the result elsewhere when the disk is full', async () => {
    expect(await deliver([out('/dev/full')], WHOLE, ['/dev/full', at('shelter')])).toBe(false);
    expect(kept()).toEqual(['{"all":1}\n']);
    expect(said).toContain('--out: cannot write /dev/full: the disk is full; the whole result is kept in');
  });

  it('names the report that is there when only another form fails', async () => {
    expect(await deliver([out(at('run.json')), md(at('gone/run.md'))], WHOLE, [at('shelter')])).toBe(false);
    expect(kept()).toEqual([]);
    expect(said).toContain(`the whole result is in ${at('run.json')}`);
  });

  it('keeps the result of a run that asked for another form only', async () => {
    expect(await deliver([md(at('gone/run.md'))], WHOLE, [at('shelter')])).toBe(false);
    expect(kept()).toEqual(['{"all":1}\n']);
  });

  it('keeps the result when a form cannot be made for a bug of ours, and lets the bug through', async () => {
    const broken = md(at('run.md'), () => {
      throw new Error('ours');
    });
    await expect(deliver([broken], WHOLE, [at('shelter')])).rejects.toThrow('ours');
    expect(kept()).toEqual(['{"all":1}\n']);
  });

  it('gives the result to stdout where no folder takes it, and says so', async () => {
    let shown = '';
    stdout((text) => {
      shown += text;
      return undefined;
    });
    writeFileSync(at('file'), '');
    expect(await deliver([out(at('gone/run.json'))], WHOLE, [at('none'), at('file')])).toBe(false);
    expect(shown).toBe('{"all":1}\n');
    expect(said).toContain('the whole result is on stdout');
  });

  it('keeps it out of a stdout that holds another form, and says that it is lost', async () => {
    stdout(() => undefined);
    expect(await deliver([out(at('gone/run.json')), md('-')], WHOLE, [at('none')])).toBe(false);
    expect(said).toContain('it could not be kept anywhere');
  });

  it.each(['EPIPE', 'ENOSPC'])('keeps the result when stdout breaks (%s)', async (code) => {
    stdout(() => Object.assign(new Error(code), { code }));
    expect(await deliver([out('-')], WHOLE, [at('shelter')])).toBe(false);
    expect(kept()).toEqual(['{"all":1}\n']);
  });
});

describe('exitCodeAfter', () => {
  it('is no success for a run that could not be given out, and leaves other codes alone', () => {
    expect([
      exitCodeAfter(0, true),
      exitCodeAfter(0, false),
      exitCodeAfter(130, false),
      exitCodeAfter(1, true),
    ]).toEqual([0, 2, 130, 1]);
  });
});
