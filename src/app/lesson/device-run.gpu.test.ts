/** Runs of the lessons on real buffers: outcome, segments and words as the model says. */
import { expect, it, onTestFinished } from 'vitest';
import { EngineClient } from '../../engine/client.js';
import { loadLesson } from '../../model/lesson/built-in.js';
import { type DeviceState, deviceRuns, runOnDevice } from './device-run.js';

/** All allocators and placements are in these; the whole course takes minutes on a software adapter. */
const LESSONS = ['three-numbers', 'sizes', 'concat', 'holes', 'tensorflow'];
const signal = new AbortController().signal;

function open(): EngineClient {
  const engine = new EngineClient();
  onTestFinished(() => engine.dispose());
  return engine;
}

it.each(LESSONS)(
  '%s: real buffers do what the model says',
  async (id) => {
    const engine = open();
    const { steps } = await loadLesson(id);
    for (const step of steps.filter((each) => deviceRuns(each).length > 0)) {
      const end = await runOnDevice(step, { engine, adapterClass: 'software' }, signal, () => undefined);
      if (end.kind !== 'carried') throw new Error(`${step.id}: ${JSON.stringify(end)}`);
      const came = end.runs.map((run) =>
        run.kind === 'carried' ? [step.id, run.run, run.met, run.corruptWords] : [step.id, run.run, run.reason],
      );
      expect(came).toEqual(deviceRuns(step).map((run) => [step.id, run.id, true, 0]));
      expect(end.runs.every((run) => run.kind === 'carried' && run.checkedWords > 0)).toBe(true);
    }
  },
  240_000,
);

it('tells how far it is, and stops when it is told to', async () => {
  const { steps } = await loadLesson('concat');
  const step = steps.find(({ id }) => id === 'concat/small-fits');
  if (step === undefined) throw new Error('no step');
  const abort = new AbortController();
  const states: DeviceState[] = [];
  const end = await runOnDevice(step, { engine: open(), adapterClass: 'software' }, abort.signal, (state) => {
    states.push(state);
    if (state.kind === 'running' && state.reached !== undefined) abort.abort();
  });
  expect(end).toEqual({ kind: 'cancelled' });
  expect(states[0]).toEqual({ kind: 'running', run: 'one', reached: undefined, rows: [] });
});
