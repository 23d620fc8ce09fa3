// @ts-check
/** Tells whether a build is older than the sources: a hash over the names, sizes and contents of what is built. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = [
  'src',
  'shaders',
  'workers',
  'public',
  'scripts/build.mjs',
  'scripts/zip.mjs',
  'scripts/carried-readme.txt',
  'index.html',
  'runner.html',
  'vite.config.ts',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.lib.json',
  'package.json',
  'package-lock.json',
];

/** @param {string} path @returns {string[]} files below it, in a stable order */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** @returns {string} */
export function sourceFingerprint() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesBelow)) {
    if (/\.test\.ts$/.test(file)) continue;
    hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}
