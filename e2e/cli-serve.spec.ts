import { expect } from 'playwright/test';
import { test } from './support/program.js';

test('serves the lab, cross-origin isolated, until it is stopped', async ({ workplace, page }) => {
  const running = workplace.start('serve', '--port', '0');
  const url = await running.untilStdout(/http:\S+/);
  await page.goto(url);
  expect(await page.evaluate(() => [crossOriginIsolated, isSecureContext])).toEqual([true, true]);
  running.kill('SIGINT');
  const { code, stdout } = await running.finished;
  expect([code, stdout]).toEqual([0, `${url}\n`]);
  await expect(page.goto(url)).rejects.toThrow('ERR_CONNECTION_REFUSED');
});

test('says in one line that a port is taken', async ({ workplace }) => {
  const running = workplace.start('serve', '--port', '0');
  const url = await running.untilStdout(/http:\S+/);
  const port = new URL(url).port;
  const { code, stderr } = await workplace.run('serve', '--port', port);
  expect(stderr).toBe(`vramlab: --port: port ${port} is taken; give another one, or 0 for any free one\n`);
  expect(code).toBe(2);
});
