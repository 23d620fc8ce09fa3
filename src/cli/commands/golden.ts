/** `vramlab golden`: what the real allocators did, operation by operation, against the models. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import type { Command } from 'commander';
import { badInput, messageOf } from '../../base/errors.js';
import { type GrowingHash } from '../../model/golden/bfc-model.js';
import { checkGolden, isGolden } from '../../model/golden/golden-files.js';
import { EXIT } from '../exit-codes.js';
import { readInput, unusable } from '../files.js';
import { writeResult } from '../output.js';

/** Adds `golden` to the program. */
export function registerGolden(program: Command): void {
  program
    .command('golden')
    .description('check the models against golden files: what the real allocators did, to the byte')
    .argument('<dir>', 'a folder of golden files (and its folders)')
    .action(async (folder: string) => {
      const files = await goldenFiles(folder);
      const failed = await checkFiles(folder, files);
      if (failed > 0) process.exitCode = EXIT.checkFailed;
    });
}

const newHash = (): GrowingHash => {
  const hash = createHash('sha256');
  return { update: (text) => void hash.update(text), digest: () => hash.copy().digest('hex') };
};

async function goldenFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return files.sort();
  } catch (error) {
    throw unusable(folder, 'read', error);
  }
}

/** Checks every golden file, one line each, and gives the number that failed. Throws when there is none to check. */
async function checkFiles(folder: string, files: readonly string[]): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const path of files) {
    const name = relative(folder, path);
    const value = await readGolden(path);
    if (value === undefined) continue;
    const { kind, tally, approximate } = checkGolden(value, name, newHash);
    const isFine = tally.failed === 0 || approximate;
    if (isFine) passed++;
    else failed++;
    const word = tally.failed === 0 ? 'ok' : approximate ? 'approximate' : 'FAILED';
    await writeResult(`${word.padEnd(11)} ${name}: ${kind}, ${tally.compared} compared, ${tally.failed} different`);
    for (const difference of tally.differences) await writeResult(`            ${name}: ${difference}`);
  }
  if (passed + failed === 0) throw badInput(folder, `${folder}: there are no golden files in it`);
  await writeResult(`${passed} passed, ${failed} failed`);
  return failed;
}

/** The JSON of a file; undefined for anything that is no golden file. Throws `AppError` (`bad-input`) for a cut one. */
async function readGolden(path: string): Promise<unknown> {
  const bytes = await readInput(path);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  let text: string;
  try {
    text = new TextDecoder().decode(isGzip ? gunzipSync(bytes) : bytes);
  } catch (error) {
    throw badInput(path, `${path}: the gzip data are damaged or cut off (${messageOf(error)})`);
  }
  if (!text.trimStart().startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badInput(path, `${path}: not valid JSON: ${messageOf(error)}`);
  }
  return isGolden(value) ? value : undefined;
}
