/**
 * Serves a folder over HTTP on this machine only, cross-origin isolated (COOP and COEP), so that the page's
 * `performance.now()` steps 5 us instead of 100 (facts/webgpu.md). Used by `vramlab serve` and by every browser run.
 */
import { createReadStream, statSync } from 'node:fs';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { AppError, badInput, messageOf } from '../../base/errors.js';

const HOST = '127.0.0.1';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
};

const HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // Revalidate: a rebuilt lab must not be mixed with files of the one before.
  'Cache-Control': 'no-cache',
};

export interface StaticServer {
  /** With a slash at the end. */
  readonly url: string;
  /** Stops listening and drops open connections. */
  close(): Promise<void>;
}

/** Answers a request itself and says so, or leaves it to the files. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Starts the server. `port` 0 lets the system choose; `first` sees every request before the files do. Throws `AppError`: `bad-input` when the port cannot be had,
 * `unsupported` when the folder holds no built site.
 */
export async function serveFolder(folder: string, port: number, first?: RequestHandler): Promise<StaticServer> {
  if (!isFile(join(folder, 'index.html'))) {
    throw new AppError(
      { kind: 'unsupported', missing: 'build' },
      `there is no built site in ${folder}; run \`npm run build\``,
    );
  }
  const server = createServer((request, response) => {
    if (first?.(request, response) !== true) answer(folder, request, response);
  });
  await listen(server, port);
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${HOST}:${bound}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(portError(error, port));
    });
    server.listen(port, HOST, resolve);
  });
}

function portError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return badInput('--port', `--port: port ${port} is taken; give another one, or 0 for any free one`);
  }
  if (error.code === 'EACCES') {
    return badInput('--port', `--port: no permission to listen on port ${port}; use one from 1024 up`);
  }
  return new Error(`cannot listen on port ${port}: ${messageOf(error)}`);
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuse(response, 405, 'Only GET and HEAD are served.', { Allow: 'GET, HEAD' });
    return;
  }
  const file = fileFor(folder, request.url ?? '/');
  if (file === undefined) {
    refuse(response, 404, 'There is no such file.');
    return;
  }
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': CONTENT_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': statSync(file).size,
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(file)
    .on('error', () => {
      response.destroy();
    })
    .pipe(response);
}

function refuse(response: ServerResponse, status: number, text: string, more: Record<string, string> = {}): void {
  response.writeHead(status, { ...HEADERS, ...more, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

/** The file that a request path names, or undefined: outside the folder, malformed, or not there. */
export function fileFor(folder: string, requestUrl: string): string | undefined {
  const path = decodedPath(requestUrl);
  if (path === undefined || path.includes('\0')) return undefined;
  const root = normalize(folder);
  const file = normalize(join(root, path));
  if (file !== root && !file.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
  if (isFile(file)) return file;
  const index = join(file, 'index.html');
  return path.endsWith('/') && isFile(index) ? index : undefined;
}

function decodedPath(requestUrl: string): string | undefined {
  try {
    return decodeURIComponent((requestUrl.split(/[?#]/)[0] ?? '/') || '/');
  } catch {
    return undefined;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
