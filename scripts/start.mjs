// @ts-check
/**
 * The door on a fresh clone: needs only Node. Checks packages, browser and build, says on stderr what it does and does
 * it, then runs the command. `npm run bench`, `npm test` and `npm run vramlab` come through here.
 *
 *     node scripts/start.mjs bench|run|test|... [arguments]
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findBrowser } from '../src/cli/browser/find-browser.mjs';
import { sourceFingerprint } from './fingerprint.mjs';
import { run, runStep } from './process.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Where the person stands: `--out run.json` means there, also when npm moved us. */
const from = process.env['INIT_CWD'] ?? process.cwd();
/** @param {string} line */
const say = (line) => void process.stderr.write(`vramlab: ${line}\n`);

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24;
  if (fits) return;
  say(`Node ${process.versions.node} is not supported; install Node 20.19 or newer, 22.13 or newer, or 24 and up`);
  process.exit(3);
}

/**
 * Whether node_modules is what package-lock.json says, by npm's own record of what it installed: also after an `npm ci`
 * by hand. Optional packages of other systems are not there and need not be. A record that cannot be read, or a package
 * that the record names and that is gone, is a broken installation.
 * @returns {'missing' | 'different' | 'broken' | 'same'}
 */
function installedPackages() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(record)) return 'missing';
  const wanted = packagesOf('package-lock.json');
  if (wanted === undefined)
    throw new Error('package-lock.json cannot be read: bring it back with git checkout package-lock.json');
  const installed = packagesOf(record);
  if (installed === undefined) return 'broken';
  if (!Object.keys(installed).every((path) => existsSync(resolve(path, 'package.json')))) return 'broken';
  const same = Object.entries(wanted).every(([path, { version, optional }]) =>
    installed[path] === undefined ? path === '' || optional === true : installed[path].version === version,
  );
  return same ? 'same' : 'different';
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean }> | undefined} undefined for a file that is no lock
 */
function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Why packages are installed, in words. */
const WHY_INSTALL = {
  missing: 'packages are not installed',
  different: 'packages do not match package-lock.json',
  broken: 'packages are damaged',
};

async function ensurePackages() {
  const state = installedPackages();
  if (state === 'same') return;
  say(`${WHY_INSTALL[state]}: npm ci`);
  await runStep('npm ci', 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
    stdout: 'stderr',
    env: { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
  });
}

/** @param {string[]} args @returns {string | undefined} the value of --browser */
function wantedBrowser(args) {
  const at = args.findIndex((arg) => arg === '--browser' || arg.startsWith('--browser='));
  const named = at < 0 ? undefined : args[at]?.includes('=') ? args[at]?.slice('--browser='.length) : args[at + 1];
  return named ?? process.env['VRAMLAB_BROWSER'];
}

/** A browser that was named is the program's to check; otherwise one is found or installed. @param {string[]} args */
async function ensureBrowser(args) {
  const wanted = wantedBrowser(args);
  if (wanted !== undefined && wanted !== '') return;
  const found = findBrowser(undefined);
  if (found !== undefined) {
    say(`browser: ${found.path} (${found.how})`);
    return;
  }
  const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  if (isDebianRoot) {
    say('no browser found: apt-get install chromium');
    const code =
      (await run('apt-get', ['update', '-qq'], { stdout: 'stderr' })) ||
      (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
        stdout: 'stderr',
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      }));
    if (code === 0 && findBrowser(undefined) !== undefined) return;
  }
  say(
    'no browser found; install Google Chrome, Microsoft Edge or Chromium, or run `npx playwright install chromium`, or name one with --browser PATH or VRAMLAB_BROWSER',
  );
  process.exit(3);
}

async function ensureBuild() {
  const mark = 'dist/.built';
  const isWhole = existsSync('dist/cli/vramlab.js') && existsSync('dist/web/index.html');
  if (isWhole && existsSync(mark) && readFileSync(mark, 'utf8') === sourceFingerprint()) return;
  say(existsSync(mark) ? 'the sources are newer than the build: building' : 'not built yet: building');
  mkdirSync('dist', { recursive: true });
  await runStep('the build', process.execPath, ['scripts/build.mjs', '--quiet'], { stdout: 'stderr' });
}

/** Commands, each with what it needs and the program behind it. @type {Record<string, { script: string[], browser: boolean }>} */
const COMMANDS = {
  bench: { script: [resolve(root, 'dist/cli/vramlab.js'), 'bench'], browser: true },
  run: { script: [resolve(root, 'dist/cli/vramlab.js')], browser: false },
  'bench-harness': { script: [resolve(root, 'scripts/bench-harness.mjs')], browser: true },
  'bench-model': { script: [resolve(root, 'scripts/bench-model.mjs')], browser: false },
  'bench-view': { script: [resolve(root, 'scripts/bench-view.mjs')], browser: true },
  test: { script: [resolve(root, 'scripts/test.mjs')], browser: true },
};

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const command = COMMANDS[name];
  if (command === undefined) {
    say(`unknown command "${name}"; one of ${Object.keys(COMMANDS).join(', ')}`);
    return 2;
  }
  checkNode();
  process.chdir(root);
  await ensurePackages();
  const isHelp = args.includes('--help') || args.includes('-h');
  if (command.browser && !isHelp) await ensureBrowser(args);
  await ensureBuild();
  if (name !== 'test') process.chdir(from);
  return run(process.execPath, [...command.script, ...args]);
}

process.exitCode = await main().catch((error) => {
  say(error instanceof Error ? error.message : String(error));
  return 4;
});
