/**
 * The temporary folder of one browser. Its name carries our process number, so that the next start can remove what a
 * program that was killed outright (SIGKILL, power) left behind.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { AppError } from '../../base/errors.js';
import { codeOf, reasonOf } from '../files.js';

/** Short: Chromium puts a socket below it, whose whole path may have 107 bytes. */
const PREFIX = 'vramlab';
const NAME = /^vramlab(\d+)-/;

/** Makes a folder below `root` and removes those whose program is gone. Throws `AppError` (`storage`). */
export function makeTempFolder(root: string): string {
  try {
    for (const name of readdirSync(root)) {
      const owner = NAME.exec(name)?.[1];
      if (owner !== undefined && !isRunning(Number(owner))) removeLeftover(join(root, name));
    }
    return mkdtempSync(join(root, `${PREFIX}${process.pid}-`));
  } catch (error) {
    const code = codeOf(error);
    if (code === '') throw error;
    throw new AppError(
      { kind: 'storage', reason: code === 'ENOSPC' ? 'full' : 'unavailable' },
      `the browser needs a temporary folder, and none can be made in ${root}: ${reasonOf(error)}; name another place with TMPDIR`,
    );
  }
}

/** One that belongs to another user stays: it is theirs to remove. */
function removeLeftover(folder: string): void {
  try {
    removeFolder(folder);
  } catch (error) {
    if (codeOf(error) === '') throw error;
  }
}

/** Killed processes may still be closing files for a moment, hence the retries. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return codeOf(error) === 'EPERM';
  }
}
