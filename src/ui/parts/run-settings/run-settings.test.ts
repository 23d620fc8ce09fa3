import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../app/settings.js';
import { collect, find, mount, textOf } from '../../testing/mount.js';
import { SuiteList } from '../suite-list/suite-list.js';
import { RunSettingsForm } from './run-settings.js';

it('tells what was typed', async () => {
  const form = await mount(new RunSettingsForm(), { settings: DEFAULT_SETTINGS });
  const changes = collect(form, 'app-settings-changed');
  const budget = find(form, '[name=budget]', HTMLInputElement);
  budget.value = '2 GiB';
  budget.dispatchEvent(new InputEvent('input'));
  find(form, '[value=full]', HTMLInputElement).click();
  expect(changes.map(({ change }) => change)).toEqual([{ budget: '2 GiB' }, { preset: 'full' }]);
});

it('says under a field why it cannot be used, and ties the words to it', async () => {
  const form = await mount(new RunSettingsForm(), { problems: { seed: 'not-a-seed' } });
  const seed = find(form, '[name=seed]', HTMLInputElement);
  expect(seed.getAttribute('aria-invalid')).toBe('true');
  const words = find(form, `#${seed.getAttribute('aria-describedby') ?? 'none'}`, HTMLElement);
  expect(textOf(words)).toContain('whole number');
  expect(find(form, '[name=budget]', HTMLInputElement).getAttribute('aria-invalid')).toBe('false');
});

it('cannot be edited during a run', async () => {
  const form = await mount(new RunSettingsForm(), { disabled: true });
  const inputs = [...form.renderRoot.querySelectorAll('input')];
  expect(inputs.every((input) => input.matches(':disabled'))).toBe(true);
});

it('lists suites with what is done, and gives the choice as a whole', async () => {
  const list = await mount(new SuiteList(), {
    rows: [
      { suite: 'tiers', chosen: true, progress: { done: 48, failed: 0, total: 48 } },
      { suite: 'transfer', chosen: true, progress: { done: 13, failed: 2, total: 16 } },
      { suite: 'dispatch', chosen: false, progress: undefined },
    ],
  });
  const lines = [...list.renderRoot.querySelectorAll('label')].map((label) => textOf(label));
  expect(lines).toEqual(['tiers done48 rows', 'transfer 2 failed13 of 16', 'dispatch']);
  const changes = collect(list, 'app-settings-changed');
  list.renderRoot.querySelectorAll('input')[2]?.click();
  expect(changes[0]?.change).toEqual({ suites: ['tiers', 'transfer', 'dispatch'] });
});

it('says when no suite is chosen', async () => {
  const list = await mount(new SuiteList(), { problem: 'Choose at least one suite.' });
  expect(textOf(find(list, '[role=alert]', HTMLElement))).toBe('Choose at least one suite.');
});
