// @ts-check
/**
 * Opens a large snapshot in Diagnose, in a real browser on the built site, and prints how long the page's thread was held:
 * tasks over 50 ms (PerformanceObserver `longtask`), the time until the verdict, the memory view and the first what-if row.
 *
 *     npm run build && node scripts/bench-diagnose.mjs [--events 900000] [--json]
 *
 * The snapshot is generated: 900,000 entries with call stacks of 45 frames on average, about 300 MB. Exits 1 when a task took
 * longer than 50 ms.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { CHROMIUM_ARGUMENTS, findBrowser } from '../src/cli/browser/find-browser.mjs';

const LONG_MS = 50;
const { values } = parseArgs({
  options: { events: { type: 'string', default: '900000' }, json: { type: 'boolean' } },
});

const folder = mkdtempSync(join(tmpdir(), 'vramlab-d-'));
try {
  await build({
    logLevel: 'error',
    configFile: false,
    build: {
      ssr: true,
      outDir: folder,
      rolldownOptions: {
        input: { large: 'src/model/snapshot/testing/large-snapshot.ts' },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  const { largeSnapshot } = await import(pathToFileURL(join(folder, 'large.mjs')).href);
  const file = join(folder, 'large.pickle');
  writeFileSync(file, largeSnapshot({ events: Number(values.events), depth: 45, seed: 1 }));
  const figures = await open(file);
  const megabytes = statSync(file).size / 1e6;
  if (values.json === true) process.stdout.write(`${JSON.stringify({ megabytes, ...figures })}\n`);
  else {
    process.stdout.write(
      `${megabytes.toFixed(0)} MB: verdict after ${figures.verdictMs} ms, memory view after ${figures.viewMs} ms, first row after ` +
        `${figures.rowMs} ms; longest task ${figures.longestMs} ms, ${figures.longTasks} over ${LONG_MS} ms; page's heap ${figures.heapMB} MB\n`,
    );
  }
  if (figures.longTasks > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} file */
async function open(file) {
  const server = await preview({ preview: { port: 0 }, logLevel: 'error' });
  const found = findBrowser(process.env['VRAMLAB_BROWSER']);
  const browser = await chromium.launch({
    ...(found === undefined ? {} : { executablePath: found.path }),
    args: CHROMIUM_ARGUMENTS,
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
    await page.goto(`${server.resolvedUrls?.local[0]}#diagnose?v=1`);
    const input = page.locator('app-drop-zone input[type=file]');
    await input.waitFor({ state: 'attached' });
    await page.evaluate(() => {
      const tasks = /** @type {number[]} */ ([]);
      Object.assign(globalThis, { longTasks: tasks });
      new globalThis.PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map(({ duration }) => duration)),
      ).observe({
        type: 'longtask',
      });
    });
    const begin = performance.now();
    await input.setInputFiles(file);
    const since = () => Math.round(performance.now() - begin);
    const timeout = 140_000;
    await page.locator('app-verdict-card h2').waitFor({ timeout });
    const verdictMs = since();
    await page.locator('app-memory-view').waitFor({ timeout });
    const viewMs = since();
    await page.locator('app-whatif-table tbody tr:not(.section) td.number').first().waitFor({ timeout });
    const rowMs = since();
    const seen = await page.evaluate(() => ({
      tasks: /** @type {number[]} */ (Reflect.get(globalThis, 'longTasks')),
      heap: /** @type {{ usedJSHeapSize: number }} */ (Reflect.get(globalThis.performance, 'memory')).usedJSHeapSize,
    }));
    const longestMs = Math.round(Math.max(0, ...seen.tasks));
    return { verdictMs, viewMs, rowMs, longestMs, longTasks: seen.tasks.length, heapMB: Math.round(seen.heap / 1e6) };
  } finally {
    await browser.close();
    await server.close();
  }
}
