import { expect, it } from 'vitest';
import { button, collect, find, mount, textOf } from '../../testing/mount.js';
import { HelpDialog } from '../help-dialog/help-dialog.js';
import { ShellBar } from './shell-bar.js';

it('shows where the figures come from', async () => {
  const bar = await mount(new ShellBar(), { badge: 'software', adapterName: 'SwiftShader' });
  expect(textOf(find(bar, '.adapter', HTMLElement))).toBe('SwiftShader Software');
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
  const commands = [{ key: 'r', title: () => 'Run', run: () => undefined }];
  const help = await mount(new HelpDialog(), { commands, keys: true });
  const switched = collect(help, 'app-keys-switched');
  help.show();
  expect(find(help, 'dialog', HTMLDialogElement).open).toBe(true);
  expect(textOf(find(help, 'dl', HTMLElement))).toContain('r Run');
  find(help, 'input', HTMLInputElement).click();
  expect(switched.map(({ on }) => on)).toEqual([false]);
  button(help, 'Close').click();
  expect(find(help, 'dialog', HTMLDialogElement).open).toBe(false);
});
