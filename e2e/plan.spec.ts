/** Plan: a model, a job and a card, by hand, by link, by file and by keyboard. */
import { type Page } from 'playwright/test';
import { expect, test, watch } from './site.js';
import { violations } from './support/axe.js';

const page0 = 'v=1&arch=gpt2&seq=256&batch=2&zero=0&dp=1';
const form = (page: Page) => page.locator('app-plan-form');
const bar = (page: Page) => page.locator('app-card-bar');
const chart = (page: Page) => page.locator('app-batch-chart');
const done = (page: Page) => expect(chart(page)).toContainText(/largest that completes|Not even one/);

const LLAMA = {
  model_type: 'llama',
  hidden_size: 2048,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  num_hidden_layers: 16,
  intermediate_size: 8192,
  vocab_size: 128_256,
  tie_word_embeddings: true,
  _name_or_path: 'my-llama',
};

test('plans what the link says, and each change is in the link', async ({ page, site }) => {
  const { problems } = watch(page, site);
  await page.goto(`${site}#plan?${page0}`);
  await expect(bar(page)).toContainText('gpt2');
  await expect(bar(page)).toContainText('Completes');
  await done(page);
  await form(page).getByLabel('Batch', { exact: true }).fill('8');
  await expect(page).toHaveURL(/batch=8/);
  await form(page).getByLabel('Card', { exact: true }).fill('2GiB');
  await expect(bar(page)).toContainText('Out of memory');
  await expect(page.getByRole('heading', { name: 'What fits in 2 GiB' })).toBeVisible();
  // The link alone brings the same plan.
  const again = await page.context().newPage();
  await again.goto(page.url());
  await expect(bar(again)).toContainText('Out of memory');
  await expect(form(again).getByLabel('Batch', { exact: true })).toHaveValue('8');
  expect(await bar(again).innerText()).toBe(await bar(page).innerText());
  expect(problems).toEqual([]);
});

test('shows the terms with formulas and numbers, and how they become the peak', async ({ page, site }) => {
  await page.goto(`${site}#plan?${page0}`);
  await done(page);
  const rows = page.locator('app-term-table tbody tr');
  await expect(rows.filter({ hasText: 'Parameters' })).toContainText('= 2 * 124,439,808');
  await expect(rows.filter({ hasText: 'Context' })).toContainText('unknown');
  const figures = await page
    .locator('app-plan-page .sum tr')
    .evaluateAll((lines) =>
      lines.map((line) => Number((line.lastElementChild?.textContent ?? '').replace(/[^0-9]/g, ''))),
    );
  const [formulas = 0, notThere = 0, rounding = 0, allocated = 0, reserved = 0] = figures;
  expect(formulas - notThere + rounding).toBe(allocated);
  expect(reserved).toBeGreaterThanOrEqual(allocated);
});

test('a change that fits is taken over, and Back takes it back', async ({ page, site }) => {
  await page.goto(`${site}#plan?${page0}&batch=64&capacity=4GiB`);
  await expect(bar(page)).toContainText('Out of memory');
  await page.locator('app-plan-page .changes li.fits button').first().click();
  await expect(bar(page)).toContainText('Completes');
  await page.goBack();
  await expect(bar(page)).toContainText('Out of memory');
});

test('a field that cannot be used says so, and the last plan stays', async ({ page, site }) => {
  await page.goto(`${site}#plan?${page0}`);
  await done(page);
  const before = await bar(page).innerText();
  for (const [label, value, words] of [
    ['Tensor parallel', '5', '5 does not divide 12 heads'],
    ['Batch', '-3', '"-3" is not usable'],
    ['Sequence', '4096', 'has positions for 1024 tokens'],
    ['Card', 'large', '"large" is not a usable size'],
  ] as const) {
    const field = form(page).getByLabel(label, { exact: true });
    const old = await field.inputValue();
    await field.fill(value);
    await expect(form(page).getByRole('alert')).toContainText(words);
    expect(await bar(page).innerText()).toBe(before);
    await field.fill(old);
    await expect(form(page).getByRole('alert')).toHaveCount(0);
  }
});

test('takes a config.json, carries it in the link, and refuses another kind', async ({ page, site }) => {
  await page.goto(`${site}#plan?${page0}`);
  await done(page);
  const file = (name: string, content: object) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  });
  await form(page)
    .locator('input[type=file]')
    .setInputFiles(file('vit.json', { model_type: 'vit' }));
  await expect(form(page).getByRole('alert')).toContainText('vit.json: model_type "vit" is not planned');
  await expect(bar(page)).toContainText('gpt2');
  await form(page).locator('input[type=file]').setInputFiles(file('config.json', LLAMA));
  await expect(bar(page)).toContainText('my-llama');
  await expect(page.locator('app-term-table')).toContainText('1,235,814,400');
  const again = await page.context().newPage();
  await again.goto(page.url());
  await expect(bar(again)).toContainText('my-llama');
});

test('two plans stand beside each other on one scale', async ({ page, site }) => {
  await page.goto(`${site}#plan?${page0}`);
  await done(page);
  await page.getByRole('button', { name: 'Compare with a second plan' }).click();
  await form(page).getByLabel('ZeRO stage').selectOption('1');
  await form(page).getByLabel('Data parallel').fill('8');
  await expect(bar(page)).toHaveCount(2);
  await expect(page.locator('app-term-table thead')).toContainText('Plan B');
  await expect(page).toHaveURL(/b=1.*b\.zero=1/);
  const optimiser = page.locator('app-term-table tbody tr').filter({ hasText: 'Optimiser states' });
  await expect(optimiser.locator('td.number').nth(0)).toHaveText('949.4 MiB');
  await expect(optimiser.locator('td.number').nth(1)).toHaveText('118.7 MiB');
  await page.getByRole('button', { name: 'Remove B' }).click();
  await expect(bar(page)).toHaveCount(1);
});

test('opens the step in the Lab, the same program on two settings', async ({ page, site }) => {
  const { problems } = watch(page, site);
  await page.goto(`${site}#plan?${page0}`);
  await done(page);
  await page.getByRole('button', { name: 'Open the step in the Lab' }).click();
  await expect(page).toHaveURL(/#lab/);
  const lab = page.locator('app-lab-page');
  await expect(lab).toContainText('gpt2');
  await expect(lab).toContainText('expandable_segments:True');
  await page.goBack();
  await expect(bar(page)).toContainText('gpt2');
  expect(problems).toEqual([]);
});

test('the sliders, the chart and the table go by keyboard', async ({ page, site }) => {
  await page.goto(`${site}#plan?${page0}`);
  await done(page);
  await form(page).getByRole('slider', { name: 'Batch, slider' }).focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
  await expect(form(page).getByLabel('Batch', { exact: true })).toHaveValue('4');
  await done(page);
  await chart(page).locator('.plot').focus();
  await page.keyboard.press('ArrowRight');
  await expect(chart(page).locator('[role=status]')).toContainText(/^Batch 1: .* reserved, completes/);
  await chart(page).getByRole('button', { name: 'Table' }).focus();
  await page.keyboard.press('Enter');
  await expect(chart(page).locator('tbody tr').first()).toContainText('completes');
});

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing when it fits, when it does not, with two plans, and when presenting (${theme})`, async ({
    page,
    site,
  }) => {
    await page.goto(`${site}#plan?${page0}&theme=${theme}`);
    await done(page);
    expect(await violations(page)).toEqual([]);
    await page.goto(`${site}#plan?${page0}&theme=${theme}&batch=32&capacity=4GiB&b=1&b.tp=5`);
    await expect(page.locator('app-plan-page .changes')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Plan B' }).click();
    await expect(form(page).getByRole('alert')).toBeVisible();
    await chart(page).getByRole('button', { name: 'Table' }).click();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${site}#plan?${page0}&theme=${theme}&present=1`);
    await done(page);
    expect(await violations(page)).toEqual([]);
  });
}

for (const [width, height, more] of [
  [1440, 900, ''],
  [1024, 768, ''],
  [1024, 768, '&present=1'],
  [320, 640, ''],
] as const) {
  test(`nothing is cut sideways at ${width} x ${height}${more}`, async ({ page, site }, info) => {
    await page.setViewportSize({ width, height });
    await page.goto(`${site}#plan?${page0}${more}`);
    await done(page);
    const sideways = await page.evaluate(() => {
      const main = document.querySelector('app-shell')?.shadowRoot?.querySelector('main');
      return [document.documentElement, main].map((box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0));
    });
    expect(sideways).toEqual([0, 0]);
    await page.screenshot({ path: info.outputPath(`plan-${width}${more === '' ? '' : '-present'}.png`) });
  });
}
