/** A server such as GitHub Pages: static files under a path, without COOP and COEP, that a test can take off the network. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileFor } from '../../src/cli/server/static-server.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

export interface PlainSite {
  /** With a path of two steps and a slash at the end. */
  readonly url: string;
  /** A copy of the built site of its own: what a test changes in it is served from then on. */
  readonly folder: string;
  /** Stops answering: every connection is closed and new ones are refused. */
  cut(): Promise<void>;
  remove(): Promise<void>;
}

const PATH = '/some/where/';

/** Serves a copy of `dist/web` on a free port. */
export async function startPlainSite(): Promise<PlainSite> {
  const folder = mkdtempSync(join(tmpdir(), 'vramlab-plain-'));
  cpSync('dist/web', folder, { recursive: true });
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const file = path.startsWith(PATH) ? fileFor(folder, path.slice(PATH.length - 1)) : undefined;
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${address.port}${PATH}`,
    folder,
    cut,
    remove: async () => {
      await cut();
      rmSync(folder, { recursive: true });
    },
  };
}
