/** The lab in Chinese: what the models say, refusals, dialogs and lists are Chinese too, on each page. */
import { gzipSync } from 'node:zlib';
import { type Page } from 'playwright/test';
import { expect, test } from './site.js';
import { ladderReport } from './support/ladder-report.js';
import { englishTexts } from './support/texts.js';

const READY_MS = 60_000;
const planned = async (page: Page): Promise<void> => {
  await expect(page.locator('app-term-table tbody tr').first()).toBeVisible({ timeout: READY_MS });
};
/** The replays that look for what fits are at their end. */
const tried = async (page: Page): Promise<void> => {
  await expect(page.locator('app-plan-page .changes li').first()).toBeVisible({ timeout: READY_MS });
};

const SCREENS: readonly (readonly [hash: string, settle: (page: Page) => Promise<void>])[] = [
  ['plan?v=1&arch=gpt2&seq=256&batch=2&zero=0&dp=1&capacity=1GiB', tried],
  ['plan?v=1&arch=&params=7e9', planned],
  ['plan?v=1&mode=inference&arch=gpt2&weights=int8&zero=0&dp=1&seq=256', planned],
  ['plan?v=1&mode=lora&arch=gpt2&zero=0&dp=1&recompute=full&flash=&seq=256', planned],
  [
    'plan?v=1&arch=gpt2&tp=5&batch=x',
    (page) => expect(page.locator('app-plan-form [role=alert]').first()).toBeVisible(),
  ],
  [
    'lab?v=1',
    async (page) => {
      await expect(page.locator('app-why-panel')).toContainText('MiB', { timeout: READY_MS });
      await page.locator('app-lab-rail input[name=parameter-steps]').fill('many');
      await page.keyboard.press('Tab');
      await expect(page.locator('app-lab-rail [role=alert]').first()).toBeVisible();
    },
  ],
  ['lesson?v=1&lesson=none-such', (page) => expect(page.locator('app-lesson-page .notice')).toContainText('none-such')],
  ['measure?v=1&budget=much', (page) => expect(page.locator('app-run-bar button.primary')).toBeAttached()],
];

for (const [hash, settle] of SCREENS) {
  test(`${hash} says nothing in English`, async ({ page, site }) => {
    test.setTimeout(2 * READY_MS);
    await page.goto(`${site}#${hash}&lang=zh`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans');
    await settle(page);
    expect(await englishTexts(page)).toEqual([]);
  });
}

test('the palette and the kept runs say nothing in English, nor do damaged files', async ({ page, site }) => {
  await page.goto(`${site}#measure?v=1&lang=zh`);
  await expect(page.locator('app-run-bar button.primary')).toBeEnabled({ timeout: READY_MS });
  await page.keyboard.press('Control+k');
  await expect(page.locator('app-command-palette dialog')).toBeVisible();
  expect(await englishTexts(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.locator('app-command-palette dialog')).toBeHidden();
  await page.keyboard.press('h');
  await expect(page.locator('app-runs-dialog dialog')).toBeVisible();
  const open = (text: string) =>
    page.locator('app-runs-dialog input[type=file]').setInputFiles({
      name: 'ladder.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
  await open('{"schema": "vramlab-report", "version": 1}');
  await expect(page.locator('app-runs-dialog .trouble')).toContainText('ladder.json');
  expect(await englishTexts(page)).toEqual([]);
  await open(JSON.stringify(ladderReport));
  await expect(page.locator('app-results-table tbody tr').first()).toBeAttached();
  expect(await englishTexts(page)).toEqual([]);
});

test('Plan reads a configuration that is packed, and refuses one of another kind in Chinese', async ({
  page,
  site,
}) => {
  await page.goto(`${site}#plan?v=1&arch=gpt2&seq=256&batch=2&zero=0&dp=1&lang=zh`);
  await planned(page);
  const open = (name: string, fields: object) =>
    page.locator('app-plan-form input[type=file]').setInputFiles({
      name,
      mimeType: 'application/gzip',
      buffer: gzipSync(JSON.stringify(fields)),
    });
  await open('other.json.gz', { model_type: 'other' });
  await expect(page.locator('app-plan-form [role=alert]')).toContainText('other');
  expect(await englishTexts(page)).toEqual([]);
  const sizes = {
    hidden_size: 64,
    num_attention_heads: 4,
    num_hidden_layers: 2,
    intermediate_size: 128,
    vocab_size: 1000,
  };
  await open('small.json.gz', { model_type: 'llama', _name_or_path: 'my-small', ...sizes });
  await expect(page.locator('app-card-bar')).toContainText('my-small');
});
