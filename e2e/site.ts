/** The built site for the journeys: served as `vramlab serve` serves it, one server a worker. */
import { test as base, expect, type Page } from 'playwright/test';
import { serveFolder } from '../src/cli/server/static-server.js';

interface Site {
  readonly site: string;
}

export const test = base.extend<object, Site>({
  site: [
    async ({ browser }, use) => {
      expect(browser.isConnected()).toBe(true);
      const server = await serveFolder('dist/web', 0);
      await use(server.url);
      await server.close();
    },
    { scope: 'worker' },
  ],
});
export { expect };

/** Everything a page does that it must not: errors, console errors, requests to elsewhere. */
export function watch(page: Page, site: string): { readonly problems: string[] } {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(site) && !url.startsWith(`blob:${site.slice(0, -1)}`)) problems.push(`request: ${url}`);
  });
  return { problems };
}
