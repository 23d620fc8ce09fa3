import { describe, expect, it } from 'vitest';
import { type AdapterFacts } from '../model/report/schema.js';
import { sampleReport } from '../model/report/testing/report-sample.js';
import { checkLeastBudget, checkMostBudget, modestBudget } from './budget.js';

const GiB = 2 ** 30;
const facts = sampleReport.environment?.adapter;
if (facts === undefined) throw new Error('the sample has no adapter');
const heaps = (...sizes: readonly number[]): AdapterFacts['memoryHeaps'] =>
  sizes.map((sizeBytes) => ({ sizeBytes, properties: 1 }));
const hardware = (...sizes: readonly number[]): AdapterFacts => ({
  ...facts,
  class: 'hardware',
  memoryHeaps: heaps(...sizes),
});
const software: AdapterFacts = { ...facts, class: 'software', memoryHeaps: undefined };

describe('checkMostBudget', () => {
  it('takes all that the largest heap has, and not a byte more', () => {
    const adapter = hardware(GiB / 4, 8 * GiB);
    expect(() => checkMostBudget('--budget', 8 * GiB, adapter)).not.toThrow();
    expect(() => checkMostBudget('--budget', 8 * GiB + 1, adapter)).toThrow(
      /--budget: .* more than this adapter has \(8 GiB\)/,
    );
  });
  it('takes the memory of the machine for what a software adapter has', () => {
    expect(() => checkMostBudget('--budget', 2 * GiB, software, 2 * GiB)).not.toThrow();
    expect(() => checkMostBudget('--budget', 2 * GiB + 1, software, 2 * GiB)).toThrow('--budget');
    expect(() => checkMostBudget('--budget', 64 * GiB, hardware(), 2 * GiB)).not.toThrow();
  });
});

describe('checkLeastBudget', () => {
  it('refuses what nothing can be measured with', () => {
    expect(() => checkLeastBudget('--budget', 2 ** 20)).not.toThrow();
    for (const bytes of [2 ** 20 - 1, 0, -1, NaN]) {
      expect(() => checkLeastBudget('--budget', bytes)).toThrow('give at least 1 MiB');
    }
  });
});

describe('modestBudget', () => {
  const of = (budgetBytes: number, adapter: AdapterFacts, more = {}) => modestBudget({ budgetBytes, ...more }, adapter);
  it('stays under a quarter of what is there, unless it was asked for', () => {
    expect(of(GiB, hardware(2 * GiB))).toBe(GiB / 2);
    expect(of(GiB, hardware(4 * GiB))).toBe(GiB);
    expect(of(GiB, hardware(2 * GiB), { isBudgetAsked: true })).toBe(GiB);
    expect(of(GiB, software, { hostMemoryBytes: 2 * GiB })).toBe(GiB / 2);
  });
  it('stays what it is where nothing is known', () => {
    expect(of(GiB, hardware())).toBe(GiB);
  });
});
