import { describe, expect, it } from 'vitest';
import { readSnapshot } from '../../snapshot/read-snapshot.js';
import { EXPANDABLE_FAILURE, expandableFailure } from '../../snapshot/testing/expandable-failure.js';
import { pythonPickle } from '../../snapshot/testing/python-pickle.js';
import { recordedRun } from '../../snapshot/testing/recorded-run.js';
import { compareSnapshots } from '../compare/compare-snapshots.js';
import { growthTables, pinTables } from '../tables.js';
import { explainSnapshot } from './explain-snapshot.js';

const GIB = 2 ** 30;

describe('a snapshot explained', { timeout: 60_000 }, () => {
  it('is a true shortage where the exception has unwound to a hole of 27 GB', () => {
    const diagnosis = explainSnapshot(readSnapshot(expandableFailure(), 'x'));
    expect(diagnosis.verdict).toBe('true-shortage');
    expect(diagnosis.oom_state).toEqual([expect.objectContaining(EXPANDABLE_FAILURE)]);
    const hints = diagnosis.advice.filter((line) => !line.startsWith('Settings seen'));
    expect(hints.join('\n')).not.toContain('expandable_segments');
  });

  it('tells how exactly the model repeats its trace', () => {
    const diagnosis = explainSnapshot(recordedRun({ capacity: 8 * GIB, steps: 900, lost: 400, seed: 1 }));
    const [fidelity] = diagnosis.fidelity;
    expect(fidelity).toMatchObject({ device: 0, addr_match: fidelity?.alloc, first_mismatch: null });
    expect(diagnosis.steps.some((step) => step.includes('land at the recorded address'))).toBe(true);
  });

  it('names frees that would have made room for the failed request', () => {
    const diagnosis = explainSnapshot(recordedRun({ capacity: GIB / 2, steps: 900, seed: 3 }));
    const [pin] = diagnosis.pins;
    expect(pin?.frees?.room).toBeGreaterThanOrEqual(pin?.frees?.needed ?? Infinity);
    expect(pin?.frees?.least).toBeLessThanOrEqual(pin?.frees?.count ?? 0);
    expect(pin?.held_free_bytes).toBeGreaterThan(0);
  });
});

describe('a request that the device would serve by a whole segment', () => {
  const MIB = 2 ** 20;
  const failing = (deviceFree: number, expandable = false): ReturnType<typeof explainSnapshot> => {
    const address = 0x7f00_0000_0000;
    const size = 20 * MIB;
    const block = { address, size, requested_size: size, state: 'active_allocated', frames: [] };
    const segment = {
      device: 0,
      address,
      total_size: size,
      stream: 0,
      segment_type: 'large',
      frames: [],
      blocks: [block],
    };
    const oom = { action: 'oom', device_free: deviceFree, size: 3 * MIB, stream: 0 };
    const file = { segments: [{ ...segment, is_expandable: expandable }], device_traces: [[oom]] };
    return explainSnapshot(readSnapshot(pythonPickle(file, 4), 'x'));
  };

  it.each([false, true])('is short of it although the request itself would fit (expandable: %s)', (expandable) => {
    expect(failing(20 * MIB - 1, expandable).verdict).toBe('true-shortage');
    expect(failing(20 * MIB, expandable).verdict).toBe('unknown');
  });
});

describe('what a snapshot does not tell', () => {
  const run = recordedRun({ capacity: GIB / 2, steps: 900, seed: 3 });

  it('is said where nothing but the dump itself was recorded', () => {
    const dump = { action: 'snapshot', addr: 0, size: 0, stream: 0, time_us: 1, frames: [] };
    for (const entries of [[], [dump]]) {
      const file = pythonPickle({ segments: [], device_traces: [entries] }, 4);
      const { why, advice } = explainSnapshot(readSnapshot(file, 'x'));
      expect(why).toContain('no history was recorded');
      expect(advice.join('\n')).toContain('_record_memory_history()');
    }
  });

  it('is named where blocks do not add up to their segments', () => {
    expect(explainSnapshot(run).oddities).toEqual([]);
    const short = { ...run, segments: run.segments.map((segment) => ({ ...segment, size: segment.size + 2 ** 20 })) };
    expect(explainSnapshot(short).oddities.join('\n')).toMatch(/^in (\d+) of \1 segments the blocks do not add up/);
  });

  it('says that places that rise are approximate', () => {
    const growing = growthTables([
      { device: 0, site: 'a.py:1 f', bytes: [0, 2 ** 20], rise_bytes: 2 ** 20, blocks: 1 },
    ]);
    expect(growing[0]?.about).toMatch(/^approximate: a snapshot has no marks/);
  });

  it('is taken from whichever variable the settings came in', () => {
    const text = 'garbage_collection_threshold:0.8';
    for (const variable of ['PYTORCH_CUDA_ALLOC_CONF', 'PYTORCH_HIP_ALLOC_CONF', 'PYTORCH_ALLOC_CONF']) {
      const file = pythonPickle({ segments: [], allocator_settings: { [variable]: text } }, 4);
      const { advice } = explainSnapshot({ ...run, settings: readSnapshot(file, 'x').settings });
      expect(advice.join('\n')).toContain(`${variable}=${text}`);
    }
  });

  it('is not called the end where a failure has no frees that would help', () => {
    const [pin] = explainSnapshot(run).pins;
    if (pin === undefined) throw new Error('a failure has pins');
    expect(pin.at_failure).toBe(true);
    for (const table of pinTables([{ ...pin, frees: null }])) expect(table.title).toContain('at the failure');
  });
});

describe('snapshots compared', () => {
  it('differ by what is live in each', () => {
    const [a, b] = [300, 600].map((steps) => recordedRun({ capacity: 8 * GIB, steps, seed: 1 }));
    if (a === undefined || b === undefined) throw new Error('two runs');
    const { by_site: bySite, states } = compareSnapshots([a, b]);
    expect(bySite[0]?.bytes).toEqual(states.map(({ allocated_bytes: allocated }) => allocated));
    expect(compareSnapshots([a, a]).by_site.every(({ difference_bytes: difference }) => difference === 0)).toBe(true);
  });
});
