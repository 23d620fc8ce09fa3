/** How Measure looks in each state, in both themes and sizes: saved to look at, and checked for what a machine can see. */
import { type Page } from 'playwright/test';
import { expect, test } from './site.js';
import { ladderReport } from './support/ladder-report.js';

const SIZES = [
  [1440, 900],
  [1024, 768],
] as const;

/** Takes the made-up ladder in as a file, as a person would. */
async function openLadder(page: Page): Promise<void> {
  await page.keyboard.press('h');
  await page.locator('app-runs-dialog input[type=file]').setInputFiles({
    name: 'ladder.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(ladderReport)),
  });
  await expect(page.locator('app-results-table tbody tr').first()).toBeAttached();
  await page.locator('app-runs-dialog').getByRole('button', { name: 'Close' }).click();
}

/** Elements whose text is cut without a scroll bar or an ellipsis, and anything wider than the page. */
const cutTexts = (page: Page) =>
  page.evaluate(() => {
    const cut: string[] = [];
    const visit = (root: Document | ShadowRoot) => {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot !== null) visit(element.shadowRoot);
        const { overflowX, textOverflow, position } = getComputedStyle(element);
        const isHidden = overflowX === 'hidden' && textOverflow !== 'ellipsis' && position !== 'absolute';
        if (isHidden && element.scrollWidth > element.clientWidth + 1)
          cut.push(`${element.localName}.${element.className}`);
      }
    };
    visit(document);
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [...cut, 'the page itself'] : cut;
  });

for (const theme of ['light', 'dark'] as const) {
  for (const [width, height] of SIZES) {
    test(`screens in ${theme} at ${width} x ${height}`, async ({ page, site }, info) => {
      const shot = async (name: string) => {
        expect(await cutTexts(page), name).toEqual([]);
        await page.screenshot({ path: info.outputPath(`${name}-${theme}-${width}.png`) });
      };
      await page.setViewportSize({ width, height });
      await page.goto(`${site}#measure?v=1&theme=${theme}`);
      await expect(page.locator('app-run-bar').getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
      await shot('idle');
      await openLadder(page);
      await shot('ladder');
      await page.getByRole('button', { name: 'For training' }).click();
      await shot('training');
      await page.getByRole('button', { name: 'Export' }).click();
      await shot('export');
      await page.keyboard.press('Escape');
      await page.locator('app-results-table').getByRole('button', { name: 'unstable' }).focus();
      await expect(page.locator('app-results-table .tip')).toBeVisible();
      await shot('tip');
      await page.keyboard.press('h');
      await expect(page.locator('app-runs-dialog dialog')).toBeVisible();
      await shot('runs');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Shift+P');
      await expect(page.locator('html')).toHaveAttribute('data-present');
      await shot('presenter');
      await page.keyboard.press('Shift+P');
      const fresh = await page.context().newPage();
      await fresh.addInitScript('delete Navigator.prototype.gpu');
      await fresh.setViewportSize({ width, height });
      await fresh.goto(`${site}#measure?v=1&theme=${theme}`);
      await expect(fresh.locator('app-missing-gpu')).toBeVisible();
      await fresh.screenshot({ path: info.outputPath(`missing-${theme}-${width}.png`) });
    });
  }
}
