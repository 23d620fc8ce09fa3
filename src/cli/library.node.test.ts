import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The example of docs/LIBRARY.md, as it stands there. */
const example = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/LIBRARY.md', 'utf8'))?.[1] ?? '';
const isBuilt = existsSync('dist/.built');

describe.skipIf(!isBuilt)('the built library, from another folder (skipped unless built)', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vramlab-library-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(resolve('.'), join(folder, 'node_modules/vramlab'), 'dir');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs the example of its documentation', () => {
    writeFileSync(join(folder, 'example.mjs'), example);
    const output = execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(output).toMatch(/^completed 943718400\n/);
    expect(output).toContain('PyTorch CUDA memory summary, device ID 0');
    expect(output).toContain('CUDA out of memory. Tried to allocate 1024.00 MiB.');
  });

  it('replays the object of a trace file and offers BFC', () => {
    writeFileSync(
      join(folder, 'bfc.mjs'),
      `import { BfcAllocator, replay } from 'vramlab/model';
       const ops = [['a', 1, 1000, 0], ['a', 2, 5000, 0], ['f', 1]];
       const allocator = new BfcAllocator({ memoryLimit: 4096 });
       const { outcome } = replay({ schema: 'vramlab-trace', version: 1, name: 't', ops, meta: {} }, allocator);
       console.log(outcome.status, outcome.operation, allocator.stats().bytes_in_use);`,
    );
    const output = execFileSync(process.execPath, ['bfc.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(output).toBe('out-of-memory 1 0\n');
  });

  it('names no module outside itself', () => {
    const code = readFileSync('dist/model/public.js', 'utf8');
    expect(code).not.toMatch(/\bfrom\s*["'](?!\.)/);
    expect(existsSync('dist/types/model/public.d.ts')).toBe(true);
  });
});
