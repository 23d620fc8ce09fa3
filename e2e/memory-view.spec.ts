/** The memory view under fingers, drags and what the system asks for; and what a window does with files nobody takes. */
import { type Page } from 'playwright/test';
import { expect, test, watch } from './site.js';

const RUN_LIMIT_MS = 60_000;
const view = (page: Page) => page.locator('app-memory-view');
const stopped = (page: Page) =>
  expect(page.locator('app-side-head').first()).toContainText('Out of memory', { timeout: RUN_LIMIT_MS });

async function openLab(page: Page, site: string, more = ''): Promise<void> {
  await page.goto(`${site}#lab?v=1${more}`);
  await stopped(page);
  await expect(view(page).locator('.loading')).toHaveCount(0);
}

async function boxOf(page: Page, part: string) {
  const box = await view(page).locator(part).first().boundingBox();
  if (box === null) throw new Error(`${part} is not on the page`);
  return box;
}

/** What a person sees of a part, as bytes that can be compared. */
const seen = async (page: Page, part: string) =>
  (await view(page).locator(part).first().screenshot({ animations: 'disabled' })).toString('base64');

/** Two fingers from one distance to another, around the middle of a part. */
async function pinch(page: Page, part: string, from: number, to: number): Promise<void> {
  const { x, y, width, height } = await boxOf(page, part);
  const session = await page.context().newCDPSession(page);
  const at = (apart: number) =>
    [-1, 1].map((side, id) => ({ x: x + width / 2 + (side * apart) / 2, y: y + height / 2, id }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) });
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(from + share * (to - from)) });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('Shift and a drag select a range on the tracks, and a press without it moves the playhead', async ({
  page,
  site,
}) => {
  await openLab(page, site);
  const { x, y, width, height } = await boxOf(page, '.tracks');
  await page.keyboard.down('Shift');
  await page.mouse.move(x + width * 0.3, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.5, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const fields = view(page).locator('.range input');
  await expect(fields).toHaveCount(2);
  const [from, to] = await fields.evaluateAll((all) => all.map((each) => Number((each as HTMLInputElement).value)));
  expect(from).toBeGreaterThan(0);
  expect(to).toBeGreaterThan(from ?? 0);
  // The drag was a selection: the playhead is still at the failure.
  await expect(page).not.toHaveURL(/t=/);
  await page.mouse.click(x + width * 0.4, y + height / 2);
  const url = () => Number(/t=(\d+)/.exec(page.url())?.[1] ?? -1);
  await expect.poll(url).toBeGreaterThan(from ?? 0);
  expect(url()).toBeLessThan(to ?? 0);
  await page.getByRole('button', { name: /^Setting/ }).click();
  await expect(page.locator('app-side-head').nth(1)).toContainText('Expandable segments');
  await expect(fields).toHaveCount(0);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  for (const part of ['.map', '.tracks']) {
    test(`two fingers zoom ${part}, and the page stays where it is`, async ({ page, site }) => {
      await openLab(page, site);
      const before = await seen(page, part);
      await pinch(page, part, 60, 240);
      await expect.poll(() => seen(page, part)).not.toBe(before);
      expect(await page.evaluate(() => [visualViewport?.scale, scrollY])).toEqual([1, 0]);
      await pinch(page, part, 300, 20);
      await pinch(page, part, 300, 20);
      if (part === '.map') await expect.poll(() => seen(page, part)).toBe(before);
    });
  }
});

test('a map with more rows than fit scrolls by wheel and by its strip', async ({ page, site }) => {
  await openLab(page, site, '&rows=single');
  const strip = await boxOf(page, '.strip');
  // It opens on the request that failed, which is none of the first rows.
  const opened = await seen(page, '.map');
  await page.mouse.click(strip.x + strip.width / 2, strip.y + 4);
  await expect.poll(() => seen(page, '.map')).not.toBe(opened);
  await page.mouse.move(5, 5);
  const start = await seen(page, '.map');
  await page.mouse.click(strip.x + strip.width / 2, strip.y + strip.height - 4);
  await expect.poll(() => seen(page, '.map')).not.toBe(start);
  const map = await boxOf(page, '.map');
  await page.mouse.move(map.x + map.width / 2, map.y + map.height / 2);
  for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -5000);
  await page.mouse.move(5, 5);
  await expect.poll(() => seen(page, '.map')).toBe(start);
});

test('forced colours draw the maps in colours of the system, and less motion lets nothing glide', async ({
  page,
  site,
}) => {
  await openLab(page, site);
  const [map, tracks] = [await seen(page, '.map'), await seen(page, '.tracks')];
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  // At once, without a reload.
  await expect.poll(() => seen(page, '.map')).not.toBe(map);
  await expect.poll(() => seen(page, '.tracks')).not.toBe(tracks);
  await expect(page.locator('app-why-panel .mark').first()).toHaveCSS('forced-color-adjust', 'auto');
  expect(
    await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--duration-1'))),
  ).toBe(0);
});

for (const [width, height, more] of [
  [1440, 900, ''],
  [1024, 768, ''],
  [1024, 768, '&present=1'],
  [1920, 1080, '&present=1'],
] as const) {
  test(`titles of the sides are whole at ${width} x ${height}${more}`, async ({ page, site }) => {
    await page.setViewportSize({ width, height });
    await openLab(page, site, `&pair=batch&w=case13b&p.seed=2&p.steps=3${more}`);
    await expect(page.locator('app-side-head')).toHaveCount(2);
    const titles = await page
      .locator('app-side-head h2')
      .evaluateAll((all) => all.map((each) => [each.textContent, each.scrollWidth > each.clientWidth]));
    expect(titles).toEqual([
      ['Temporary concat, batch 4', false],
      ['Preallocated reuse, batch 8', false],
    ]);
    const tops = await view(page)
      .locator('.map')
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
    expect(tops[0]).toBe(tops[1]);
  });
}

for (const [width, height] of [
  [720, 450],
  [320, 640],
] as const) {
  test(`nothing of one side lies on the other at ${width} x ${height}, as at 200 % and more`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height });
    await openLab(page, site);
    const boxes = await view(page)
      .locator('.side, .legend, .detail, .transport, .tracks')
      .evaluateAll((all) =>
        all.map((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          return { top, bottom, content: top + each.scrollHeight };
        }),
      );
    expect(boxes).toHaveLength(6);
    boxes.forEach(({ top, content }, index) => {
      expect(top).toBeGreaterThanOrEqual((boxes[index - 1]?.bottom ?? -Infinity) - 1);
      expect(content).toBeLessThanOrEqual((boxes[index + 1]?.top ?? Infinity) + 2);
    });
    const maps = await view(page)
      .locator('.map')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...maps)).toBeGreaterThan(120);
  });
}

test('a file let go where no page takes one leaves the app and its run in place', async ({ page, site }) => {
  const { problems } = watch(page, site);
  for (const name of ['measure', 'lesson', 'plan']) {
    await page.goto(`${site}#${name}?v=1`);
    await expect(page.locator('app-shell')).toBeVisible();
    const isRefused = await page.evaluate(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'], 'x.txt'));
      const init = { dataTransfer: transfer, bubbles: true, cancelable: true, composed: true };
      return ['dragover', 'drop'].map((type) => !document.body.dispatchEvent(new DragEvent(type, init)));
    });
    // Refused by us: what a browser does by itself is to go to the file.
    expect(isRefused, name).toEqual([true, true]);
  }
  expect(problems).toEqual([]);
});

test('a paste reaches the page while the slider of the tracks has the focus; what is no trace is told where to go', async ({
  page,
  site,
}) => {
  await openLab(page, site);
  const notice = page.locator('app-lab-page .notices');
  const paste = (part: string) =>
    view(page)
      .locator(part)
      .first()
      .evaluate((element) => {
        const data = new DataTransfer();
        data.setData('text/plain', 'torch.OutOfMemoryError: CUDA out of memory.');
        const init = { clipboardData: data, bubbles: true, composed: true };
        element.dispatchEvent(new ClipboardEvent('paste', init));
      });
  await paste('input[type=search]');
  await expect(notice).not.toContainText('Diagnose');
  await paste('.tracks input');
  await expect(notice).toContainText('opened on the Diagnose page');
  await stopped(page);
});
