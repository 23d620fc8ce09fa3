// @ts-check
/** CPython's `pickle.loads` in a process that stays, so that it is as warm as what it is compared with. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('loads-timer.py', import.meta.url));

export class LoadsTimer {
  #child;
  #lines;

  /** @param {import('node:child_process').ChildProcessWithoutNullStreams} child */
  constructor(child) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /**
   * undefined where there is no python3.
   *
   * @param {string} file
   */
  static async start(file) {
    const child = spawn('python3', [PROGRAM, file], { stdio: ['pipe', 'pipe', 'pipe'] });
    const isThere = await Promise.race([once(child, 'spawn').then(() => true), once(child, 'error').then(() => false)]);
    return isThere ? new LoadsTimer(child) : undefined;
  }

  /**
   * Seconds of one load, the mean of `loads`.
   *
   * @param {number} loads
   */
  async seconds(loads) {
    this.#child.stdin.write(`${loads}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('python3 ended before it answered');
    return Number(value);
  }

  async stop() {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }
}
