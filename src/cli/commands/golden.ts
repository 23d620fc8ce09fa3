/** `vramlab golden`: what the real allocators did, operation by operation, against the models. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import type { Command } from 'commander';
import { AppError, badInput, messageOf } from '../../base/errors.js';
import { type GrowingHash } from '../../model/golden/bfc-model.js';
import { checkGolden, checkPickle, type GoldenVerdict, isGolden } from '../../model/golden/golden-files.js';
import { EXIT } from '../exit-codes.js';
import { readInput, unusable } from '../files.js';
import { say, writeResult } from '../output.js';

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
    let verdict: GoldenVerdict | undefined;
    try {
      verdict = await checkFile(path, name, files);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed++;
      await writeResult(`FAILED      ${name}: ${withoutName(error.message, path, name)}`);
      continue;
    }
    if (verdict === undefined) {
      say(`${name}: passed over, it is no golden file of a known kind`);
      continue;
    }
    const { kind, tally, approximate, notes = [] } = verdict;
    for (const note of notes) say(`${name}: ${note}`);
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

/** Messages begin with the file already. */
const withoutName = (message: string, path: string, name: string): string =>
  [`${path}: `, `${name}: `].reduce(
    (text, start) => (text.startsWith(start) ? text.slice(start.length) : text),
    message,
  );

/** Checks one file; undefined for what is no golden file. Throws `AppError` (`bad-input`) for one that is damaged. */
async function checkFile(path: string, name: string, files: readonly string[]): Promise<GoldenVerdict | undefined> {
  const findTrace = (trace: string): unknown => {
    const found = files.find((file) => TRACE_SUFFIXES.some((suffix) => basename(file) === `${trace}${suffix}`));
    return found === undefined ? undefined : parse(readFileSync(found), found);
  };
  const bytes = await readInput(path);
  if (path.endsWith('.pickle')) return checkPickle(bytes, name, basename(path, '.pickle'), findTrace);
  const value = parse(bytes, path);
  return isGolden(value) ? checkGolden(value, name, newHash, findTrace) : undefined;
}

const TRACE_SUFFIXES = ['.json.gz', '.json'];

/** The JSON in a file, gzip or plain; undefined for another text. Throws `AppError` (`bad-input`) for a damaged one. */
function parse(bytes: Uint8Array, path: string): unknown {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isNamedJson = /\.json(\.gz)?$/.test(path);
  if (path.endsWith('.gz') && !isGzip) throw badInput(path, `${path}: named .gz, but it is not gzip`);
  let text: string;
  try {
    text = new TextDecoder().decode(isGzip ? gunzipSync(bytes) : bytes);
  } catch (error) {
    throw badInput(path, `${path}: the gzip data are damaged or cut off (${messageOf(error)})`);
  }
  if (!isNamedJson && !text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badInput(path, `${path}: not valid JSON: ${oneLine(messageOf(error))}`);
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
