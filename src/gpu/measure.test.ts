import { describe, expect, it } from 'vitest';
import { remember } from './measure.js';
import { type Samples } from './sampling.js';
import { noHistory } from './suite.js';

const round = (repeats: number, value: number, change: Partial<Samples> = {}): Samples => ({
  durationsNs: [value, value],
  readingsNs: [value * repeats, value * repeats],
  repeats,
  timerLimited: false,
  stopReason: 'time-budget',
  firstRunNs: value,
  clockFellBack: false,
  rounds: [2],
  ...change,
});

describe('what a row remembers of its rounds', () => {
  it('is the samples of all, and the very first run', () => {
    const history = noHistory();
    remember(history, round(100, 10));
    const all = remember(history, round(120, 11));
    expect(all).toMatchObject({ durationsNs: [10, 10, 11, 11], rounds: [2, 2], firstRunNs: 10 });
  });

  it.each([
    ['300 repetitions after 100', 300, 2],
    ['301 repetitions after 100', 301, 1],
  ])('leaves out rounds that were far too short: %s', (_, repeats, rounds) => {
    const history = noHistory();
    remember(history, round(100, 10));
    const all = remember(history, round(repeats, 11, { firstRunNs: 0 }));
    expect([all.rounds.length, all.firstRunNs]).toEqual([rounds, 10]);
  });

  it('does not mix two clocks', () => {
    const history = noHistory();
    remember(history, round(100, 10));
    expect(remember(history, round(100, 11, { clockFellBack: true })).durationsNs).toEqual([11, 11]);
  });
});
