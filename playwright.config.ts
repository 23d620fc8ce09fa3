import { defineConfig } from 'playwright/test';
import { CHROMIUM_ARGUMENTS, findBrowser } from './src/cli/browser/find-browser.mjs';

const found = findBrowser(process.env['VRAMLAB_BROWSER']);

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  timeout: 90_000,
  workers: 1,
  // Journeys look at times of day too (a cancel within a second, no task over 50 ms): once more on a shared machine.
  retries: 1,
  use: {
    // Each journey has a browser profile of its own: keeping a copy of the lab in every one costs more than the journey.
    serviceWorkers: 'block',
    launchOptions: {
      ...(found === undefined ? {} : { executablePath: found.path }),
      args: [...CHROMIUM_ARGUMENTS, '--use-webgpu-adapter=swiftshader'],
    },
  },
});
