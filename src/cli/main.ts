/** The `vramlab` program: reads the arguments, runs one command, leaves with its exit code (DESIGN section 5). */
import process from 'node:process';
import { joinAbValues } from './bench/ab-flags.js';
import { describeError } from './exit-codes.js';
import { say } from './output.js';
import { createProgram } from './program.js';

// A reader that has seen enough (`vramlab ... | head`) closes the pipe; that is not an error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

try {
  const program = createProgram();
  if (process.argv.length <= 2) program.error('error: no command was given');
  await program.parseAsync(joinAbValues(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  const { code, line } = describeError(error);
  if (line !== undefined) say(line);
  process.exitCode = code;
}
