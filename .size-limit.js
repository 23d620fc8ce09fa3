// @ts-check
/**
 * The first load of the page, measured on what the built index.html really loads: its own scripts and styles, what they
 * import statically, and the workers that they start, together with one page: a link may lead to any of them first.
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

/**
 * @param {string} file @param {Set<string>} seen @param {(file: string) => boolean} isWanted
 * @returns {Set<string>} the file and all that it loads
 */
function loadedBy(file, seen = new Set(), isWanted = () => true) {
  if (seen.has(file) || !existsSync(file) || !isWanted(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const pattern of REFERENCES[file.split('.').at(-1) ?? ''] ?? []) {
    for (const [, reference = ''] of text.matchAll(pattern)) loadedBy(join(dirname(file), reference), seen, isWanted);
  }
  return seen;
}

/** Code of the pages, which the shell fetches at the first visit. */
const PAGE = /import\(\s*["'`](\.\/([a-z]+)-page-[^"'`]+\.js)["'`]/g;

const shell = [...loadedBy(INDEX)];
const scripts = shell.filter((file) => file.endsWith('.js'));
const pages = scripts.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(PAGE)].map(([, path = '', name = '']) => ({
    name,
    file: join(dirname(file), path),
  })),
);
if (pages.length === 0)
  throw new Error(`no page is fetched by ${scripts.join(', ')}: has the build changed its names?`);

/** What the page HOME starts with is all of the first load; other pages fetch their workers beside what is on screen. */
const HOME = 'measure';
/** @param {string} file */
const isOfMainThread = (file) => !/\.worker-/.test(file);

export default pages.map(({ name, file }) => ({
  name: name === HOME ? 'first load, with the page and its worker' : `the page ${name}, without its workers`,
  path:
    name === HOME
      ? [...new Set([...shell, ...loadedBy(file)])]
      : [...new Set([...loadedBy(INDEX, new Set(), isOfMainThread), ...loadedBy(file, new Set(), isOfMainThread)])],
  gzip: true,
  limit: '120 kB',
}));
