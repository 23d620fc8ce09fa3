import { expect, it } from 'vitest';
import { type LabProgram } from '../model/lab/lab-program.js';
import { LabClient } from './lab-client.js';

const MIB = 2 ** 20;
const workload = (id: string, parameters: Readonly<Record<string, unknown>>): LabProgram => ({
  kind: 'workload',
  workload: id,
  parameters,
});

it('gives files away and takes them in while trials go on', async () => {
  const lab = new LabClient();
  const trials = new AbortController();
  try {
    const long = workload('case13b', { seed: 2, steps: 12 });
    const small = workload('layer-bank', {});
    const setup = { name: 'caching', capacity: 448 * MIB };
    let haveEnded = false;
    const tried = lab.fits(long, { name: 'caching', capacity: 39_310 * MIB }, () => undefined, trials);
    const ended = tried.then(
      () => (haveEnded = true),
      () => undefined,
    );
    expect(await lab.report(small, setup)).toMatchObject({ schema: 'vramlab-replay' });
    const file = await lab.traceFile(small);
    const opened = await lab.openTrace(file, 'bank.trace.json', { signal: new AbortController().signal });
    expect(opened.trace.length).toBeGreaterThan(100);
    expect(haveEnded).toBe(false);
    trials.abort();
    await ended;
  } finally {
    lab.dispose();
  }
});
