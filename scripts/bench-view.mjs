// @ts-check
/**
 * `npm run bench:view`: a run of 1,000,000 operations with 50,000 living blocks in the memory view, in a real browser.
 * Prints how long each kind of picture takes to draw (in the worker that draws), how much the main thread works (processor time) from frame
 * to frame, and how far frames are apart; exits 1 where a limit is passed. `--json` prints the same as data.
 *
 *     npm run bench:view -- --operations 1000000 --living 50000 --frames 240 --json
 */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { createServer } from 'vite';
import { CHROMIUM_ARGUMENTS, findBrowser } from '../src/cli/browser/find-browser.mjs';
import { busyPerFrame } from './bench-view/main-thread.mjs';

/** @param {string} name @param {number} otherwise */
function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (Number.isInteger(value) && value > 0) return value;
  process.stderr.write(`bench:view: --${name} wants a whole number from 1 on\n`);
  process.exit(2);
}
const operations = option('operations', 1_000_000);
const living = option('living', 50_000);
const frames = option('frames', 240);
const isJson = process.argv.includes('--json');

/** Milliseconds that each case may take to draw, at the median (facts: goals 6 and 16 and the issue). */
const CASES = /** @type {const} */ ([
  { name: 'timeline pan', picture: 'tracks', limit: 10 },
  { name: 'timeline zoom', picture: 'tracks', limit: 33 },
  { name: 'map zoom', picture: 'maps', limit: 8 },
  { name: 'scrub', picture: 'maps', limit: 33 },
  { name: 'play', picture: 'maps', limit: 33 },
]);
const MAIN_THREAD_P95 = 4;
const FRAME_INTERVAL = 17;

/** @param {readonly number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** @param {{ measured: number, limit: number }} check */
const isWithin = ({ measured, limit }) => measured <= limit;
const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;

process.env['NODE_ENV'] = 'production'; // Lit without its checks, as the built page has it
const found = findBrowser(process.env['VRAMLAB_BROWSER']);
const server = await createServer({
  root: fileURLToPath(new URL('..', import.meta.url)),
  mode: 'production',
  server: { port: 0, hmr: false },
  optimizeDeps: { noDiscovery: true },
  logLevel: 'error',
});
await server.listen();
/** @type {Record<string, unknown>[]} */
const results = [];
try {
  const browser = await chromium.launch({
    ...(found === undefined ? {} : { executablePath: found.path }),
    args: CHROMIUM_ARGUMENTS,
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 1900 } });
    page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
    await page.goto(`${server.resolvedUrls?.local[0]}scripts/bench-view.html`);
    await page.waitForFunction(() => 'viewBench' in globalThis);
    const facts = await page.evaluate(
      ([count, alive]) => globalThis.window.viewBench.open(count ?? 0, alive ?? 0),
      [operations, living],
    );
    for (const { name, picture, limit } of CASES) {
      await page.evaluate((of) => globalThis.window.viewBench.move(of, 30), name); // warm
      await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
      const result = await page.evaluate(
        ([of, count]) => globalThis.window.viewBench.move(String(of), Number(count)),
        [name, frames],
      );
      const busy = busyPerFrame(JSON.parse((await browser.stopTracing()).toString()));
      const drawn = result.times.map((times) => times[picture]).filter((ms) => ms > 0.01);
      const checks = {
        drawing: { measured: round(quantile(drawn, 0.5)), limit },
        mainThreadP95: { measured: round(quantile(busy, 0.95)), limit: MAIN_THREAD_P95 },
        frameInterval: { measured: round(quantile(result.intervals, 0.5)), limit: FRAME_INTERVAL },
      };
      const isFine = Object.values(checks).every(isWithin);
      if (!isFine) process.exitCode = 1;
      results.push({
        case: name,
        frames: result.frames,
        pictures: drawn.length,
        drawingMs: checks.drawing.measured,
        drawingP95Ms: round(quantile(drawn, 0.95)),
        limitMs: limit,
        mainThreadP50Ms: round(quantile(busy, 0.5)),
        mainThreadP95Ms: checks.mainThreadP95.measured,
        frameIntervalMs: checks.frameInterval.measured,
        within: isFine,
      });
    }
    const here = await page.evaluate(() => globalThis.window.viewBench.drawHere(60));
    const onThePage = { mapMs: round(quantile(here.maps, 0.5)), timelineMs: round(quantile(here.tracks, 0.5)) };
    if (facts.operations !== operations || facts.drawnBlocks !== facts.living) {
      process.stderr.write('bench:view: not everything is shown\n');
      process.exitCode = 1;
    }
    if (isJson) {
      process.stdout.write(`${JSON.stringify({ facts, results, onThePage }, undefined, 2)}\n`);
    } else {
      process.stdout.write(
        `${facts.operations.toLocaleString('en')} operations, ${facts.living.toLocaleString('en')} living blocks of ` +
          `${facts.blocks.toLocaleString('en')}; made in ${Math.round(facts.buildMs)} ms, shown after ${Math.round(facts.loadMs)} ms\n`,
      );
      for (const row of results) {
        process.stdout.write(
          `${String(row['case']).padEnd(14)} drawing ${row['drawingMs']} ms (p95 ${row['drawingP95Ms']}, limit ${row['limitMs']})  ` +
            `main thread a frame ${row['mainThreadP50Ms']} ms (p95 ${row['mainThreadP95Ms']}, limit ${MAIN_THREAD_P95})  ` +
            `frames ${row['frameIntervalMs']} ms apart (limit ${FRAME_INTERVAL})  ${row['pictures']} pictures in ${row['frames']} frames  ` +
            `${row['within'] === true ? 'within' : 'OVER'}\n`,
        );
      }
      process.stdout.write(
        `on the page itself: map ${onThePage.mapMs} ms, timeline ${onThePage.timelineMs} ms a picture on the main thread\n`,
      );
    }
  } finally {
    await browser.close();
  }
} finally {
  await server.close();
}
