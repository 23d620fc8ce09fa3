/**
 * Gives out what a run has made. A disk may fill and a folder may go while it runs: what took minutes to measure is then
 * kept where there is room, and one line says where.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { AppError, messageOf } from '../../base/errors.js';
import { EXIT } from '../exit-codes.js';
import { reasonOf, writeAtomically } from '../files.js';
import { ReaderGone, say, writeResult } from '../output.js';

export interface Output {
  /** What the person asked for it with, such as `--md`; absent for what is shown where nothing was asked for. */
  readonly option?: string;
  /** A file, or `-` for stdout. */
  readonly path: string;
  readonly text: () => string;
}

/** Room that a report must find before the run starts: a quick one with every suite needs about as much. */
export const RESULT_BYTES = 2 ** 20;

/** A run that went well and could not be given out is no success. */
export const exitCodeAfter = (exitCode: number, isDelivered: boolean): number =>
  isDelivered || exitCode !== EXIT.ok ? exitCode : EXIT.wrongUsage;

/** Folders to keep a result in, best first. */
const shelters = (): readonly string[] => [tmpdir(), homedir(), process.cwd()];

/**
 * Writes every output, whatever becomes of the others. Where one cannot be written and neither is the one
 * that holds all (`whole.option`), keeps `whole.text` elsewhere. Says in one line what went wrong and where
 * the result is. True when nothing went wrong. Throws what is a bug of ours, after that.
 */
export async function deliver(
  outputs: readonly Output[],
  whole: { readonly option: string; readonly text: string },
  folders: readonly string[] = shelters(),
): Promise<boolean> {
  const problems: unknown[] = [];
  let place: string | undefined;
  for (const output of outputs) {
    try {
      await write(output.path, output.text());
      if (output.option === whole.option) place = output.path;
    } catch (error) {
      problems.push(withOption(output.option, error));
    }
  }
  if (problems.length === 0) return true;
  const isStdoutFree = outputs.every(({ path }) => path !== '-');
  const kept = place === undefined ? await keep(whole.text, folders, isStdoutFree) : `the whole result is in ${place}`;
  say(`${problems.map(messageOf).join('; ')}; ${kept}`);
  const bug = problems.find((problem) => !(problem instanceof AppError) && !(problem instanceof ReaderGone));
  if (bug !== undefined) throw bug instanceof Error ? bug : new Error(messageOf(bug));
  return false;
}

const write = (path: string, text: string): Promise<void> =>
  path === '-' ? writeResult(text) : writeAtomically(path, text.endsWith('\n') ? text : `${text}\n`);

const withOption = (option: string | undefined, error: unknown): unknown =>
  error instanceof AppError && option !== undefined
    ? new AppError(error.failure, `${option}: ${error.message}`)
    : error;

/** Keeps a result for which there is no output, and says where. `why` is the first part of the line. */
export async function rescue(why: string, text: string, folders: readonly string[] = shelters()): Promise<void> {
  say(`${why}; ${await keep(text, folders, true)}`);
}

/** Keeps a result in the first folder that takes it, or on stdout; says where, or why nowhere. */
async function keep(text: string, folders: readonly string[], isStdoutFree: boolean): Promise<string> {
  const reasons: string[] = [];
  for (const folder of folders) {
    const path = join(folder, `vramlab-result-${randomBytes(4).toString('hex')}.json`);
    try {
      await writeFile(path, `${text}\n`, { flag: 'wx' });
      return `the whole result is kept in ${path}`;
    } catch (error) {
      reasons.push(`${folder}: ${reasonOf(error)}`);
    }
  }
  if (isStdoutFree) {
    try {
      await writeResult(text);
      return 'the whole result is on stdout';
    } catch (error) {
      reasons.push(messageOf(error));
    }
  }
  return `it could not be kept anywhere (${reasons.join('; ')})`;
}
