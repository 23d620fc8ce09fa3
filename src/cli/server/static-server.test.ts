import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.js';
import { type StaticServer, fileFor, serveFolder } from './static-server.js';

const parent = mkdtempSync(join(tmpdir(), 'vramlab-test-'));
const folder = join(parent, 'web');
let server: StaticServer;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'main.js'), 'export {};');
  writeFileSync(join(folder, 'with space.json'), '{}');
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  writeFileSync(join(parent, 'web-neighbour.txt'), 'secret');
  server = await serveFolder(folder, 0);
});
afterAll(async () => {
  await server.close();
  rmSync(parent, { recursive: true });
});

describe('serveFolder', () => {
  it('serves files with their types, cross-origin isolated', async () => {
    const types = { '': 'text/html', 'assets/main.js': 'text/javascript', 'with%20space.json': 'application/json' };
    for (const [path, type] of Object.entries(types)) {
      const response = await fetch(server.url + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain(type);
      expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(response.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    }
  });

  it('answers 404 for what is not there and 405 for what is no reading', async () => {
    expect((await fetch(`${server.url}nothing.js`)).status).toBe(404);
    expect((await fetch(`${server.url}assets/`)).status).toBe(404);
    expect((await fetch(server.url, { method: 'POST' })).status).toBe(405);
    const head = await fetch(server.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '15', '']);
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/../web-neighbour.txt',
    '/assets/../../secret.txt',
  ])('never leaves its folder: %s', (path) => {
    expect(fileFor(folder, path)).toBeUndefined();
  });

  it('finds nothing for malformed paths', () => {
    for (const path of ['/%', '/%00', '/index.html%00.js']) expect(fileFor(folder, path)).toBeUndefined();
    expect(fileFor(folder, '/?query#fragment')).toBe(join(folder, 'index.html'));
  });

  it('says in one line that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const refused = await serveFolder(folder, port).catch((error: unknown) => error);
    other.close();
    expect(refused).toBeInstanceOf(AppError);
    expect(String(refused)).toContain(`port ${port} is taken`);
  });

  it('refuses a folder without a built site', async () => {
    await expect(serveFolder(join(folder, 'assets'), 0)).rejects.toThrow('npm run build');
  });
});
