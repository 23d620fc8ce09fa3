import { describe, expect, it } from 'vitest';
import { checkSnapshot, checkSummary, checkText } from './check-samples/figures.mjs';

const answers = (figures: ReturnType<typeof checkText>) =>
  Object.fromEntries(figures.filter(({ answer }) => answer !== 'same').map(({ name, answer }) => [name, answer]));

describe('texts of the samples', () => {
  const TEXT = 'Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity)';
  const SAMPLE = { framework: 'pytorch-cuda', tried_bytes: 2 ** 31, capacity_bytes: 2 ** 33, free_bytes: null };
  const diagnosis = (facts: object, verdict = 'unknown') => ({
    framework: 'pytorch-cuda',
    facts: { tried_bytes: 2 ** 31, capacity_bytes: 2 ** 33, ...facts },
    ranges: { tried_bytes: [2 ** 31 - 100, 2 ** 31 + 100] },
    verdict,
  });

  it('agree within the printed interval, and not one beyond it', () => {
    const at = (tried: number) =>
      answers(checkText({ ...SAMPLE, tried_bytes: tried, verdict: 'unknown' }, diagnosis({}), TEXT));
    expect(at(2 ** 31 + 101)).toEqual({});
    expect(at(2 ** 31 + 102)).toEqual({ tried_bytes: 'absent' });
    expect(at(2 ** 33)).toEqual({ tried_bytes: 'absent' });
  });

  it('differ where a printed figure is missing or one was made up', () => {
    const sample = { ...SAMPLE, verdict: 'unknown' };
    expect(answers(checkText(sample, diagnosis({ capacity_bytes: undefined }), TEXT))).toEqual({
      capacity_bytes: 'differs',
    });
    expect(answers(checkText(sample, diagnosis({ free_bytes: 1 }), TEXT))).toEqual({ free_bytes: 'differs' });
  });

  it('do not ask for what only the thread says', () => {
    const sample = { ...SAMPLE, limit_bytes: 67e6, verdict: 'unknown' };
    expect(answers(checkText(sample, diagnosis({}), TEXT))).toEqual({ limit_bytes: 'absent' });
  });

  it('tell the verdict of the rule from a wrong one', () => {
    const sample = { ...SAMPLE, verdict: 'limit-set', rule_would_say: 'unknown' };
    expect(answers(checkText(sample, diagnosis({}), TEXT))).toEqual({ verdict: 'rule' });
    expect(answers(checkText(sample, diagnosis({}, 'fragmentation'), TEXT))).toEqual({ verdict: 'differs' });
  });
});

describe('snapshots of the samples', () => {
  const STATE = { segments: 1, blocks: 2, reserved_bytes: 3, allocated_bytes: 4, active_bytes: 5 };
  const SIZES = { inactive_bytes: 6, largest_inactive_block: 7, releasable_segments_bytes: 8 };
  const start = (peak: number, calls: object) => ({
    peak_reserved: peak,
    final_reserved: 10,
    peak_allocated: 11,
    ...calls,
  });
  const CONTENTS = {
    form: 'snapshot-dict',
    expandable: false,
    pools: [[0, 0]],
    streams: [0],
    block_states: { inactive: 1, active_allocated: 1 },
    trace_actions: [{ alloc: 9, oom: 1 }],
  };
  const EXPECTED = {
    ...STATE,
    ...SIZES,
    ...CONTENTS,
    devices: [0],
    replay: [{ device: 0, alloc: 9, addr_match: 9, first_mismatch: [] }],
    what_if_indicative: [
      {
        native_fresh_start: start(20, { cudaMallocs: 3 }),
        expandable_fresh_start: start(21, { maps: 4 }),
        max_split_128_fresh_start: start(22, { cudaMallocs: 5 }),
      },
    ],
  };
  const DIAGNOSIS = {
    state: { ...STATE, ...SIZES },
    contents: { ...CONTENTS, trace_actions: [{ oom: 1, alloc: 9 }] },
    facts: { devices: [0] },
    fidelity: [{ device: 0, alloc: 9, addr_match: 9, first_mismatch: null }],
  };
  const whatIf = (peak: number) => ({
    baseline: start(peak, { device_allocs: 3 }),
    rows: [
      { setting: 'max_split_size_mb:128', ...start(22, { device_allocs: 5 }) },
      { setting: 'expandable_segments:True', ...start(21, { device_allocs: 4 }) },
    ],
  });

  it('agree figure by figure', () => {
    const figures = checkSnapshot(EXPECTED, DIAGNOSIS, whatIf(20));
    expect(figures).toHaveLength(8 + 1 + 6 + 4 + 12);
    expect(answers(figures)).toEqual({});
  });

  it('differ where one figure is off, or the model left the recorded addresses', () => {
    const missed = [{ device: 0, alloc: 9, addr_match: 8, first_mismatch: { event: 3 } }];
    expect(answers(checkSnapshot(EXPECTED, { ...DIAGNOSIS, fidelity: missed }, whatIf(19)))).toEqual({
      'native.peak_reserved': 'differs',
      'replay.0.addr_match': 'differs',
      'replay.0.first_mismatch': 'differs',
    });
  });
});

describe('memory summaries of the samples', () => {
  const SAMPLE = { ooms: 1, retries: 0, rows: [['Allocations', '2', '3', '4', '2']], derived: { active_bytes: 5 } };
  const diagnosis = (cell: string, broken: number) => ({
    kind: 'memory-summary',
    facts: { ooms: 1, retries: 0, active_bytes: 5 },
    tables: [{ rows: [{ metric: 'Allocations', pool: 'all', printed: [cell, '3', '4', '2'] }] }],
    steps: [`12 identities checked, ${broken} broken`],
  });

  it('agree cell by cell, with every identity', () => {
    expect(answers(checkSummary(SAMPLE, diagnosis('2', 0)))).toEqual({});
    expect(answers(checkSummary(SAMPLE, diagnosis('1', 1)))).toEqual({
      rows: 'differs',
      'broken identities': 'differs',
    });
  });
});
