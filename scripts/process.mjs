// @ts-check
/** Child processes for the scripts: run one, hand its output through, stop it when we are stopped. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { clearInterval, setInterval } from 'node:timers';

/** @type {NodeJS.Signals[]} */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PARENT_CHECK_MS = 500;
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
    // A signal sent to us alone is passed on. Ctrl-C reaches the child by itself too: the program takes a second one well.
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => void child.kill(signal);
    for (const signal of STOP_SIGNALS) process.on(signal, pass);
    // A SIGTERM to npm ends npm and its shell and never reaches us: being orphaned is how we learn of it.
    const parent = process.ppid;
    const watch = setInterval(() => process.ppid !== parent && pass('SIGTERM'), PARENT_CHECK_MS);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      for (const passed of STOP_SIGNALS) process.off(passed, pass);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
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
