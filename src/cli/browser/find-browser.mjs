// @ts-check
/**
 * Finds a browser that can run WebGPU, without any dependency: `scripts/start.mjs` uses it before packages are there,
 * the program and the tests use it after. Order: what the person named, then Chrome, Edge or Chromium by name and known
 * path, then the one that Playwright manages.
 */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import process from 'node:process';

/**
 * @typedef {{ path: string, how: string }} FoundBrowser
 */

/** Needed by every headless run: WebGPU without a prompt; as root Chromium refuses its own sandbox. */
export const CHROMIUM_ARGUMENTS = ['--enable-unsafe-webgpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

const NAMES = {
  linux: [
    'google-chrome',
    'google-chrome-stable',
    'chrome',
    'microsoft-edge',
    'microsoft-edge-stable',
    'chromium',
    'chromium-browser',
  ],
  darwin: [],
  win32: ['chrome.exe', 'msedge.exe', 'chromium.exe'],
};

/** Names people use for `--browser` and the channels they mean. */
const ALIASES = {
  chrome: ['google-chrome', 'google-chrome-stable', 'chrome', 'chrome.exe', 'Google Chrome'],
  edge: ['microsoft-edge', 'microsoft-edge-stable', 'msedge.exe', 'Microsoft Edge'],
  msedge: ['microsoft-edge', 'microsoft-edge-stable', 'msedge.exe', 'Microsoft Edge'],
  chromium: ['chromium', 'chromium-browser', 'chromium.exe', 'Chromium'],
};

/** @returns {string[]} places where installers put the browsers on this system */
function knownPaths() {
  const home = homedir();
  if (process.platform === 'darwin') {
    return ['', home].flatMap((root) =>
      ['Google Chrome', 'Microsoft Edge', 'Chromium'].map(
        (name) => `${root}/Applications/${name}.app/Contents/MacOS/${name}`,
      ),
    );
  }
  if (process.platform === 'win32') {
    const roots = [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']];
    return roots.flatMap((root) =>
      root === undefined
        ? []
        : [
            'Google\\Chrome\\Application\\chrome.exe',
            'Microsoft\\Edge\\Application\\msedge.exe',
            'Chromium\\Application\\chrome.exe',
          ].map((tail) => join(root, tail)),
    );
  }
  return [
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
    '/usr/lib/chromium/chromium',
    '/snap/bin/chromium',
  ];
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @param {string} name @returns {string | undefined} */
function onPath(name) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** @returns {string | undefined} the newest Chromium that Playwright installed for this user */
function managedByPlaywright() {
  const home = homedir();
  const root =
    process.env['PLAYWRIGHT_BROWSERS_PATH'] ??
    (process.platform === 'darwin'
      ? join(home, 'Library/Caches/ms-playwright')
      : process.platform === 'win32'
        ? join(process.env['LOCALAPPDATA'] ?? home, 'ms-playwright')
        : join(home, '.cache/ms-playwright'));
  if (!existsSync(root)) return undefined;
  const builds = readdirSync(root)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)));
  const tails = [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-win/chrome.exe',
    'chrome-win64/chrome.exe',
  ];
  return builds.flatMap((build) => tails.map((tail) => join(root, build, tail))).find(isProgram);
}

/**
 * @param {string | undefined} wanted a name (`chrome`, `edge`, `chromium`) or a path; undefined or '' for any
 * @returns {FoundBrowser | undefined} undefined when there is none (or not the wanted one)
 */
export function findBrowser(wanted) {
  if (wanted !== undefined && wanted !== '') return findWanted(wanted);
  const names = NAMES[/** @type {keyof typeof NAMES} */ (process.platform)] ?? NAMES.linux;
  for (const name of names) {
    const path = onPath(name);
    if (path !== undefined) return { path, how: `${name} on the PATH` };
  }
  const known = knownPaths().find(isProgram);
  if (known !== undefined) return { path: known, how: 'a known place' };
  const managed = managedByPlaywright();
  return managed === undefined ? undefined : { path: managed, how: "Playwright's managed browser" };
}

/** @param {string} wanted @returns {FoundBrowser | undefined} */
function findWanted(wanted) {
  if (isAbsolute(wanted) || wanted.includes('/') || wanted.includes(sep)) {
    return isProgram(wanted) ? { path: wanted, how: 'the path that was named' } : undefined;
  }
  const names = ALIASES[/** @type {keyof typeof ALIASES} */ (wanted.toLowerCase())] ?? [wanted];
  for (const name of names) {
    const path = onPath(name);
    if (path !== undefined) return { path, how: `${name} on the PATH` };
  }
  const known = knownPaths()
    .filter(isProgram)
    .find((path) => names.some((name) => path.endsWith(`${sep}${name}`)));
  return known === undefined ? undefined : { path: known, how: 'a known place' };
}
