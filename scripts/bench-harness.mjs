// @ts-check
/**
 * `npm run bench:harness`: copy and triad at 64 MiB through the harness against a bare hand-written loop over the same
 * kernel, sample by sample in one browser. Prints the ratio; exits 1 when it is more than 5 % off.
 *
 *     npm run bench:harness -- --pairs 101
 */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { createServer } from 'vite';
import { CHROMIUM_ARGUMENTS, findBrowser } from '../src/cli/browser/find-browser.mjs';

const LIMIT = 0.05;
const pairsAt = process.argv.indexOf('--pairs');
const pairs = pairsAt < 0 ? 101 : Number(process.argv[pairsAt + 1]);
if (!Number.isInteger(pairs) || pairs < 1) {
  process.stderr.write('bench:harness: --pairs wants a whole number from 1 on\n');
  process.exit(2);
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

const found = findBrowser(process.env['VRAMLAB_BROWSER']);
const root = fileURLToPath(new URL('..', import.meta.url));
const server = await createServer({
  root,
  server: { port: 0 },
  optimizeDeps: { noDiscovery: true },
  logLevel: 'error',
});
await server.listen();
try {
  const browser = await chromium.launch({
    ...(found === undefined ? {} : { executablePath: found.path }),
    args: CHROMIUM_ARGUMENTS,
  });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
    const [base] = server.resolvedUrls?.local ?? [];
    await page.goto(`${base}scripts/bench-harness.html`);
    await page.waitForFunction(() => 'measureHarness' in globalThis);
    const results = await page.evaluate((count) => globalThis.window.measureHarness(count), pairs);
    for (const { kernel, harness, bare } of results) {
      const ratios = harness.map((rate, i) => rate / (bare[i] ?? rate));
      const ratio = median(ratios);
      const isWithin = Math.abs(ratio - 1) <= LIMIT;
      process.stdout.write(
        `${kernel}/64MiB  harness ${median(harness).toFixed(2)} GB/s  bare ${median(bare).toFixed(2)} GB/s  ` +
          `ratio ${ratio.toFixed(3)} (median of ${ratios.length} pairs)  ${isWithin ? 'within 5 %' : 'MORE THAN 5 % OFF'}\n`,
      );
      if (!isWithin) process.exitCode = 1;
    }
  } finally {
    await browser.close();
  }
} finally {
  await server.close();
}
