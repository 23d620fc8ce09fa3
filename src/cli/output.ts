/** The two streams of a command: stdout is the result and nothing else, stderr is for people. */
import process from 'node:process';
import { unusable } from './files.js';

/** The reader of stdout has seen enough (`vramlab ... | head`): no error, and nothing more to do. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/**
 * Writes a result to stdout and waits until it is handed over, so that a large one is not cut by an exit. Throws
 * `ReaderGone`, or `AppError` (`bad-input`) where stdout is a file that cannot be written.
 */
export function writeResult(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`, (error) => {
      if (error === undefined || error === null) resolve();
      else if ('code' in error && error.code === 'EPIPE') reject(new ReaderGone('nobody reads stdout any more'));
      else reject(unusable('stdout', 'write', error));
    });
  });
}

/** One line for the person, on stderr. */
export function say(line: string): void {
  process.stderr.write(`vramlab: ${line}\n`);
}
