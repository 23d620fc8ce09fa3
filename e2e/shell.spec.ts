/** The shell: palette, help, settings, theme and presenter size, by keyboard; links of other versions and other pages. */
import { expect, test, watch } from './site.js';
import { violations } from './support/axe.js';

test('the palette finds a command by its words and runs it, from a field too', async ({ page, site }) => {
  const { problems } = watch(page, site);
  await page.goto(site);
  await page.locator('app-run-settings').getByLabel('Filter').focus();
  await page.keyboard.press('Control+k');
  const palette = page.locator('app-command-palette');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('theme dark');
  await expect(palette.getByRole('option')).toHaveText(['Theme: dark']);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(palette.getByRole('dialog')).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Meta+k');
  await page.keyboard.type('no such thing');
  await expect(palette.getByRole('status')).toHaveText('No command has these words.');
  await page.keyboard.press('Escape');
  await expect(palette.getByRole('dialog')).toBeHidden();
  expect(problems).toEqual([]);
});

test('the settings switch theme, presenter size and letters, and a reload keeps them', async ({ page, site }) => {
  await page.goto(site);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('button', { name: 'Settings' }).click();
  const settings = page.locator('app-settings-dialog');
  await settings.getByLabel('Light').check();
  await settings.getByLabel('Presenter size').check();
  await settings.getByLabel('Single letters').uncheck();
  await expect(page.locator('html')).toHaveAttribute('data-present');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page).toHaveURL(/#measure\?v=1&theme=light&keys=off&present=1$/);
});

test('a link to no page, or of another version, is refused in one sentence and leaves a page that works', async ({
  page,
  site,
}) => {
  const notice = page.locator('.notices').first();
  await page.goto(`${site}#lap?v=1`);
  await expect(notice).toContainText('There is no page called lap');
  await expect(page.locator('app-run-bar')).toBeVisible();
  await page.goto(`${site}#measure?v=7&seed=5`);
  await expect(notice).toContainText('made by another version (7)');
  await expect(page.locator('app-run-settings').getByLabel('Seed')).toHaveValue('1');
});
