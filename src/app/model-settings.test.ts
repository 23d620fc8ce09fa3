import { describe, expect, it } from 'vitest';
import { checkModel, DEFAULT_MODEL } from './model-settings.js';

const problemsOf = (change: Partial<typeof DEFAULT_MODEL>) => {
  const checked = checkModel({ ...DEFAULT_MODEL, ...change });
  return checked.status === 'refused' ? checked.problems : {};
};
const parametersOf = (parameters: string) => {
  const checked = checkModel({ ...DEFAULT_MODEL, parameters });
  return checked.status === 'usable' ? checked.model.parameters : undefined;
};

describe('checkModel', () => {
  it('reads a count as people write it', () => {
    expect(['7e9', '7B', '7 b', '7,000,000,000', '1.3e9', '125M', '1'].map(parametersOf)).toEqual([
      7e9, 7e9, 7e9, 7e9, 1.3e9, 125e6, 1,
    ]);
  });

  it.each(['', '0', '-7', 'seven', '7e', '1e400', '7 GB', '0.4'])('refuses %j as a count', (parameters) => {
    expect(problemsOf({ parameters })).toEqual({ parameters: 'not-a-count' });
  });

  it('takes bytes from 0 to 1,024 and refuses others', () => {
    expect(problemsOf({ weights: '0.5', optimiser: '1024' })).toEqual({});
    expect(problemsOf({ weights: '1025' })).toEqual({ weights: 'not-bytes' });
    expect(problemsOf({ gradients: '-1', optimiser: 'x' })).toEqual({ gradients: 'not-bytes', optimiser: 'not-bytes' });
  });

  it('refuses a model without any bytes', () => {
    expect(problemsOf({ weights: '0', gradients: '0', optimiser: '0' })).toEqual({ weights: 'no-bytes' });
    expect(problemsOf({ weights: '0', gradients: '0' })).toEqual({});
  });

  it('lets the memory be unknown, but not unreadable', () => {
    expect(checkModel({ ...DEFAULT_MODEL, memory: ' ' })).toMatchObject({ status: 'usable', capacityBytes: undefined });
    expect(problemsOf({ memory: 'lots' })).toEqual({ memory: 'not-a-size' });
  });
});
