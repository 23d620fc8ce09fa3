/** `vramlab serve`: the web lab on this machine. */
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { say, writeResult } from '../output.js';
import { serveFolder } from '../server/static-server.js';
import { watchStopSignals } from '../stop-signals.js';
import { distFolder } from '../version.js';

const DEFAULT_PORT = 4173;

/** Adds `serve` to the program. */
export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('serve the web lab on this machine until interrupted')
    .option('--port <n>', 'port to listen on; 0 lets the system choose', parsePort, DEFAULT_PORT)
    .action(async (options: { readonly port: number }) => {
      const server = await serveFolder(join(distFolder(), 'web'), options.port);
      await writeResult(server.url);
      say('serving; press Ctrl-C to stop');
      const { stopped } = watchStopSignals();
      // Being stopped is how `serve` ends, so it ends well: exit 0.
      await stopped;
      await server.close();
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}
