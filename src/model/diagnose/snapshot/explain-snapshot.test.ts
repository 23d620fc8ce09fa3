import { describe, expect, it } from 'vitest';
import { readSnapshot } from '../../snapshot/read-snapshot.js';
import { EXPANDABLE_FAILURE, expandableFailure } from '../../snapshot/testing/expandable-failure.js';
import { recordedRun } from '../../snapshot/testing/recorded-run.js';
import { compareSnapshots } from '../compare/compare-snapshots.js';
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

describe('snapshots compared', () => {
  it('differ by what is live in each', () => {
    const [a, b] = [300, 600].map((steps) => recordedRun({ capacity: 8 * GIB, steps, seed: 1 }));
    if (a === undefined || b === undefined) throw new Error('two runs');
    const { by_site: bySite, states } = compareSnapshots([a, b]);
    expect(bySite[0]?.bytes).toEqual(states.map(({ allocated_bytes: allocated }) => allocated));
    expect(compareSnapshots([a, a]).by_site.every(({ difference_bytes: difference }) => difference === 0)).toBe(true);
  });
});
