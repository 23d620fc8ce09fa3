/** The zip that a presenter carries, unpacked elsewhere and started with nothing but Node. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { unzipSync } from 'fflate';
import { expect } from 'playwright/test';
import { test } from './support/program.js';

test('the zip holds the site that runs under any path, file by file', () => {
  const files = Object.entries(unzipSync(readFileSync('dist/vramlab-web.zip')));
  const site = files.filter(([name]) => name.startsWith('web/'));
  expect(site.length).toBeGreaterThan(50);
  for (const [name, bytes] of site) {
    expect([name, Buffer.from(bytes).equals(readFileSync(join('dist', name)))]).toEqual([name, true]);
  }
});

test('the zip serves the whole lab from any folder, cross-origin isolated', async ({ workplace, page }) => {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync('dist/vramlab-web.zip')))) {
    const file = join(workplace.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const server = spawn(process.execPath, ['serve.mjs'], { cwd: workplace.folder, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      server.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
      server.once('exit', (code) => reject(new Error(`serve.mjs ended with ${String(code)}`)));
    });
    await page.goto(url);
    await expect(page.locator('app-run-bar')).toBeVisible();
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  } finally {
    server.kill();
  }
});
