/** Measure, from opening the page to the report on disk, in a real browser on the built site. */
import { readFileSync } from 'node:fs';
import { type Page } from 'playwright/test';
import { readReport } from '../src/model/report/read.js';
import { DEFAULT_SUITES } from '../src/model/report/suites.js';
import { expect, test, watch } from './site.js';

/** The smallest run that still draws both lines. */
const SMALL = '#measure?v=1&filter=%2Fvec4%2F1MiB%7Ccopy-buffer';
const RUN_LIMIT_MS = 60_000;

const bar = (page: Page) => page.locator('app-run-bar');
const runButton = (page: Page) => bar(page).getByRole('button', { name: /^Run( again)?$/ });
const done = (page: Page) => expect(bar(page).locator('.line')).toContainText('Done in', { timeout: RUN_LIMIT_MS });

async function exportAs(page: Page, item: RegExp): Promise<void> {
  await bar(page).getByRole('button', { name: 'Export', exact: true }).click();
  await bar(page).getByRole('button', { name: item }).click();
}

async function exported(page: Page, by: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), by()]);
  const name = download.suggestedFilename();
  return { name, report: readReport(readFileSync(await download.path(), 'utf8'), name) };
}

test('describes the adapter, runs, draws, lists and exports a report that reads back', async ({ page, site }) => {
  const { problems } = watch(page, site);
  await page.goto(site + SMALL);
  await expect(page.locator('app-adapter-card .badge')).toHaveText('Software');
  await expect(page.locator('app-shell-bar .badge')).toHaveText('Software');
  await expect(page.locator('app-adapter-card')).toContainText('none says what a GPU does');
  await runButton(page).click();
  await done(page);

  const rows = page.locator('app-results-table tbody tr');
  expect(await rows.count()).toBeGreaterThan(3);
  await expect(rows.first()).toContainText('verified');
  await expect(page.locator('app-results-table .head .badge')).toHaveText('Software');
  const chart = page.locator('app-line-chart').first();
  await expect(chart.locator('.plot')).toHaveAttribute('aria-label', /kernel [\d.]+ GB\/s .*copyBufferToBuffer [\d.]+/);
  await expect(chart.locator('figcaption .badge')).toHaveText('Software');
  await chart.getByRole('button', { name: 'Table' }).click();
  expect(await chart.locator('tbody tr').count()).toBeGreaterThan(1);

  const { name, report } = await exported(page, () => exportAs(page, /^Report/));
  expect(name).toMatch(/^vramlab-software-\d{4}-\d\d-\d\d-\d{6}\.json$/);
  expect(report.complete).toBe(true);
  expect(report.environment?.adapter.class).toBe('software');
  expect(report.results.map((row) => row.id)).toEqual(await rows.locator('th').allTextContents());
  expect(problems).toEqual([]);
});

test('cancels within a second, keeps what came and runs again', async ({ page, site }) => {
  await page.goto(`${site}#measure?v=1&preset=full`);
  await runButton(page).click();
  await expect(page.locator('app-results-table tbody tr').first()).toBeVisible({ timeout: RUN_LIMIT_MS });
  const tookMs = await page.evaluate(async () => {
    const shell = document.querySelector('app-shell')?.shadowRoot;
    const runBar = shell?.querySelector('app-measure-page')?.shadowRoot?.querySelector('app-run-bar')?.shadowRoot;
    const cancel = [...(runBar?.querySelectorAll('button') ?? [])].find((each) => each.textContent.includes('Cancel'));
    const stopped = new Promise<number>((resolve) => {
      const look = () => {
        if (runBar?.querySelector('.line')?.textContent.includes('Stopped') === true) resolve(performance.now());
        else requestAnimationFrame(look);
      };
      look();
    });
    const startedAt = performance.now();
    cancel?.click();
    return (await stopped) - startedAt;
  });
  test.info().annotations.push({ type: 'figure', description: `cancelled in ${tookMs.toFixed(0)} ms` });
  expect(tookMs).toBeLessThan(1000);
  await expect(bar(page).locator('.line')).toContainText('incomplete');
  const { name, report } = await exported(page, () => exportAs(page, /^Report/));
  expect(name).toMatch(/-incomplete\.json$/);
  expect(report).toMatchObject({ complete: false, incompleteReason: 'cancelled in the page' });
  expect(report.results.length).toBeGreaterThan(0);

  await page.locator('app-run-settings').getByLabel('Filter').fill('/vec4/1MiB');
  await page.locator('app-run-settings').getByLabel('Quick').check();
  await runButton(page).click();
  await done(page);
});

test('keeps every task of the main thread under 50 ms once a run has started', async ({ page, site }) => {
  await page.goto(site + SMALL);
  await expect(page.locator('app-line-chart svg.chart').first()).toBeVisible();
  await expect(runButton(page)).toBeEnabled();
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { longTasks: tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
      type: 'longtask',
    });
  });
  await runButton(page).click();
  await done(page);
  const tasks = await page.evaluate<number[]>('globalThis.longTasks');
  expect(tasks).toEqual([]);
});

test('refuses settings in words and lets nothing start until they are right', async ({ page, site }) => {
  await page.goto(site);
  const settings = page.locator('app-run-settings');
  await expect(runButton(page)).toBeEnabled();
  await settings.getByLabel('Budget').fill('lots');
  await expect(settings.getByRole('alert')).toContainText('Write a size with a unit');
  await expect(runButton(page)).toBeDisabled();
  await settings.getByLabel('Budget').fill('512 MiB');
  await expect(settings.getByRole('alert')).toHaveCount(0);
  await expect(runButton(page)).toBeEnabled();
  for (const suite of DEFAULT_SUITES) await page.locator('app-suite-list').getByLabel(suite).uncheck();
  await expect(page.locator('app-suite-list').getByRole('alert')).toContainText('Choose at least one suite');
});

test('keeps theme and settings in the link and over a reload, and refuses a damaged link in words', async ({
  page,
  site,
}) => {
  await page.goto(site);
  await page.locator('app-run-settings').getByLabel('Seed').fill('77');
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.locator('app-shell-bar').getByLabel('Dark').check();
  await expect(page).toHaveURL(/#measure\?v=1&theme=dark&seed=77$/);
  await page.goto('about:blank');
  await page.goto(site);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('app-run-settings').getByLabel('Seed')).toHaveValue('77');
  await page.goto(`${site}#measure?v=1&preset=fast&seed=5`);
  const notice = page.locator('.notices').first();
  await expect(notice).toContainText('preset=fast');
  await expect(page.locator('app-run-settings').getByLabel('Seed')).toHaveValue('5');
  await notice.getByRole('button').click();
  await expect(notice).toHaveText('');
});

test('says what is missing without WebGPU and breaks nothing', async ({ page, site }) => {
  const { problems } = watch(page, site);
  await page.addInitScript('delete Navigator.prototype.gpu');
  await page.goto(site);
  await expect(page.getByRole('heading', { name: 'This browser has no WebGPU' })).toBeVisible();
  await expect(page.locator('app-missing-gpu')).toContainText('chrome://gpu');
  await expect(page.locator('app-shell-bar .badge')).toHaveText('No adapter');
  await page.getByRole('button', { name: 'Ask again' }).click();
  await expect(page.getByRole('heading', { name: 'This browser has no WebGPU' })).toBeVisible();
  await page.keyboard.press('r');
  expect(problems).toEqual([]);
});

test('allows no connection, no inline code and nothing from elsewhere', async ({ page, site }) => {
  await page.goto(site);
  await expect(page.locator('app-run-bar')).toBeVisible();
  const policy = await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content');
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toContain('unsafe');
  const blocked = await page.evaluate(async () => {
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
    await fetch('https://example.com/').catch(() => undefined);
    const script = document.createElement('script');
    script.textContent = 'globalThis.wasRun = true';
    document.head.append(script);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { violations, wasRun: 'wasRun' in globalThis };
  });
  expect(blocked).toEqual({ violations: ['connect-src', 'script-src-elem'], wasRun: false });
});
