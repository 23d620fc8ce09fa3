import { expect, it } from 'vitest';
import { SOFTWARE_ADAPTER } from '../../../app/testing/sample-run.js';
import { type RealFacts } from '../../../app/lab/real-state.js';
import { mount, textOf } from '../../testing/mount.js';
import { RealBuffers } from './real-buffers.js';

const facts: RealFacts = {
  predicted: 'out-of-memory',
  outcome: 'out-of-memory',
  met: true,
  corruptWords: 0,
  checkedWords: 2_210_283_520,
  segmentsPredicted: 51,
  segmentsCreated: 51,
  refusalsPredicted: 5,
  refusalsMet: 5,
  scale: 1,
  scaling: '',
  budgetBytes: 2 ** 30,
  createBufferCalls: 10,
  createNs: 1e7,
  movedBytes: 1,
  agrees: true,
};
const rows = (panel: RealBuffers) =>
  [...panel.renderRoot.querySelectorAll('tbody tr')].map((row) => [...row.children].map(textOf).join(' '));

it('shows both sides as they come', async () => {
  const panel = await mount(new RealBuffers(), { badge: 'software' });
  expect(textOf(panel)).toContain('Not run yet.');
  panel.sides = [
    { kind: 'done', facts, adapter: SOFTWARE_ADAPTER },
    { kind: 'running', plan: undefined, reached: undefined },
  ];
  await panel.updateComplete;
  expect(rows(panel)[0]).toBe('State done planning');
  expect(rows(panel)).toContain('Segments created 51 not run');
  expect(rows(panel)).toContain('Words checked 2.21 billion not run');
  expect(panel.renderRoot.querySelectorAll('.bad')).toHaveLength(0);
});

it('puts what differs first, and says where the device gave less', async () => {
  const differing = { ...facts, corruptWords: 3, replans: [1], why: 'the device made another segment' };
  const panel = await mount(new RealBuffers(), {
    sides: [
      { kind: 'done', facts: differing, adapter: SOFTWARE_ADAPTER },
      { kind: 'none', words: 'BFC has no counterpart' },
    ],
  });
  expect(rows(panel)[0]).toBe('State done BFC has no counterpart');
  expect(rows(panel)[1]).toBe('Corrupt words 3 not run');
  expect(textOf(panel)).toContain('The device refused earlier: the budget was lowered to 1 GiB.');
  expect(textOf(panel)).toContain('the device made another segment');
});
