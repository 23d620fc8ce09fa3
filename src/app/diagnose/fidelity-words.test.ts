import { describe, expect, it } from 'vitest';
import { type Fidelity } from '../../model/snapshot/fidelity-figures.js';
import { fidelityWords } from './diagnose-words.js';

const exact: Fidelity = {
  device: 0,
  alloc: 1234,
  addr_match: 1234,
  segment_alloc: 9,
  segsize_match: 9,
  segment_map: 0,
  map_match: 0,
  oom: 0,
  oom_match: 0,
  initial_active: 40,
  inferred_slack_blocks: 0,
  inferred_pools: 0,
  inferred_pool_allocations: 0,
  settings_changed: null,
  final_reserved_model: 2 ** 30,
  final_reserved_snap: 2 ** 30,
  torch: '2.6',
  first_mismatch: null,
};

describe('the fidelity line', () => {
  it('of an exact replay has its count alone', () => {
    expect(fidelityWords(exact)).toBe('1,234 of 1,234 allocations replayed at the recorded address.');
  });

  it('says what the file did not', () => {
    const words = fidelityWords({
      ...exact,
      inferred_slack_blocks: 3,
      inferred_pools: 1,
      inferred_pool_allocations: 57,
    });
    expect(words).toContain(
      'Hidden slack inferred for 3 of 40 starting blocks. The file names no private pool for 57 of',
    );
  });

  it('says where it is no longer exact, and that settings were changed', () => {
    const words = fidelityWords({
      ...exact,
      addr_match: 1000,
      settings_changed: 361,
      first_mismatch: { event: 400, what: 'alloc: other' },
    });
    expect(words).toContain('1,000 of 1,234. First difference at event 400: everything after it is an estimate.');
    expect(words).toContain('settings were changed before event 361');
  });
});
