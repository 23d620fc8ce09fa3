import { expect, it } from 'vitest';
import { MiB } from '../../base/units.js';
import { givenTrace, readGivenTrace } from './given-trace.js';

const PRESET = MiB(40);
const environment = { adapter: { limits: { maxBufferSize: 2 ** 30 } } } as unknown as Parameters<typeof givenTrace>[1];

/** The trace of one tensor, in a run that was given a budget or none. */
function given(tensorBytes: number, capacity: number | undefined, budgetBytes?: number) {
  const file = {
    schema: 'vramlab-trace',
    version: 1,
    name: 'one',
    ...(capacity === undefined ? {} : { capacity }),
    ops: [
      ['a', 0, tensorBytes, 0],
      ['f', 0],
    ],
  };
  const request = {
    suites: ['train'],
    preset: 'quick',
    seed: 1,
    adapter: 'any',
    budgetBytes: budgetBytes ?? 2 ** 30,
    isBudgetAsked: budgetBytes !== undefined,
    traceText: JSON.stringify(file),
    traceFile: 'one.trace.json',
  } as const;
  return givenTrace(request, environment, PRESET);
}

it('gives a trace the budget that was asked for, headroom taken off, where that holds it', () => {
  expect(given(MiB(50), undefined, MiB(256))).toMatchObject({ capacity: MiB(240), budgetBytes: MiB(240) });
  expect(given(MiB(50), MiB(240), MiB(256))).toMatchObject({ capacity: MiB(240), budgetBytes: MiB(240) });
});

it('scales one that is too large for it to what the preset has time for', () => {
  expect(given(MiB(50), MiB(240) + 1, MiB(256))).toMatchObject({ capacity: MiB(240) + 1, budgetBytes: PRESET });
});

it('gives it what the preset has time for where nobody asked', () => {
  expect(given(MiB(30), undefined)).toMatchObject({ capacity: PRESET, budgetBytes: PRESET });
  expect(given(MiB(30), MiB(100))).toMatchObject({ capacity: MiB(100), budgetBytes: PRESET });
});

it('refuses a tensor over the limit of one buffer, with both numbers', () => {
  expect(() => given(2 ** 30 + 1, undefined)).toThrow(/operation 0 .*1073741825 bytes.*1073741824 bytes/);
});

it('takes the limit that a file of BFC was recorded under as its capacity', () => {
  const file = { name: 'bfc', config: { memory_limit: MiB(4096) }, ops: ['a 0 512'] };
  const read = (config: object) => readGivenTrace(JSON.stringify({ ...file, config }), 'bfc.json', PRESET).capacity;
  expect(read(file.config)).toBe(MiB(4096));
  expect(read({ memory_limit: 0 })).toBe(PRESET);
});
