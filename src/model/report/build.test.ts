import { describe, expect, it } from 'vitest';
import { ReportBuilder } from './build.js';
import { reportFlaw } from './read.js';
import { sampleEnvironment, sampleRow } from './testing/report-sample.js';

const builder = () =>
  new ReportBuilder({
    tool: { name: 'vramlab', version: '0.1.0', commit: undefined },
    createdAt: '2026-01-01T00:00:00.000Z',
    argv: ['bench'],
    seed: 1,
    preset: 'quick',
  });

describe('ReportBuilder', () => {
  it('makes a valid report at every moment of a run', () => {
    const run = builder();
    expect(reportFlaw(run.build({ complete: false, reason: 'interrupted' }))).toBeUndefined();
    run.setEnvironment(sampleEnvironment);
    run.addRow(sampleRow);
    const early = run.build({ complete: false, reason: 'timed out' });
    expect(reportFlaw(early)).toBeUndefined();
    expect(early.incompleteReason).toBe('timed out');
    run.addRow({ ...sampleRow, id: 'tiers/global/copy/vec4/64MiB' });
    run.addExperiment({ id: 'oom/max', suite: 'oom', status: 'measured' });
    const whole = run.build({ complete: true });
    expect(reportFlaw(whole)).toBeUndefined();
    expect(whole.results).toHaveLength(2);
    expect(whole.experiments).toHaveLength(1);
    expect(early.results).toHaveLength(1);
  });

  it('cannot pass for complete without an environment', () => {
    expect(reportFlaw(builder().build({ complete: true }))).toContain('environment');
  });
});
