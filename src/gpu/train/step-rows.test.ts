import { describe, expect, it } from 'vitest';
import { type Execution, type ExecutedStep } from './execution.js';
import { STEP_FIGURE_IDS, stepRow } from './step-rows.js';

const NOTHING: Execution = {
  steps: [],
  created: [],
  createCalls: 0,
  createNs: 0,
  destroyed: 0,
  fences: 0,
  peakHeld: 0,
  refusalsMet: 0,
  movedBytes: 0,
  recopiedBytes: 0,
  checkedWords: 0,
  corruptions: [],
};
const step = (wallNs: number): ExecutedStep => ({
  label: 'step',
  wallNs,
  gpuNs: wallNs / 2,
  movedBytes: 4096,
  recopiedBytes: 1024,
});

describe.each(STEP_FIGURE_IDS)('the row of %s', (figure) => {
  it('says why it is not there: nothing moved, or the memory ended before', () => {
    expect(stepRow('id', figure, NOTHING, 'completed')).toMatchObject({
      status: 'skipped',
      reason: expect.not.stringContaining('out of memory') as string,
    });
    expect(stepRow('id', figure, NOTHING, 'out-of-memory')).toMatchObject({
      status: 'skipped',
      reason: expect.stringContaining('out of memory') as string,
    });
  });
  it('is positive, with a sample a step, whatever the end', () => {
    const row = stepRow('id', figure, { ...NOTHING, steps: [step(1000), step(3000)] }, 'out-of-memory');
    expect(row).toMatchObject({ status: 'measured', verified: true, stats: { n: 2 } });
    if (row.status === 'measured') expect(row.value).toBeGreaterThan(0);
  });
  it('is no figure where words were wrong', () => {
    const corruptions = [{ tensor: 0, step: 1, words: 64, firstWord: 0 }];
    expect(stepRow('id', figure, { ...NOTHING, steps: [step(1000)], corruptions }, 'completed')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('64 words') as string,
    });
  });
});
