/** The `vramlab` program: reads the arguments, runs one command, leaves with its exit code (DESIGN section 5). */
import process from 'node:process';
import { joinAbValues } from './bench/ab-flags.js';
import { describeError } from './exit-codes.js';
import { say } from './output.js';
import { createProgram } from './program.js';

// Whoever writes a result meets the error of stdout itself (`writeResult`). When stderr is gone (a closed terminal), there
// is nobody to tell, which is no reason to lose a run.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const program = createProgram();
  if (process.argv.length <= 2) program.error('error: no command was given');
  await program.parseAsync(joinAbValues(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  const { code, line } = describeError(error);
  if (line !== undefined) say(line);
  process.exitCode = code;
}
