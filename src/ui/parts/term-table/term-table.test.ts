import { expect, it } from 'vitest';
import { type PlanAnswer } from '../../../app/plan-work.js';
import { modelOfCount } from '../../../model/plan/model.js';
import { makePlan } from '../../../model/plan/plan.js';
import { planSettings } from '../../../model/plan/settings.js';
import { mount, textOf } from '../../testing/mount.js';
import { TermTable } from './term-table.js';

const answerOf = (parameters: number): PlanAnswer => ({
  plan: makePlan(modelOfCount(parameters), planSettings({})),
  replay: 'the step is not known',
  points: [],
  largest: undefined,
  changes: undefined,
  isDone: true,
});

it('shows each term with its formula, the numbers put in, and why one is not known', async () => {
  const table = await mount(new TermTable(), { a: answerOf(7e9) });
  const rows = [...table.renderRoot.querySelectorAll('tbody tr')].map(textOf);
  expect(rows[0]).toContain('Parameters 13.0 GiB');
  expect(rows[0]).toMatch(/2 \* P\s*= 2 \* 7,000,000,000/);
  expect(rows.find((row) => row.startsWith('Activations'))).toContain('unknown');
  expect(textOf(table.renderRoot.querySelector('tfoot'))).toContain('Sum 78.2 GiB');
});

it('has a column for a second plan', async () => {
  const table = await mount(new TermTable(), { a: answerOf(7e9), b: answerOf(1e9) });
  const first = table.renderRoot.querySelector('tbody tr');
  expect([...(first?.querySelectorAll('td.number') ?? [])].slice(0, 2).map(textOf)).toEqual(['13.0 GiB', '1.9 GiB']);
});
