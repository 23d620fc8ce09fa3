/** Diagnose, from a dropped file to an export that opens again, in a real browser on the built site. */
import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { type Page } from 'playwright/test';
import { trainingSample } from '../src/model/diagnose/sample/training-sample.js';
import { readDiagnosis } from '../src/model/diagnose/read-diagnosis.js';
import { explainSnapshot } from '../src/model/diagnose/snapshot/explain-snapshot.js';
import { readSnapshot } from '../src/model/snapshot/read-snapshot.js';
import { expect, test, watch } from './site.js';

const SAMPLE = trainingSample();
const PICKLE = Buffer.from(SAMPLE.snapshot);
const HASH = '#diagnose?v=1';
const card = (page: Page) => page.locator('app-verdict-card');
const files = (page: Page) => page.locator('app-file-list li');
const rows = (page: Page) => page.locator('app-whatif-table tbody tr:not(.section)');
const answered = (page: Page) =>
  expect(page.locator('app-whatif-table [role=status]')).toContainText('rows answered', { timeout: 60_000 });

/** Drops a file onto the window, as a person would onto any place of the page. */
async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    ([text, file]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], file));
      return transfer;
    },
    [content.toString('base64'), name] as const,
  );
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
  await expect(page.locator('app-drop-zone .zone')).toHaveClass(/over/);
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

async function openSample(page: Page, site: string, more = ''): Promise<void> {
  await page.goto(`${site}${HASH}&sample=snapshot${more}`);
  await answered(page);
}

test('a dropped snapshot is judged, rebuilt with every event, and asked what if, without a request to anywhere', async ({
  page,
  site,
}) => {
  const { problems } = watch(page, site);
  await page.addInitScript('delete Navigator.prototype.gpu');
  await page.goto(site + HASH);
  await expect(page.locator('app-drop-zone')).toContainText('Nothing leaves this page');
  await drop(page, 'oom.pickle', PICKLE);
  await answered(page);
  const { oom_state: states } = explainSnapshot(readSnapshot(SAMPLE.snapshot, 'oom.pickle'));
  const state = states.at(-1);
  const mib = (bytes = 0) => (bytes / 2 ** 20).toFixed(1);
  await expect(card(page)).toContainText('102 MiB were needed in one piece. 266.8 MiB are free, but in 22 pieces.');
  await expect(card(page)).toContainText('expandable_segments:True would have fitted, with 110 MiB to spare.');
  await expect(card(page)).toContainText('1,280 of 1,280 allocations replayed at the recorded address.');
  await expect(card(page).locator('.sums')).toContainText(
    `In ${state?.inactive_blocks ?? 0} holes +${mib(state?.inactive_bytes)}`,
  );
  // The state at the failure, not at the dump.
  await expect(page.locator('app-memory-view')).toContainText(`${mib(state?.allocated_bytes)} allocated`);
  await expect(rows(page).first()).toContainText('stops at 3,486');
  await expect(page.locator('app-whatif-table .best')).toContainText('best');
  await expect(page.locator('app-holdings-list')).toContainText('One free would have been enough');
  expect(problems).toEqual([]);
});

test('a pasted text is explained; refused files leave everything as it was', async ({ page, site }) => {
  await page.goto(site + HASH);
  await page.getByRole('button', { name: 'Paste text' }).click();
  await page.getByLabel('Error message, log or memory summary').fill(SAMPLE.text);
  await page.getByRole('button', { name: 'Explain' }).click();
  await expect(card(page)).toContainText('102 MiB were needed in one piece.');
  await drop(page, 'cut.pickle', PICKLE.subarray(0, 40_000));
  await expect(page.locator('app-drop-zone [role=alert]')).toContainText(
    /cut\.pickle stops at byte 40,000 in the middle of a .*Save it again, or paste the OOM text\./,
  );
  await expect(files(page)).toHaveCount(1);
  await expect(card(page)).toContainText('102 MiB were needed in one piece.');
  // Pasted anywhere outside a field.
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, SAMPLE.text);
  await expect(files(page)).toHaveCount(2);
  await expect(page.locator('app-drop-zone [role=alert]')).toHaveCount(0);
});

test('asks about another size, adds and removes a change, compares ranks, and closes', async ({ page, site }) => {
  await openSample(page, site);
  await page.getByLabel('Does it fit in').fill('2 GiB');
  await page.keyboard.press('Enter');
  await expect(card(page).locator('.kind')).toContainText('Fits');
  await expect(page).toHaveURL(/capacity=2(?:\+|%20)GiB/);
  await page.getByLabel('Does it fit in').fill('two');
  await page.keyboard.press('Enter');
  await expect(page.locator('app-question-form [role=alert]')).toContainText('not a usable size');
  await page.getByRole('button', { name: 'Add a change' }).click();
  await page.locator('app-whatif-table input[name=conf]').fill('max_split_size_mb:25');
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(rows(page).filter({ hasText: 'max_split_size_mb:25' })).toContainText('yes');
  await page.getByRole('button', { name: 'Remove max_split_size_mb:25' }).click();
  await expect(rows(page).filter({ hasText: 'max_split_size_mb:25' })).toHaveCount(0);
  await drop(page, 'rank1.pickle', PICKLE);
  await page.getByRole('button', { name: 'Compare 2 snapshots' }).click();
  await expect(page.locator('app-snapshot-comparison')).toContainText('The same is live in all of them.');
  await page.getByRole('button', { name: 'Close rank1.pickle' }).click();
  await expect(card(page)).toBeVisible();
});

test('exports open again: the page by itself, the data in Diagnose', async ({ page, site }) => {
  await openSample(page, site);
  const save = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  };
  const shared = await save('Save as HTML');
  expect(shared.name).toBe('training-loop-diagnosis.html');
  const other = await page.context().newPage();
  await other.setContent(shared.text);
  await expect(other.locator('body')).toContainText('expandable_segments:True fits where the baseline does not');
  await expect(other.locator('body')).toContainText('keep_log_probs');
  await other.close();
  const data = await save('Save as JSON');
  expect(readDiagnosis(data.text, data.name).verdict).toBe('fragmentation');
  expect((JSON.parse(data.text) as { whatif: { schema: string } }).whatif.schema).toBe('vramlab-whatif');
  await drop(page, data.name, Buffer.from(data.text));
  await expect(files(page)).toHaveCount(2);
  await expect(card(page)).toContainText('102 MiB were needed in one piece.');
});

test('the failure, Back, Forward and a reload bring the same view', async ({ page, site }) => {
  await openSample(page, site, '&event=100');
  const position = page.locator('app-memory-view');
  await expect(position).toContainText('event 100');
  await page.getByRole('button', { name: /^Go to the failure/ }).click();
  await expect(page).toHaveURL(/event=3486/);
  await expect(page.locator('app-holdings-list')).toContainText('at event 3,486');
  await page.goBack();
  await expect(page.locator('app-holdings-list')).toContainText('at event 100');
  await page.goForward();
  await expect(page.locator('app-holdings-list')).toContainText('at event 3,486');
  await page.reload();
  await answered(page);
  await expect(page.locator('app-holdings-list')).toContainText('at event 3,486');
});

test('the best row opens in the Lab beside the recorded run, with the same figures; Back brings the desk', async ({
  page,
  site,
}) => {
  const { problems } = watch(page, site);
  await openSample(page, site);
  const best = page.locator('app-whatif-table .best');
  const peak = (await best.locator('td').first().innerText()).trim();
  await page.getByRole('button', { name: 'Open the best in the Lab' }).click();
  const side = (index: number) => page.locator('app-side-head').nth(index);
  await expect(page).toHaveURL(/#lab/);
  await expect(side(0)).toContainText('Out of memory', { timeout: 60_000 });
  await expect(side(1)).toContainText('expandable_segments:True');
  await expect(side(1)).toContainText(`Completes, peak ${Number(peak).toFixed(0)}`);
  await page.goBack();
  await expect(card(page)).toContainText('102 MiB were needed in one piece');
  expect(problems).toEqual([]);
});

test('a damaged link is refused in words and the rest holds', async ({ page, site }) => {
  await page.goto(`${site}${HASH}&sample=text&event=never`);
  await expect(page.locator('.notice')).toContainText('event=never');
  await expect(card(page)).toContainText('102 MiB were needed in one piece.');
});

test('goes by keyboard from the empty desk to the failure', async ({ page, site }) => {
  await page.goto(site + HASH);
  await expect(page.locator('app-drop-zone')).toBeVisible();
  const focused = () =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return (element?.ariaLabel ?? element?.textContent ?? '').trim().replace(/\s+/g, ' ');
    });
  const tabTo = async (name: RegExp) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      if (name.test(await focused())) return;
    }
    throw new Error(`Tab never reaches ${String(name)}`);
  };
  await tabTo(/^Training loop, runs out of memory/);
  await page.keyboard.press('Enter');
  await answered(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/event=3486/);
  await tabTo(/^By pinned$/);
  await page.keyboard.press('Enter');
  await expect(page.locator('app-holdings-list').getByRole('button', { name: 'By pinned' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

for (const theme of ['light', 'dark'] as const) {
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
  ] as const) {
    test(`is accessible and uncut in ${theme} at ${width} x ${height}`, async ({ page, site }, info) => {
      await page.setViewportSize({ width, height });
      const look = async (name: string) => {
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
          .analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
        const sideways = await page.evaluate(() => {
          const main = document.querySelector('app-shell')?.shadowRoot?.querySelector('main');
          return [document.documentElement, main].map((box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0));
        });
        expect(sideways).toEqual([0, 0]);
        await page.screenshot({ path: info.outputPath(`${name}-${theme}-${width}.png`) });
      };
      await page.goto(`${site}${HASH}&theme=${theme}`);
      await expect(page.locator('app-drop-zone')).toBeVisible();
      await look('empty');
      await openSample(page, site, `&theme=${theme}`);
      await look('snapshot');
      await page.keyboard.press('Shift+P');
      await expect(page.locator('html')).toHaveAttribute('data-present');
      await look('presenter');
      await page.keyboard.press('Shift+P');
      await page.goto(`${site}${HASH}&theme=${theme}&sample=text`);
      await expect(card(page)).toContainText('but in pieces');
      await look('text');
    });
  }
}

test('forced colours keep the best row, the shown file and the drop', async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await openSample(page, site);
  await expect(page.locator('app-whatif-table .best')).toHaveCSS('outline-style', 'solid');
  await expect(page.locator('app-file-list li.current')).toHaveCSS('outline-style', 'solid');
});
