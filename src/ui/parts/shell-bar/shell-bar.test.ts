import { expect, it } from 'vitest';
import { button, collect, find, mount, textOf } from '../../testing/mount.js';
import { HelpDialog } from '../help-dialog/help-dialog.js';
import { ShellBar } from './shell-bar.js';

it('shows where the figures come from', async () => {
  const bar = await mount(new ShellBar(), { badge: 'software', adapterName: 'SwiftShader' });
  expect(textOf(find(bar, '.adapter', HTMLElement))).toBe('SwiftShader Software');
});

it('has a link for each page, the one on screen marked', async () => {
  const tabs = [
    { name: 'measure', title: 'Measure', link: '#measure?v=1' },
    { name: 'lab', title: 'Lab', link: '#lab?v=1&pair=code' },
  ];
  const bar = await mount(new ShellBar(), { tabs, page: 'lab' });
  const links = [...bar.renderRoot.querySelectorAll('nav a')];
  expect(links.map((link) => [textOf(link), link.getAttribute('href'), link.getAttribute('aria-current')])).toEqual([
    ['Measure', '#measure?v=1', null],
    ['Lab', '#lab?v=1&pair=code', 'page'],
  ]);
});

it('lets the theme be chosen and help be asked for', async () => {
  const bar = await mount(new ShellBar(), { theme: 'light' });
  const chosen = collect(bar, 'app-theme-chosen');
  const asked = collect(bar, 'app-help-requested');
  expect(find(bar, '[value=light]', HTMLInputElement).checked).toBe(true);
  button(bar, 'Theme').click();
  expect(find(bar, '#theme', HTMLElement).matches(':popover-open')).toBe(true);
  find(bar, '[value=dark]', HTMLInputElement).click();
  button(bar, 'Keyboard help').click();
  expect(chosen.map(({ theme }) => theme)).toEqual(['dark']);
  expect(asked).toHaveLength(1);
});

it('lists the commands it is given and switches single letters', async () => {
  const commands = [
    { id: 'run', keys: [{ key: 'r' }], title: () => 'Run', run: () => undefined },
    { id: 'quiet', title: () => 'Without keys', run: () => undefined },
  ];
  const help = await mount(new HelpDialog(), {
    commands,
    keys: true,
    notes: [{ caps: ['W', 'S'], title: () => 'Zoom' }],
  });
  const switched = collect(help, 'app-keys-switched');
  help.show();
  await help.updateComplete;
  await Promise.resolve();
  expect(find(help, 'dialog', HTMLDialogElement).open).toBe(true);
  expect(textOf(find(help, 'dl', HTMLElement))).toBe('r Run W S Zoom');
  find(help, 'input', HTMLInputElement).click();
  expect(switched.map(({ on }) => on)).toEqual([false]);
  button(help, 'Close').click();
  expect(find(help, 'dialog', HTMLDialogElement).open).toBe(false);
});
