/** Files of Diagnose that come, go and fail: what was there stays, and the page can go on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page } from 'playwright/test';
import { largeSnapshot } from '../src/model/snapshot/testing/large-snapshot.js';
import { expect, test } from './site.js';

const HASH = '#diagnose?v=1';
const input = (page: Page) => page.locator('app-drop-zone input[type=file]');
const files = (page: Page) => page.locator('app-file-list li');
const card = (page: Page) => page.locator('app-verdict-card');
const refusal = (page: Page) => page.locator('app-drop-zone [role=alert]');

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vramlab-f-'));
  writeFileSync(join(folder, 'long.pickle'), largeSnapshot({ events: 150_000, depth: 2, seed: 2 }));
  writeFileSync(join(folder, 'small.pickle'), largeSnapshot({ events: 7000, depth: 2, seed: 3 }));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string) => join(folder, name);

const text = (name: string, words: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(words) });
const OOM = (mib: number) =>
  `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${mib}.00 MiB. GPU 0 has a total capacity of 15.77 GiB of which 10.00 MiB is free. Of the allocated memory 14.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated.`;

/**
 * Waits inside the page for `words` in what `host` shows and presses the button `name` there in the same turn, before the
 * worker can go on: no file has to be large for that. Resolves with the words that stood there.
 */
async function pressAt(page: Page, host: string, words: string, name: string): Promise<() => Promise<string>> {
  const waiting = await page.evaluateHandle(
    ([selector, wanted, label]) => ({
      pressed: new Promise<string>((resolve) => {
        const roots = new Set<Node>();
        const look = (root: Document | ShadowRoot): boolean => {
          if (!roots.has(root)) {
            roots.add(root);
            observer.observe(root, { subtree: true, childList: true, characterData: true });
          }
          for (const element of root.querySelectorAll('*')) {
            const shadow = element.shadowRoot;
            if (shadow === null) continue;
            if (element.matches(selector) && shadow.textContent.includes(wanted)) {
              const button = [...shadow.querySelectorAll('button')].find((each) => each.textContent.trim() === label);
              if (button !== undefined) {
                observer.disconnect();
                button.click();
                resolve(shadow.textContent);
                return true;
              }
            }
            if (look(shadow)) return true;
          }
          return false;
        };
        const observer = new MutationObserver(() => look(document));
        look(document);
      }),
    }),
    [host, words, name] as const,
  );
  return () => waiting.evaluate(({ pressed }) => pressed);
}

test('a file is cancelled while it is read, rebuilt and asked; what was there stays', async ({ page, site }) => {
  await page.goto(site + HASH);
  await input(page).setInputFiles(text('oom.txt', OOM(20)));
  await expect(card(page)).toContainText('20 MiB');
  for (const stage of [
    'Opening long.pickle',
    'Reading long.pickle',
    'Parsing long.pickle',
    'long.pickle: rebuilding',
  ]) {
    const pressed = await pressAt(page, 'app-drop-zone', stage, 'Cancel');
    await input(page).setInputFiles(path('long.pickle'));
    expect(await pressed()).toContain(stage);
    await expect(page.locator('app-drop-zone progress')).toHaveCount(0);
    await expect(files(page)).toHaveCount(1);
    // The text stayed on the stage, and nobody complains.
    await expect(card(page)).toContainText('20 MiB');
    await expect(refusal(page)).toHaveCount(0);
  }
  const view = await pressAt(page, 'app-recorded-view', 'Rebuilding', 'Cancel');
  await input(page).setInputFiles(path('long.pickle'));
  await view();
  await expect(files(page)).toHaveCount(1);
  await expect(card(page)).toContainText('20 MiB');
  // Once more, to the end of the replay; then the table is stopped and goes on.
  const sweep = await pressAt(page, 'app-whatif-table', 'Cancel', 'Cancel');
  await input(page).setInputFiles(path('long.pickle'));
  await sweep();
  const table = page.locator('app-whatif-table');
  await expect(table).toContainText('stopped');
  await expect(page.locator('app-memory-view')).toContainText('allocated');
  await table.getByRole('button', { name: 'Go on' }).click();
  await expect(table).not.toContainText('stopped');
  await page.getByRole('button', { name: 'Close long.pickle' }).click();
  await expect(card(page)).toContainText('20 MiB');
});

test('files side by side, one name twice, one file twice', async ({ page, site }) => {
  await page.goto(site + HASH);
  writeFileSync(path('oom.txt'), OOM(20));
  await input(page).setInputFiles([path('oom.txt'), path('small.pickle')]);
  await expect(files(page)).toHaveCount(2, { timeout: 30_000 });
  await input(page).setInputFiles(path('small.pickle'));
  await expect(card(page)).toContainText('Go to the failure');
  await expect(files(page)).toHaveCount(2);
  await input(page).setInputFiles(text('oom.txt', OOM(30)));
  await expect(files(page)).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Close oom.txt (2)' })).toBeVisible();
  await expect(card(page)).toContainText('30 MiB');
});

test('what cannot be read is refused in one line each, and nothing else changes', async ({ page, site }) => {
  await page.goto(site + HASH);
  await input(page).setInputFiles(text('oom.txt', OOM(20)));
  await expect(card(page)).toContainText('20 MiB');
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
  await input(page).setInputFiles([
    text('empty.pickle', ''),
    { name: 'cat.png', mimeType: 'image/png', buffer: png },
    text('sizes.csv', 'step,loss\n1,0.5\n'),
  ]);
  await expect(refusal(page).locator('p')).toHaveCount(3);
  await expect(refusal(page)).toContainText('empty.pickle: not a snapshot: the file is empty');
  await expect(refusal(page)).toContainText('cat.png: not a snapshot: a PNG picture');
  await expect(refusal(page)).toContainText('sizes.csv: not a snapshot');
  await expect(files(page)).toHaveCount(1);
  await expect(card(page)).toContainText('20 MiB');
  // Chosen, then deleted before it is read.
  writeFileSync(path('gone.pickle'), 'soon gone');
  await page.evaluate(() => {
    const chooser = Object.assign(document.createElement('input'), { type: 'file', id: 'kept' });
    document.body.append(chooser);
  });
  await page.locator('#kept').setInputFiles(path('gone.pickle'));
  rmSync(path('gone.pickle'));
  await page.evaluate(() => {
    const kept = document.querySelector<HTMLInputElement>('#kept')?.files?.[0];
    const data = new DataTransfer();
    if (kept !== undefined) data.items.add(kept);
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await expect(refusal(page)).toContainText('gone.pickle cannot be read');
  await expect(card(page)).toContainText('20 MiB');
});

test('places behind the end, settings and sizes that nobody can use, and no version are refused in words', async ({
  page,
  site,
}) => {
  const notice = page.locator('.notice');
  await page.goto(`${site}${HASH}&sample=snapshot&event=9999999`);
  await expect(notice).toContainText('event=9999999, but the last one here is 3,540', { timeout: 30_000 });
  await expect(page.locator('app-holdings-list')).toContainText('at event 3,486');
  await page.goto(`${site}${HASH}&sample=snapshot&conf=foo:bar&capacity=lots`);
  await expect(notice).toContainText('capacity=lots');
  await expect(notice).toContainText('conf=foo:bar');
  await expect(page.locator('app-verdict-card .kind')).toContainText('Fragmentation');
  await page.goto(`${site}#diagnose?v=`);
  await expect(notice).toContainText('The version of this link cannot be read');
  await expect(page.locator('app-verdict-card .kind')).toContainText('Fragmentation');
});
