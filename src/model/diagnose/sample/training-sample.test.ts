import { describe, expect, it } from 'vitest';
import { readSnapshot } from '../../snapshot/read-snapshot.js';
import { isExact } from '../../snapshot/fidelity.js';
import { explainSnapshot } from '../snapshot/explain-snapshot.js';
import { explainText } from '../texts/explain-text.js';
import { settingChange } from '../whatif/changes.js';
import { runChange, type WhatIfRow } from '../whatif/run-change.js';
import { snapshotInput } from '../whatif/whatif-input.js';
import { trainingSample } from './training-sample.js';

describe('the training sample', () => {
  const { snapshot: bytes, text } = trainingSample();
  const snapshot = readSnapshot(bytes, 'sample');

  it('is the same each time', () => {
    expect(trainingSample()).toEqual({ snapshot: bytes, text });
  });

  it('fails with memory free, replays exactly and names its lines', () => {
    const diagnosis = explainSnapshot(snapshot);
    expect(diagnosis.verdict).toBe('fragmentation');
    expect(diagnosis.fidelity.map(isExact)).toEqual([true]);
    expect(diagnosis.oom_state.map(({ contradictions }) => contradictions)).toEqual([0]);
    expect(diagnosis.pins[0]?.frees?.blocks[0]?.site).toBe('train.py:57 keep_log_probs');
    expect(diagnosis.growth.map(({ site }) => site)).toEqual(['bank.py:17 join_bank', 'train.py:57 keep_log_probs']);
  });

  it('was written after the exception had freed what the step held', () => {
    const { oom_state: states, state } = explainSnapshot(snapshot);
    expect(state.allocated_bytes).toBeLessThan(states[0]?.allocated_bytes ?? 0);
    expect(state.reserved_bytes).toBe(states[0]?.reserved_bytes);
  });

  it('has a text that says the same', () => {
    const { facts, verdict } = explainText(text);
    const state = explainSnapshot(snapshot).oom_state[0];
    expect(verdict).toBe('fragmentation');
    expect(facts['tried_bytes']).toBe(state?.tried_bytes);
    expect(facts['free_bytes']).toBe(state?.device_free_bytes);
  });

  it('fits with another setting and with other code, and not as it ran', () => {
    const input = snapshotInput(snapshot);
    const answer = (change = settingChange(input.conf)): WhatIfRow => {
      const trace = input.traces[change.trace];
      if (trace === undefined) throw new Error('no trace');
      return runChange(trace, change, { capacity: input.capacity, search: false });
    };
    expect(answer().fits).toBe(false);
    expect(answer(settingChange('expandable_segments:True')).fits).toBe(true);
    const preallocation = input.codeChanges.find(({ setting }) => setting.startsWith('preallocate'));
    expect(answer(preallocation).fits).toBe(true);
  });
});
