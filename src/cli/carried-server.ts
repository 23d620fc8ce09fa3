/**
 * The server in the zip that a presenter carries: serves the folder `web` beside it and needs nothing but Node.
 *
 *     node serve.mjs [PORT]
 */
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { badInput } from '../base/errors.js';
import { describeError } from './exit-codes.js';
import { say, writeResult } from './output.js';
import { serveFolder } from './server/static-server.js';

const LARGEST_PORT = 65_535;

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > LARGEST_PORT) {
    throw badInput('port', `${text} is no port; give a whole number from 0 to ${LARGEST_PORT}`);
  }
  return port;
}

try {
  const folder = join(dirname(fileURLToPath(import.meta.url)), 'web');
  const { url } = await serveFolder(folder, portOf(process.argv[2] ?? '0'));
  await writeResult(url);
  say('serving; press Ctrl-C to stop');
} catch (error) {
  const { code, line } = describeError(error);
  if (line !== undefined) say(line);
  process.exitCode = code;
}
