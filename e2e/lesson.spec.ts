/** The workshop in a real browser on the built site: every step in both languages, by keyboard; files, links, hand-outs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mergeTests, type Page } from 'playwright/test';
import { LESSON_ENTRIES } from '../src/model/lesson/contents.js';
import { fillText } from '../src/model/lesson/fill-text.js';
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '../src/model/lesson/local-text.js';
import { runStep } from '../src/model/lesson/run-step.js';
import { type Step } from '../src/model/lesson/schema.js';
import { expect, test as siteTest, watch } from './site.js';
import { readLesson } from './support/lessons.js';
import { test as programTest } from './support/program.js';

const test = mergeTests(siteTest, programTest);

const lessonPage = (page: Page) => page.locator('app-lesson-page');
const happened = (page: Page) => lessonPage(page).locator('.happened');
const question = (page: Page) => lessonPage(page).locator('.question');

/** What the reveal must say: the numbers of the step's runs, made anew here. */
const revealOf = (step: Step, language: Language): string => fillText(step.reveal[language] ?? '', runStep(step));

async function switchTo(page: Page, language: Language): Promise<void> {
  const name = language === 'en' ? 'EN' : '中文';
  await page.getByRole('button', { name, exact: true }).first().click();
}

for (const { id } of LESSON_ENTRIES) {
  test(`${id}: every step by keyboard, its numbers in both languages`, async ({ page, site }) => {
    test.setTimeout(240_000);
    const { problems } = watch(page, site);
    const { steps } = readLesson(id);
    await page.goto(`${site}#lesson?v=1&lesson=${id}`);
    for (const [i, step] of steps.entries()) {
      await expect(question(page)).toHaveText(step.question.en ?? '');
      const guess = step.choices[i % 3];
      const right = step.choices.find((choice) => choice.right);
      await page.keyboard.press(guess?.id.toLowerCase() ?? '');
      await page.keyboard.press('Enter');
      await expect(happened(page)).toHaveText(revealOf(step, 'en'), { timeout: 30_000 });
      await expect(lessonPage(page).locator('.answers .right')).toContainText(right?.text.en ?? '');
      await expect(lessonPage(page).locator('.answers [aria-checked="true"]')).toContainText('your guess');
      await expect(lessonPage(page).locator('.trouble')).toHaveCount(0);
      await switchTo(page, 'zh');
      await expect(question(page)).toHaveText(step.question.zh ?? '');
      await expect(happened(page)).toHaveText(revealOf(step, 'zh'));
      await expect(happened(page).locator('span')).toHaveAttribute('lang', LANGUAGE_TAGS.zh);
      await expect(lessonPage(page).locator('.keep')).toHaveText(step.takeaway.zh ?? '');
      await switchTo(page, 'en');
      await expect(page).toHaveURL(new RegExp(`step=${step.id.split('/')[1] ?? ''}&pick=${guess?.id ?? ''}&reveal=1`));
      // A clicker sends PageDown, a keyboard the arrow.
      await page.keyboard.press(i % 2 === 0 ? 'PageDown' : 'ArrowRight');
    }
    expect(problems).toEqual([]);
  });
}

test('a step can be reset to its exact state, and the way back is the way there', async ({ page, site }) => {
  await page.goto(`${site}#lesson?v=1&lesson=holes&step=checkerboard`);
  const scene = lessonPage(page).locator('app-memory-view');
  await expect(scene).toContainText('30.0 free in 6 holes');
  await expect(lessonPage(page).getByRole('button', { name: 'Show what happens' })).toBeDisabled();
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await expect(happened(page)).toContainText('Out of memory: 30 MiB free in 6 holes');
  await page.keyboard.press('r');
  await expect(happened(page)).toHaveCount(0);
  await expect(lessonPage(page).locator('[aria-checked="true"]')).toHaveCount(0);
  await expect(page).toHaveURL(/step=checkerboard$/);
  await page.keyboard.press('c');
  await page.keyboard.press('ArrowRight');
  await expect(question(page)).toContainText('Free the first six');
  // Enter chooses nothing on a step that has no guess yet.
  await page.keyboard.press('Enter');
  await expect(lessonPage(page).locator('[aria-checked="true"]')).toHaveCount(0);
  await page.keyboard.press('PageUp');
  await expect(question(page)).toContainText('Twelve tensors');
  await page.goBack();
  await expect(question(page)).toContainText('Free the first six');
});

test('from a cold page: concats fail and the reuse fits on real buffers, within a minute and nothing typed', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  const startedAt = Date.now();
  await page.goto(`${site}#measure?v=1&present=1`);
  const came = lessonPage(page).locator('.came');
  const press = (name: RegExp | string) => lessonPage(page).getByRole('button', { name }).click();
  await page.getByRole('link', { name: 'Lesson' }).click();
  await lessonPage(page)
    .getByRole('link', { name: /Temporary concat or one buffer/ })
    .click();
  await press('Step 2');
  await lessonPage(page)
    .getByRole('radio', { name: /It fails in a later step/ })
    .click();
  await press('Show what happens');
  await expect(happened(page)).toContainText('72 MiB needed, 182 MiB free in 6 holes');
  await press(/Run it on this machine/);
  await expect(came.locator('.ok')).toContainText('out of memory on real buffers', { timeout: 45_000 });
  // A software adapter carries out a smaller copy, and says both.
  await expect(came).toContainText(/All sizes divided by \d+, the allocator's own too\./);
  await expect(came).toContainText('a software adapter: no GPU');
  await press('Next');
  await lessonPage(page)
    .getByRole('radio', { name: /Batch 2/ })
    .click();
  await press('Show what happens');
  await press(/Run it on this machine/);
  await expect(came.locator('.ok')).toHaveCount(2, { timeout: 45_000 });
  await expect(came).toContainText('batch 2: completes on real buffers');
  const seconds = (Date.now() - startedAt) / 1000;
  test.info().annotations.push({ type: 'figure', description: `concat fails, reuse fits: ${seconds.toFixed(1)} s` });
  expect(seconds).toBeLessThan(60);
});

const BAD_LINKS = [
  ['lesson=nowhere', 'there is no lesson "nowhere"'],
  ['lesson=holes&step=nowhere', 'the lesson "holes" has no step "nowhere"'],
  ['file=AAAA&lesson=own', 'the lesson in it is damaged'],
  ['lesson=holes&pick=Z', 'The link says pick=Z'],
  ['lesson=%3Cscript%3E', 'The link says lesson=<script>'],
] as const;
for (const [link, message] of BAD_LINKS) {
  test(`a link with ${link} is one message, and the page keeps its state`, async ({ page, site }) => {
    await page.goto(`${site}#lesson?v=1&lesson=holes&step=pin&pick=B&reveal=1`);
    await expect(happened(page)).toContainText('100 MiB stay reserved');
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `lesson?v=1&${link}`);
    await expect(page.locator('.notice').filter({ hasText: message })).toHaveCount(1);
    await expect(happened(page)).toContainText('100 MiB stay reserved');
  });
}

test('the glossary is there in both languages, and a saying leads to its step', async ({ page, site }) => {
  await page.goto(`${site}#lesson?v=1&screen=words&lang=zh`);
  const words = lessonPage(page).locator('.words');
  await expect(words.getByRole('rowheader', { name: /外部碎片/ })).toContainText('external fragmentation');
  await switchTo(page, 'en');
  await expect(words.getByRole('rowheader', { name: /external fragmentation/ })).toContainText('外部碎片');
  await words.getByRole('button', { name: 'myths/empty-before' }).first().click();
  await expect(question(page)).toContainText('Put it right before the failing concat.');
});

test('every lesson says how long it takes', async ({ page, site }) => {
  await page.goto(`${site}#lesson?v=1`);
  const items = lessonPage(page).locator('.lessons li');
  await expect(items).toHaveCount(LESSON_ENTRIES.length);
  for (const [i, { minutes, steps }] of LESSON_ENTRIES.entries()) {
    await expect(items.nth(i)).toContainText(`${steps.length} steps, ${minutes} min`);
  }
  expect(LANGUAGES).toHaveLength(2);
});

const EXAMPLE = readFileSync('test-data/lessons/example.json', 'utf8');

async function openFile(page: Page, name: string, text: string): Promise<void> {
  await lessonPage(page)
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

test('a lesson of one’s own is opened, run, and travels in its link', async ({ page, site, context }) => {
  await page.goto(`${site}#lesson?v=1`);
  await openFile(page, 'pins.json', EXAMPLE);
  await expect(question(page)).toContainText('100 MiB were freed');
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await expect(happened(page)).toHaveText('Nothing: 100 MiB stay reserved for 2 MiB.');
  await expect(lessonPage(page).locator('app-memory-view')).toContainText('98.0 free in 1 hole ');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(happened(other)).toHaveText('Nothing: 100 MiB stay reserved for 2 MiB.');
  const [download] = await Promise.all([
    other.waitForEvent('download'),
    lessonPage(other).getByRole('button', { name: 'Save file' }).click(),
  ]);
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(JSON.parse(EXAMPLE));
});

test('a lesson file that is wrong, cut or newer is one message, and the page keeps its state', async ({
  page,
  site,
}) => {
  await page.goto(`${site}#lesson?v=1`);
  for (const [text, message] of [
    [EXAMPLE.slice(0, 400), 'mine.json: not JSON'],
    [EXAMPLE.replace('"version": 1', '"version": 7'), 'mine.json: version 7 of vramlab-lessons is newer than this lab'],
    [EXAMPLE.replace('"f big"', '"f bag"'), 'no tensor "bag" is there to free'],
    [EXAMPLE.replace('"right": true', '"right": false'), 'step "pins/pinned": exactly one answer is right'],
    ['', 'mine.json: the file is empty'],
    ['x'.repeat(2 ** 20 + 5), 'larger than 1 MiB'],
  ] as const) {
    await openFile(page, 'mine.json', text);
    await expect(lessonPage(page).locator('.notice p')).toHaveCount(1);
    await expect(lessonPage(page).locator('.notice')).toContainText(message);
    await expect(lessonPage(page).locator('.lessons li')).toHaveCount(LESSON_ENTRIES.length);
  }
});

test('a number that does not come out is said beside the answer', async ({ page, site }) => {
  await page.goto(`${site}#lesson?v=1`);
  await openFile(page, 'mine.json', EXAMPLE.replace('104857600', '104857601'));
  await expect(question(page)).toContainText('100 MiB were freed');
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await expect(lessonPage(page).locator('.trouble')).toHaveText('kept is 100 MiB here, the lesson says 104857601.');
});

test('the hand-out holds the room’s guess, and its commands give its numbers', async ({
  page,
  site,
  context,
  workplace,
}) => {
  test.setTimeout(180_000);
  await page.goto(`${site}#lesson?v=1&lesson=holes&step=checkerboard&pick=A&reveal=1`);
  await expect(happened(page)).toContainText('Out of memory');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    lessonPage(page).getByRole('button', { name: 'Hand-out' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('vramlab-holes-en.html');
  const file = join(workplace.folder, 'hand-out.html');
  await download.saveAs(file);
  const reader = await context.newPage();
  const requests: string[] = [];
  reader.on('request', (request) => requests.push(request.url()));
  await reader.goto(pathToFileURL(file).href);
  await expect(reader.locator('section').first()).toContainText("(the room's guess)");
  await expect(reader.locator('section')).toHaveCount(7);
  expect(requests).toHaveLength(1);
  const commands = (await reader.locator('section pre').first().innerText()).split('\n');
  expect(commands.length).toBeGreaterThanOrEqual(3);
  let last = '';
  for (const command of commands) {
    const { code, stdout } = await workplace.run(...command.split(' ').slice(1));
    expect([command, code]).toEqual([command, 0]);
    last = stdout;
  }
  expect(last).toContain('30.0 MiB');
});

test('vramlab lesson checks a file: 0 where its numbers come out, 1 where not, 2 where it cannot be read', async ({
  workplace,
}) => {
  const write = (name: string, text: string) => writeFileSync(join(workplace.folder, name), text);
  write('good.json', EXAMPLE);
  write('off.json', EXAMPLE.replace('104857600', '1'));
  write('cut.json', EXAMPLE.slice(0, 300));
  const good = await workplace.run('lesson', 'good.json');
  expect([good.code, good.stderr]).toEqual([0, '']);
  expect(good.stdout).toContain('ok      kept = 100 MiB (104857600)  [run a: reserved at end]');
  const off = await workplace.run('lesson', 'off.json');
  expect([off.code, off.stdout.includes('DIFFERS kept = 100 MiB (104857600), the lesson says 1')]).toEqual([1, true]);
  const cut = await workplace.run('lesson', 'cut.json');
  expect([cut.code, cut.stderr.trim().split('\n').length]).toEqual([2, 1]);
  const list = await workplace.run('lesson', '--list');
  expect(list.stdout.trim().split('\n')).toHaveLength(LESSON_ENTRIES.length);
  const json = await workplace.run('lesson', 'concat', '--step', 'small-fails', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject([{ agrees: true, numbers: { request: { value: 75497472 } } }]);
});
