import { expect, it } from 'vitest';
import { type Kept, NOTHING_KEPT } from '../../../app/kept-runs.js';
import { type RunHead } from '../../../app/run-history.js';
import { compareReports } from '../../../model/report/compare.js';
import { sampleReport } from '../../../model/report/testing/report-sample.js';
import { button, collect, find, mount, textOf } from '../../testing/mount.js';
import { RunsDialog } from './runs-dialog.js';

const head = (id: string, name: string, more: Partial<RunHead> = {}): RunHead => ({
  id,
  name,
  createdAt: '2026-11-30T00:12:45.000Z',
  preset: 'quick',
  adapter: 'swiftshader',
  adapterClass: 'software',
  rows: 57,
  complete: true,
  ...more,
});
const KEPT: Kept = {
  ...NOTHING_KEPT,
  runs: [
    { kind: 'readable', head: head('b', 'after') },
    { kind: 'readable', head: head('a', 'before', { complete: false }) },
    { kind: 'damaged', id: 'x' },
  ],
};
const show = async (kept: Kept, more: Partial<RunsDialog> = {}) => {
  const dialog = await mount(new RunsDialog(), { kept, ...more });
  dialog.show();
  return dialog;
};
const told = (dialog: RunsDialog) => textOf(find(dialog, '[role=status]', HTMLElement));

it('says what will be kept before there is anything', async () => {
  const dialog = await show({ ...NOTHING_KEPT, runs: [] });
  expect(textOf(find(dialog, '.list', HTMLElement))).toContain('No run is kept yet');
  expect(button(dialog, 'Compare A with B').disabled).toBe(true);
});

it('lists runs with their mark, and a damaged one in words', async () => {
  const dialog = await show(KEPT);
  const rows = [...dialog.renderRoot.querySelectorAll('.list tbody tr')].map((row) => textOf(row));
  expect(rows[0]).toMatch(/^after Nov .* swiftshader Software Quick 57 Open Rename Delete$/);
  expect(rows[1]).toContain('incomplete');
  expect(rows[2]).toBe('This run is damaged and cannot be read. The others are as they were. Delete');
});

it('compares the newest two until others are chosen', async () => {
  const dialog = await show(KEPT);
  const asked = collect(dialog, 'app-comparison-requested');
  button(dialog, 'Compare A with B').click();
  expect(asked.map(({ baseline, judged }) => [baseline, judged])).toEqual([['a', 'b']]);
  find(dialog, '[aria-label="A: after"]', HTMLInputElement).click();
  await dialog.updateComplete;
  expect(button(dialog, 'Compare A with B').disabled).toBe(true);
});

it('shows a comparison row by row with its interval and verdict', async () => {
  const comparison = compareReports(sampleReport, sampleReport, { names: ['before', 'after'] });
  const dialog = await show(KEPT, { comparison });
  const text = textOf(find(dialog, '.comparison', HTMLElement));
  expect(text).toContain('A before, B after');
  expect(text).toContain('tiers/global/triad/vec4/64MiB 12.5 GB/s 12.5 GB/s');
  expect(dialog.renderRoot.querySelectorAll('.comparison tbody tr')).toHaveLength(comparison.rows.length);
});

it('opens, renames and deletes by name', async () => {
  const dialog = await show(KEPT);
  const acted = collect(dialog, 'app-kept-run-acted');
  button(dialog, 'Rename before').click();
  await dialog.updateComplete;
  find(dialog, '[name=name]', HTMLInputElement).value = 'baseline';
  button(dialog, 'Save').click();
  button(dialog, 'Delete the damaged run').click();
  button(dialog, 'Open after').click();
  expect(acted.map(({ action }) => action)).toEqual([
    { do: 'rename', id: 'a', name: 'baseline' },
    { do: 'remove', id: 'x' },
    { do: 'open', id: 'b' },
  ]);
  expect(find(dialog, 'dialog', HTMLDialogElement).open).toBe(false);
});

it('offers to undo a deletion and says what was refused', async () => {
  const removed = { id: 'a', head: head('a', 'before'), text: '' };
  const dialog = await show({
    ...KEPT,
    removed,
    trouble: { kind: 'refused', id: 'a', what: 'this kept run: the file is cut' },
  });
  const acted = collect(dialog, 'app-kept-run-acted');
  expect(told(dialog)).toContain('This run was not opened. this kept run: the file is cut.');
  button(dialog, 'Undo').click();
  expect(acted.map(({ action }) => action)).toEqual([{ do: 'undo' }]);
});

it('opens nothing while a run is being made', async () => {
  const dialog = await show(KEPT, { running: true });
  expect(button(dialog, 'Open after').disabled).toBe(true);
});
