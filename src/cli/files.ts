/**
 * Files that a command reads and writes. A file that cannot be read or written is the person's to mend, so each failure
 * is one line: which file, what is wrong, what to do.
 */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { type AppError, badInput, messageOf } from '../base/errors.js';

/** Reads a whole file, or stdin for `-`. Throws `AppError` (`bad-input`) with one line that names the file. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (path === '-') return readStdin();
  try {
    return await readFile(path);
  } catch (error) {
    throw unusable(path, 'read', error);
  }
}

/** As `readInput`; gzip is unpacked, since snapshots and logs are often kept so. */
export async function readUnpacked(path: string): Promise<Uint8Array> {
  return unpacked(await readInput(path), path === '-' ? 'stdin' : path);
}

/** The content of a gzip file, or the bytes themselves. */
function unpacked(data: Uint8Array, name: string): Uint8Array {
  if (data[0] !== 0x1f || data[1] !== 0x8b) return data;
  try {
    return gunzipSync(data);
  } catch (error) {
    throw badInput(name, `${name}: damaged gzip file (${messageOf(error)}); pack it again or give it unpacked`);
  }
}

/** As `readText`; gzip is unpacked. */
export async function readUnpackedText(path: string): Promise<string> {
  return new TextDecoder().decode(await readUnpacked(path));
}

/** Reads a whole UTF-8 file, or stdin for `-`. */
export async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await readInput(path));
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/**
 * Throws `AppError` (`bad-input`) unless a file can be written at `path`. Called before long work, so that nobody waits
 * for a result that has nowhere to go. Nothing is left behind. `option` is named in the line. `-` (stdout) is always fine.
 * `bytes` is what must find room, tried by writing as much.
 */
export function checkWritable(path: string, option: string, bytes = 0): void {
  if (path === '-') return;
  const target = resolve(path);
  const folder = dirname(target);
  const parent = kindOf(folder);
  if (parent === undefined) throw badInput(option, `${option}: there is no directory ${folder}; create it first`);
  if (parent !== 'directory') throw badInput(option, `${option}: ${folder} is not a directory`);
  const existing = kindOf(target);
  if (path === '' || existing === 'directory') {
    throw badInput(option, `${option}: ${path === '' ? 'no file is named' : `${path} is a directory`}; name a file`);
  }
  try {
    if (existing !== undefined) accessSync(target, constants.W_OK);
    if (existing !== 'device') tryToCreate(neighbourOf(target), bytes);
  } catch (error) {
    throw unusable(path, 'write', error, option);
  }
}

/**
 * Throws `AppError` (`bad-input`) when two of the paths are one plain file, under whatever names: the second would take
 * the place of the first. `files` are pairs of what a line calls the path (`--out`) and the path. Devices may be shared.
 */
export function checkDistinct(files: readonly (readonly [name: string, path: string | undefined])[]): void {
  const known = new Map<string, string>();
  for (const [name, path] of files) {
    if (path === undefined || path === '-' || kindOf(path) === 'device') continue;
    const target = realPath(path);
    const other = known.get(target);
    if (other !== undefined) throw badInput(name, `${other} and ${name} are the same file, ${path}; name another one`);
    known.set(target, name);
  }
}

/** The path without links; of a file that is not there yet, its folder's. */
function realPath(path: string): string {
  const target = resolve(path);
  if (kindOf(target) !== undefined) return realpathSync(target);
  return kindOf(dirname(target)) === undefined ? target : join(realpathSync(dirname(target)), basename(target));
}

/**
 * Writes a file whole or not at all: a neighbour first, then a rename. Devices and pipes (`/dev/stdout`) are written
 * directly. Throws `AppError` (`bad-input`).
 */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const target = resolve(path);
  const existing = kindOf(target);
  if (existing === 'device' || existing === 'directory') {
    await writeFile(target, content).catch((error: unknown) => {
      throw unusable(path, 'write', error);
    });
    return;
  }
  const neighbour = neighbourOf(target);
  try {
    await writeFile(neighbour, content);
    await rename(neighbour, target);
  } catch (error) {
    await rm(neighbour, { force: true });
    throw unusable(path, 'write', error);
  }
}

const neighbourOf = (target: string): string => `${target}.${randomBytes(4).toString('hex')}.part`;

/** Permission bits do not tell for root, nor on read-only or special file systems; an attempt does. */
function tryToCreate(file: string, bytes: number): void {
  try {
    writeFileSync(file, new Uint8Array(bytes), { flag: 'wx' });
  } finally {
    rmSync(file, { force: true });
  }
}

/** What is at a path; undefined for nothing, or for a path through a file. Devices, pipes and sockets are one kind. */
function kindOf(path: string): 'file' | 'directory' | 'device' | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'device';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
    throw unusable(path, 'read', error);
  }
}

/** The system's name for what went wrong, such as `ENOSPC`; empty for anything but a failed system call. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'that is a directory, not a file',
  ENOTDIR: 'a part of the path is not a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many open files',
};

/** A failed system call in words. */
export const reasonOf = (error: unknown): string => REASONS[codeOf(error)] ?? messageOf(error);

/** One line for a failed system call on a file. `option` is named where one gave the path. */
export function unusable(path: string, verb: 'read' | 'write', error: unknown, option?: string): AppError {
  const where = option === undefined ? '' : `${option}: `;
  return badInput(option ?? path, `${where}cannot ${verb} ${path}: ${reasonOf(error)}`);
}
