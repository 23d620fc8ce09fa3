// @ts-check
/**
 * `npm test`: everything, one count at the end. Static checks (format, lint, types, unused code, size of the first load)
 * count as one test each; Vitest (unit, GPU, element) and Playwright (journeys) report theirs. The last line is
 * `N passed, N failed, N skipped`.
 *
 *     npm test                 everything
 *     npm test -- unit gpu     only the named parts
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import process from 'node:process';
import { findBrowser } from '../src/cli/browser/find-browser.mjs';
import { run } from './process.mjs';

const RESULTS = 'test-results';
const totals = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const skips = [];
/** Tests that failed at first and passed when they were run again. @type {string[]} */
const retried = [];
/** How Vitest names a test that did not run. */
const SKIPPED = ['pending', 'skipped', 'todo'];

/**
 * @param {string} command @param {string[]} args @param {Record<string, string>} [env]
 * @returns {Promise<number>} the exit code; a stop signal to us stops the child and ends the whole
 */
async function execute(command, args, env = {}) {
  const code = await run(command, args, { env }).catch(() => 127);
  if (code > 128) process.exit(code);
  return code;
}

/** @param {string} name @param {string[]} args of npx */
async function check(name, args) {
  process.stdout.write(`\n== ${name}\n`);
  const code = await execute('npx', args);
  if (code === 0) totals.passed += 1;
  else totals.failed += 1;
}

/** @param {string} path @returns {any} */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/**
 * Adds what a runner reported. One that left no result, ran nothing, or failed without a failed test (an error outside
 * of tests) is a failure itself.
 * @param {string} name @param {number} code the runner's exit code @param {() => Counts} read
 */
function tally(name, code, read) {
  /** @type {Counts} */
  let counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    counts = read();
  } catch (error) {
    process.stdout.write(`${name}: no result file (${error instanceof Error ? error.message : String(error)})\n`);
  }
  const ran = counts.passed + counts.failed;
  const broken = ran === 0 || (code !== 0 && counts.failed === 0);
  if (broken) process.stdout.write(`${name}: exit ${code}, ${ran} tests run: counted as a failure\n`);
  totals.passed += counts.passed;
  totals.failed += counts.failed + Number(broken);
  totals.skipped += counts.skipped;
}

/** @param {string} project */
async function vitest(project) {
  process.stdout.write(`\n== ${project} tests (vitest)\n`);
  const file = `${RESULTS}/vitest-${project}.json`;
  const code = await execute('npx', [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  tally(project, code, () => {
    const result = readJson(file);
    for (const suite of result.testResults) {
      for (const test of suite.assertionResults) {
        if (SKIPPED.includes(test.status)) skips.push(`${project}: ${test.fullName}`);
        // Vitest keeps the errors of the tries before.
        if (test.status === 'passed' && test.failureMessages.length > 0) retried.push(`${project}: ${test.fullName}`);
      }
    }
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  });
}

async function journeys() {
  process.stdout.write('\n== journeys (playwright)\n');
  const file = `${RESULTS}/playwright.json`;
  const code = await execute('npx', ['playwright', 'test', '--reporter=dot,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  tally('journeys', code, () => {
    const { stats, suites } = readJson(file);
    collectTests(suites);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
  });
}

/** @param {any[]} suites */
function collectTests(suites) {
  for (const suite of suites) {
    collectTests(suite.suites ?? []);
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        if (test.status === 'flaky') retried.push(`journeys: ${spec.title}`);
        if (test.status !== 'skipped') continue;
        const reason =
          test.annotations.find((/** @type {any} */ a) => a.type === 'skip')?.description ?? 'no reason given';
        skips.push(`journeys: ${spec.title}: ${reason}`);
      }
    }
  }
}

/** @type {[string, () => Promise<void>][]} */
const PARTS = [
  ['format', () => check('format', ['prettier', '--check', '--log-level', 'warn', '.'])],
  ['lint', () => check('lint', ['eslint', '.'])],
  [
    'types',
    () =>
      check('types', ['tsc', '-p', 'tsconfig.json']).then(() =>
        check('types (node)', ['tsc', '-p', 'tsconfig.node.json']),
      ),
  ],
  ['unused', () => check('unused code', ['knip'])],
  ['size', () => check('first load', ['size-limit'])],
  ['unit', () => vitest('node')],
  ['gpu', () => vitest('gpu')],
  ['element', () => vitest('element')],
  ['e2e', journeys],
];

const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const unknown = wanted.filter((name) => !PARTS.some(([part]) => part === name));
if (unknown.length > 0) {
  process.stderr.write(
    `npm test: unknown part "${unknown.join(', ')}"; one of ${PARTS.map(([part]) => part).join(', ')}\n`,
  );
  process.exit(2);
}

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
const browser = findBrowser(process.env['VRAMLAB_BROWSER']);
process.stdout.write(`browser: ${browser === undefined ? 'none' : `${browser.path} (${browser.how})`}\n`);
for (const [name, part] of PARTS) {
  if (wanted.length === 0 || wanted.includes(name)) await part();
}
if (skips.length > 0) process.stdout.write(`\nskipped:\n${skips.map((line) => `  ${line}`).join('\n')}\n`);
if (retried.length > 0) {
  process.stdout.write(
    `\npassed at the second try only (${retried.length}):\n${retried.map((line) => `  ${line}`).join('\n')}\n`,
  );
}
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
