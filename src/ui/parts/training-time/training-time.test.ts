import { expect, it } from 'vitest';
import { DEFAULT_MODEL } from '../../../app/model-settings.js';
import { measured } from '../../../model/report/testing/report-sample.js';
import { collect, find, mount, textOf } from '../../testing/mount.js';
import { TrainingTime } from './training-time.js';

const MIB = 2 ** 20;
const READ = measured('tiers/global/read/vec4/256MiB', 400, { workingSet: 256 * MIB });
const COPY = measured('tiers/copy-buffer/256MiB', 200, { workingSet: 256 * MIB });
const answers = (host: TrainingTime) =>
  [...host.renderRoot.querySelectorAll('.answer, .problem')].map((p) => textOf(p));

it('says what to run before there is a bandwidth', async () => {
  const host = await mount(new TrainingTime());
  expect(textOf(host)).toContain('Run tiers');
  expect(answers(host)).toEqual([]);
});

it('answers with the numbers that it comes from, and the mark', async () => {
  const host = await mount(new TrainingTime(), { rows: [COPY, READ], badge: 'software' });
  expect(answers(host)).toEqual([
    'Moving weights, gradients and optimiser state once takes at least 210 ms.',
    '78.2 GiB do not fit into 24 GiB: 3.3 times too much, before activations.',
  ]);
  expect(textOf(host)).toContain('7,000,000,000 parameters × (2 + 2 + 8) B = 84,000,000,000 B = 78.2 GiB');
  expect(textOf(find(host, 'header', HTMLElement))).toContain('Software');
});

it('lets another measured bandwidth be chosen', async () => {
  const host = await mount(new TrainingTime(), { rows: [COPY, READ] });
  const select = find(host, 'select', HTMLSelectElement);
  expect([...select.options].map(({ value }) => value)).toEqual([READ.id, COPY.id]);
  select.value = COPY.id;
  select.dispatchEvent(new Event('change'));
  await host.updateComplete;
  expect(answers(host)[0]).toContain('420 ms');
});

it('says that an instruction-bound row is no figure of the memory, and prefers another', async () => {
  const slow = { ...READ, value: 1.3, flags: ['instruction-bound'] };
  const alone = await mount(new TrainingTime(), { rows: [slow] });
  expect(answers(alone).at(-1)).toContain('instruction bound');
  const both = await mount(new TrainingTime(), { rows: [slow, COPY] });
  expect(find(both, 'select', HTMLSelectElement).value).toBe(COPY.id);
});

it('sends what is typed and says under the field what cannot be used', async () => {
  const host = await mount(new TrainingTime(), { rows: [READ], model: { ...DEFAULT_MODEL, parameters: 'many' } });
  expect(textOf(find(host, '.refused', HTMLElement))).toContain('Write a number, such as 7e9 or 7B.');
  const changes = collect(host, 'app-model-changed');
  const field = find(host, '[name=memory]', HTMLInputElement);
  field.value = '80 GB';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  expect(changes.map(({ change }) => change)).toEqual([{ memory: '80 GB' }]);
});
