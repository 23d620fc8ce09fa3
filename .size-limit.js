// @ts-check
/**
 * The first load of the page, measured on what the built index.html really loads: its own scripts and styles, what they
 * import statically, and the workers that they start. Pages that are imported when they are visited are not in it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const INDEX = 'dist/web/index.html';

/** References to other files of the build, by kind of file. @type {Record<string, RegExp[]>} */
const REFERENCES = {
  html: [/(?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g],
  js: [/(?:\bfrom|\bimport)\s*["'`](\.[^"'`]+\.js)["'`]/g, /new URL\(\s*["'`]([^"'`]+\.js)["'`]/g],
  css: [],
};

/** @param {string} file @param {Set<string>} seen @returns {Set<string>} the file and all that it loads */
function loadedBy(file, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const pattern of REFERENCES[file.split('.').at(-1) ?? ''] ?? []) {
    for (const [, reference = ''] of text.matchAll(pattern)) loadedBy(join(dirname(file), reference), seen);
  }
  return seen;
}

export default [{ name: 'first load of the page', path: [...loadedBy(INDEX)], gzip: true, limit: '120 kB' }];
