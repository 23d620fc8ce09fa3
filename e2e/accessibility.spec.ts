/** WCAG A and AA by axe, the whole flow by keyboard, and what the system asks for: forced colours, less motion. */
import { type Page } from 'playwright/test';
import { expect, test } from './site.js';
import { violations } from './support/axe.js';

const SMALL = 'v=1&filter=%2Fvec4%2F1MiB%7Ccopy-buffer';
const RUN_LIMIT_MS = 60_000;

const line = (page: Page) => page.locator('app-run-bar .line');
const runs = (page: Page) => page.locator('app-run-bar').getByRole('button', { name: /^Run( again)?$/ });

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing when idle, running, done, refused and without WebGPU (${theme})`, async ({ page, site }) => {
    await page.goto(`${site}#measure?${SMALL}&theme=${theme}`);
    await expect(runs(page)).toBeEnabled();
    expect(await violations(page)).toEqual([]);
    await runs(page).click();
    await expect(page.locator('app-results-table tbody tr').first()).toBeVisible({ timeout: RUN_LIMIT_MS });
    await expect(page.locator('app-run-bar').getByRole('button', { name: 'Cancel' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await expect(line(page)).toContainText('Done in', { timeout: RUN_LIMIT_MS });
    expect(await violations(page)).toEqual([]);
    await page.locator('app-line-chart').first().getByRole('button', { name: 'Table' }).click();
    await page.locator('app-run-settings').getByLabel('Seed').fill('x');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keyboard help' }).click();
    expect(await violations(page)).toEqual([]);
    // A tab of its own: this one would show its run again, which needs no adapter.
    const without = await page.context().newPage();
    await without.addInitScript('delete Navigator.prototype.gpu');
    await without.goto(`${site}#measure?v=1&theme=${theme}&preset=odd`);
    await expect(without.locator('app-missing-gpu')).toBeVisible();
    expect(await violations(without)).toEqual([]);
  });
}

/** What has the focus, through shadow roots: its name or label. */
const focused = (page: Page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const label = element instanceof HTMLInputElement ? element.name || element.labels?.[0]?.textContent : '';
    return (element?.ariaLabel ?? (label || element?.textContent) ?? '').trim().replace(/\s+/g, ' ');
  });
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (typeof name === 'string' ? now === name : name.test(now)) return;
  }
  throw new Error(`Tab never reaches ${String(name)}; last: ${await focused(page)}`);
}

test('the whole flow goes by keyboard', async ({ page, site }) => {
  await page.goto(`${site}#measure?v=1`);
  await expect(runs(page)).toBeEnabled();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  await tabTo(page, 'Theme');
  await page.keyboard.press('Enter');
  await tabTo(page, 'theme');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.keyboard.press('Escape');
  await tabTo(page, 'filter');
  await page.keyboard.type('/vec4/1MiB|copy-buffer');
  await tabTo(page, 'Run');
  await page.keyboard.press('Enter');
  await expect(line(page)).toContainText('Done in', { timeout: RUN_LIMIT_MS });
  await tabTo(page, /^Bandwidth by working set/);
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('app-line-chart').first().locator('[role=status]')).toContainText(/GB\/s, .* samples/);
  await tabTo(page, 'Flagged');
  await page.keyboard.press('Space');
  await expect(page.locator('app-results-table').getByRole('button', { name: 'Flagged' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  const download = page.waitForEvent('download');
  await page.keyboard.press('e');
  await download;
  await page.keyboard.press('r');
  await expect(page.locator('app-run-bar').getByRole('button', { name: 'Cancel' })).toBeVisible();
  await page.keyboard.press('c');
  await expect(line(page)).toContainText('Stopped');
});

test('single letters do nothing in a field, and nothing at all when they are switched off', async ({ page, site }) => {
  await page.goto(`${site}#measure?v=1`);
  await expect(runs(page)).toBeEnabled();
  await page.locator('app-run-settings').getByLabel('Filter').focus();
  await page.keyboard.type('r');
  await expect(line(page)).toContainText('No run yet');
  await page.getByRole('button', { name: 'Keyboard help' }).click();
  await page.getByLabel('Single letters are commands').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await expect(line(page)).toContainText('No run yet');
  await expect(page).toHaveURL(/keys=off/);
});

test('forced colours keep the pressed state, the badge and the lines', async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.goto(`${site}#measure?v=1`);
  await expect(page.locator('app-adapter-card .badge')).toHaveCSS('border-style', 'solid');
  await expect(page.locator('app-results-table [aria-pressed=true]')).toHaveCSS('outline-style', 'solid');
  const tokens = await page.evaluate(() => {
    const style = getComputedStyle(document.documentElement);
    return [style.getPropertyValue('--series-1'), parseFloat(style.getPropertyValue('--duration-1'))];
  });
  expect(tokens).toEqual(['CanvasText', 0]);
});

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [320, 640],
] as const) {
  test(`nothing is cut sideways at ${width} x ${height}`, async ({ page, site }) => {
    await page.setViewportSize({ width, height });
    await page.goto(site);
    await expect(runs(page)).toBeEnabled();
    const sideways = await page.evaluate(() => {
      const main = document.querySelector('app-shell')?.shadowRoot?.querySelector('main');
      return [document.documentElement, main].map((box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0));
    });
    expect(sideways).toEqual([0, 0]);
  });
}
