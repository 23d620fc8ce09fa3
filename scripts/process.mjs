// @ts-check
/** Child processes for the scripts: run one, hand its output through, stop it when we are stopped. */
import { spawn } from 'node:child_process';
import process from 'node:process';

const onWindows = process.platform === 'win32';

/**
 * Runs a program with our own input and output.
 * @param {string} command @param {string[]} args
 * @param {{ env?: Record<string, string>, stdout?: 'inherit' | 'stderr' }} [options] `stderr` keeps our stdout clean
 * @returns {Promise<number>} its exit code; 128 + n where signal n ended it
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['inherit', options.stdout === 'stderr' ? 2 : 'inherit', 'inherit'],
      env: { ...process.env, ...options.env },
      shell: onWindows && command !== process.execPath,
    });
    // The child is in our process group and gets Ctrl-C itself; a signal sent to us alone is passed on.
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => child.kill(signal);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      resolve(code ?? 128 + (signal === 'SIGINT' ? 2 : signal === 'SIGTERM' ? 15 : 9));
    });
  });
}

/**
 * Runs a step that has to succeed.
 * @param {string} what in words, for the error line @param {string} command @param {string[]} args
 * @param {{ env?: Record<string, string>, stdout?: 'inherit' | 'stderr' }} [options]
 */
export async function runStep(what, command, args, options = {}) {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${what} failed (exit ${code})`);
}
