import { expect, it } from 'vitest';
import { defaultSettings, settingsFor } from '../../../app/lab/lab-settings.js';
import { collect, find, mount, textOf } from '../../testing/mount.js';
import { LabRail } from './lab-rail.js';

const pairs = (rail: LabRail) => [...rail.renderRoot.querySelectorAll<HTMLButtonElement>('.pair')];

it('offers the comparisons that the program has, the chosen one pressed', async () => {
  const rail = await mount(new LabRail());
  const chosen = collect(rail, 'app-lab-pair-chosen');
  const flagship = collect(rail, 'app-flagship-requested');
  expect(pairs(rail).map((pair) => pair.ariaPressed)).toEqual(['true', 'false', 'false', 'false']);
  pairs(rail)[1]?.click();
  find(rail, '.flagship', HTMLButtonElement).click();
  expect(chosen.map(({ pair }) => pair)).toEqual(['setting']);
  expect(flagship).toHaveLength(1);
  rail.settings = settingsFor('case13b', 'batch');
  await rail.updateComplete;
  expect(pairs(rail)).toHaveLength(5);
});

it('sends edits with the rest as it was; an empty field is the default again', async () => {
  const rail = await mount(new LabRail(), { settings: { ...defaultSettings(), parameters: { layers: '4' } } });
  const changed = collect(rail, 'app-lab-settings-changed');
  const edit = (name: string, value: string) => {
    const field = find(rail, `[name=${name}]`, HTMLInputElement);
    field.value = value;
    field.dispatchEvent(new Event('change'));
  };
  edit('parameter-steps', '12');
  edit('parameter-layers', '');
  edit('budget', '1 GiB');
  edit('conf-b', 'max_split_size_mb:64');
  expect(changed.map(({ change }) => change)).toEqual([
    { parameters: { layers: '4', steps: '12' } },
    { parameters: {} },
    { budget: '1 GiB' },
    { pair: 'own', b: { allocator: 'caching', conf: 'max_split_size_mb:64', change: 'bank=prealloc' } },
  ]);
});

it('says under a field what is wrong with it', async () => {
  const rail = await mount(new LabRail(), {
    problems: { 'parameter-steps': 'give 1 to 1,000 steps', budget: 'no size' },
  });
  const alerts = [...rail.renderRoot.querySelectorAll('[role=alert]')].map(textOf);
  expect(alerts).toEqual(['give 1 to 1,000 steps', 'no size']);
  expect(find(rail, '[name=budget]', HTMLInputElement).ariaInvalid).toBe('true');
});

it('shows a program that was brought in place of the workloads', async () => {
  const rail = await mount(new LabRail(), { brought: 'oom.trace.json', broughtCapacity: 2 ** 30 });
  const left = collect(rail, 'app-trace-left');
  expect(textOf(rail)).toContain('oom.trace.json');
  expect(rail.renderRoot.querySelector('[name=workload]')).toBeNull();
  expect(pairs(rail)).toHaveLength(3);
  expect(find(rail, '[name=budget]', HTMLInputElement).placeholder).toBe('1 GiB');
  [...rail.renderRoot.querySelectorAll('button')].find((each) => textOf(each).startsWith('Back'))?.click();
  expect(left).toHaveLength(1);
});
