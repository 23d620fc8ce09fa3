/** The Lab, from one press to files on disk, in a real browser on the built site. */
import { readFileSync } from 'node:fs';
import { type Download, type Page } from 'playwright/test';
import { readSnapshot } from '../src/model/snapshot/read-snapshot.js';
import { parseTrace } from '../src/model/trace/trace-reader.js';
import { expect, test, watch } from './site.js';
import { violations } from './support/axe.js';

const RUN_LIMIT_MS = 60_000;
const head = (page: Page, side: 'A' | 'B') => page.locator('app-side-head').nth(side === 'A' ? 0 : 1);
const why = (page: Page) => page.locator('app-why-panel');
const stopped = (page: Page) => expect(head(page, 'A')).toContainText('Out of memory', { timeout: RUN_LIMIT_MS });
const tried = (page: Page) => expect(why(page)).not.toContainText('Trying changes', { timeout: RUN_LIMIT_MS });

async function exported(page: Page, item: string): Promise<Download> {
  const menu = page.locator('app-lab-export');
  await menu.getByRole('button', { name: 'Export', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    menu.getByRole('button', { name: item }).click(),
  ]);
  return download;
}

async function drop(page: Page, name: string, content: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([file, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text ?? ''], file ?? ''));
      return transfer;
    },
    [name, content],
  );
  await page.dispatchEvent('app-lab-page', 'dragenter', { dataTransfer: data });
  await expect(page.getByText('Drop a trace file')).toBeVisible();
  await page.dispatchEvent('app-lab-page', 'drop', { dataTransfer: data });
}

test('opens on the failure and says why, with its arithmetic', async ({ page, site }) => {
  const { problems } = watch(page, site);
  await page.goto(site);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Lab' }).click();
  await stopped(page);
  await expect(page).toHaveTitle(/^Lab/);
  await expect(head(page, 'A')).toContainText('Temporary concat');
  await expect(head(page, 'B')).toContainText('Completes, peak 912 MiB');
  await expect(why(page)).toContainText('102 MiB were needed in one piece. 266.8 MiB are free, but in 22 pieces.');
  await expect(why(page)).toContainText('gives back 90 MiB: 88 + 90 = 178 \u2265 102');
  await tried(page);
  await expect(why(page)).toContainText('expandable_segments:True peaks at 962 MiB, 30 MiB to spare.');
  await expect(page.locator('app-memory-view')).toContainText('2,385 of 2,863');
  expect(problems).toEqual([]);
});

test('one press shows concats fail, why, and the fix fit at twice the batch', async ({ page, site }) => {
  await page.goto(`${site}#lab`);
  await page.getByRole('button', { name: /^Show the 13B case/ }).click();
  await expect(head(page, 'A')).toContainText('Temporary concat, batch 4', { timeout: RUN_LIMIT_MS });
  await stopped(page);
  await expect(head(page, 'B')).toContainText('Preallocated reuse, batch 8');
  await expect(head(page, 'B')).toContainText('Completes, peak 37.5 GiB');
  await expect(why(page)).toContainText('1.2 GiB were needed in one piece. 7.6 GiB are free, but in 39 pieces.');
  await tried(page);
  await expect(why(page)).toContainText('Preallocated reuse (variant=prealloc b=8) peaks at 37.5 GiB');
  await expect(page).toHaveURL(/#lab\?v=1&pair=batch&w=case13b&p\.seed=2&p\.steps=3$/);
});

test('a link, Back, Forward and a reload in the middle bring the same view again', async ({ page, site }) => {
  await page.goto(`${site}#lab?v=1`);
  await stopped(page);
  await page.getByRole('button', { name: /^Setting/ }).click();
  await expect(head(page, 'B')).toContainText('Expandable segments');
  await page.locator('app-lab-rail').getByLabel('Budget of each side').fill('1 GiB');
  await page.locator('app-lab-rail').getByLabel('Budget of each side').press('Enter');
  await expect(page).toHaveURL(/pair=setting&budget=1\+GiB/);
  await page.goBack();
  await expect(page).toHaveURL(/pair=setting$/);
  await stopped(page);
  await page.locator('app-memory-view').getByRole('spinbutton').first().fill('1200');
  await page.locator('app-memory-view').getByRole('spinbutton').first().press('Enter');
  await expect(page).toHaveURL(/t=1200$/);
  await expect(why(page)).toContainText('A at this moment');
  const words = await why(page).innerText();
  await page.reload();
  await expect(why(page)).toContainText('A at this moment', { timeout: RUN_LIMIT_MS });
  expect(await why(page).innerText()).toBe(words);
  await page.goBack();
  await expect(page).toHaveURL(/#lab\?v=1$/);
  await expect(head(page, 'B')).toContainText('Preallocated reuse');
  await page.goForward();
  await expect(head(page, 'B')).toContainText('Expandable segments');
});

test('refuses damaged parts of a link in words and shows the rest', async ({ page, site }) => {
  await page.goto(`${site}#lab?v=1&w=layer-bank&p.layers=none&pair=up`);
  const notice = page.locator('.notices').first();
  await expect(notice).toContainText('p.layers=none');
  await expect(notice).toContainText('pair=up');
  await stopped(page);
  await page.goto(`${site}#lab?v=99&w=churn`);
  await expect(notice).toContainText('made by another version (99)');
  await stopped(page);
});

test('what is taken away opens again', async ({ page, site }) => {
  await page.goto(`${site}#lab?v=1&w=layer-bank`);
  await stopped(page);
  const snapshot = await exported(page, 'Snapshot of A for PyTorch');
  const read = readSnapshot(readFileSync(await snapshot.path()), 'a.pickle');
  expect(read.traces.some(({ count }) => count > 100)).toBe(true);
  const picture = await exported(page, 'Picture of the maps');
  expect(
    readFileSync(await picture.path())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  const shared = await exported(page, 'Page of both sides');
  expect(shared.suggestedFilename()).toBe('vramlab-layer-bank.html');
  const html = readFileSync(await shared.path(), 'utf8');
  const alone = await page.context().newPage();
  const asked: string[] = [];
  alone.on('request', (request) => asked.push(request.url()));
  await alone.setContent(html);
  await expect(alone.getByRole('heading', { name: 'Why A stopped' })).toBeVisible();
  await expect(alone.getByText('were needed in one piece')).toBeVisible();
  await expect
    .poll(() => alone.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(500);
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([]);
  expect(await violations(alone)).toEqual([]);
  await alone.close();
  const report = await exported(page, 'Report of both sides');
  const told = readFileSync(await report.path(), 'utf8');
  expect(JSON.parse(told)).toMatchObject({
    schema: 'vramlab-lab',
    tool: { name: 'vramlab' },
    a: { schema: 'vramlab-replay', outcome: 'out-of-memory', oom: { operation: 264 } },
    b: { outcome: 'completed' },
  });
  const trace = await exported(page, 'Trace of A');
  const text = readFileSync(await trace.path(), 'utf8');
  expect(parseTrace(text).trace.length).toBe(405);

  await page.goto(`${site}#lab?v=1`);
  await expect(head(page, 'A')).toContainText('step 16');
  await drop(page, 'report.json', told);
  await expect(page).toHaveURL(/w=layer-bank/);
  await drop(page, 'mine.trace.json', text);
  await expect(page.locator('app-lab-rail')).toContainText('mine.trace.json');
  await stopped(page);
  await expect(head(page, 'B')).toContainText('Expandable segments');
  await page.reload();
  await expect(page.locator('app-lab-page .notices')).toContainText('mine.trace.json, which no link can carry');
  await drop(page, 'odd.json', '{"schema":"vramlab-trace","version":9}');
  await expect(page.locator('app-lab-page .notices')).toContainText('odd.json');
  await drop(page, 'zeros.bin', '\0'.repeat(5000));
  await expect(page.locator('app-lab-page .notices')).toContainText(
    'zeros.bin: not a trace file: it starts with the bytes',
  );
});

test('works without WebGPU', async ({ page, site }) => {
  const { problems } = watch(page, site);
  await page.addInitScript('delete Navigator.prototype.gpu');
  await page.goto(`${site}#lab?v=1`);
  await stopped(page);
  await expect(page.getByRole('button', { name: 'Run both on the GPU' })).toBeDisabled();
  await expect(page.locator('app-lab-page')).toContainText('No adapter here, so only the model runs.');
  expect(problems).toEqual([]);
});

test('runs on real buffers, and can be cancelled', async ({ page, site }) => {
  await page.goto(`${site}#lab?v=1&pair=own&w=checkerboard&b=direct&bc=`);
  await stopped(page);
  const run = page.getByRole('button', { name: 'Run both on the GPU' });
  await expect(run).toBeEnabled({ timeout: RUN_LIMIT_MS });
  await run.click();
  const real = page.locator('app-real-buffers');
  await expect(real).toContainText('Segments created', { timeout: RUN_LIMIT_MS });
  await expect(run).toBeEnabled({ timeout: RUN_LIMIT_MS });
  await expect(real.getByRole('row', { name: /^Outcome met/ })).toContainText('out of memory');
  await expect(real.locator('.bad')).toHaveCount(0);
  await expect(real.locator('.badge')).toHaveText('Software');

  await page.goto(`${site}#lab?v=1`);
  await expect(head(page, 'A')).toContainText('step 16');
  await run.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(real).toContainText('stopped');
  await expect(run).toBeEnabled();
});

test('the whole flow goes by keyboard', async ({ page, site }) => {
  await page.goto(site);
  await expect(page.locator('app-run-bar')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.locator('app-command-palette').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('go to lab');
  await page.keyboard.press('Enter');
  await stopped(page);
  await page.keyboard.press('b');
  await expect(head(page, 'A')).toContainText('batch 4', { timeout: RUN_LIMIT_MS });
  await stopped(page);
  await page.keyboard.press('Shift+Comma');
  await expect(why(page)).toContainText('A at this moment');
  await page.keyboard.press('.');
  await page.keyboard.press('o');
  await expect(why(page)).toContainText('Why A stopped');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('One operation on');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  const download = page.waitForEvent('download');
  await page.keyboard.press('e');
  expect((await download).suggestedFilename()).toBe('vramlab-case13b.json');
});

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing, wide, narrow and presenting (${theme})`, async ({ page, site }, info) => {
    for (const [width, height, present] of [
      [1440, 900, ''],
      [1440, 900, '&present=1'],
      [1024, 768, ''],
      [1024, 768, '&present=1'],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`${site}#lab?v=1&theme=${theme}${present}`);
      await stopped(page);
      if (present === '') await tried(page);
      expect(await violations(page)).toEqual([]);
      const sideways = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect(sideways).toBe(0);
      const name = `lab-${theme}-${width}${present === '' ? '' : '-presenter'}.png`;
      await page.screenshot({ path: info.outputPath(name) });
      await page.goto('about:blank');
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${site}#lab?v=1&theme=${theme}&t=1200`);
    await expect(why(page)).toContainText('A at this moment');
    expect(await violations(page)).toEqual([]);
  });
}

test('forced colours and less motion are honoured', async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.goto(`${site}#lab?v=1`);
  await stopped(page);
  await expect(page.locator('app-lab-rail [aria-pressed=true]')).toHaveCSS('outline-style', 'solid');
  expect(await violations(page)).toEqual([]);
});

test('nothing is cut sideways at 320 x 640', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${site}#lab?v=1`);
  await stopped(page);
  const sideways = await page.evaluate(() => {
    const main = document.querySelector('app-shell')?.shadowRoot?.querySelector('main');
    return [document.documentElement, main].map((box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0));
  });
  expect(sideways).toEqual([0, 0]);
});
