/** The two streams of a command: stdout is the result and nothing else, stderr is for people. */
import process from 'node:process';

/**
 * Writes a result to stdout and waits until it is handed over, so that a large one is not cut by an exit. A reader that
 * has gone away (`vramlab ... | head`) is no error: see `main.ts`.
 */
export function writeResult(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`, () => {
      resolve();
    });
  });
}

/** One line for the person, on stderr. */
export function say(line: string): void {
  process.stderr.write(`vramlab: ${line}\n`);
}
