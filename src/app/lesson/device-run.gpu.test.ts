/** Runs of the lessons on real buffers: outcome, segments and words as the model says; measured steps: figures that can be. */
import { expect, it, onTestFinished } from 'vitest';
import { MiB } from '../../base/units.js';
import { EngineClient } from '../../engine/client.js';
import { LessonClient } from '../../engine/lesson-client.js';
import { LESSON_ENTRIES } from '../../model/lesson/contents.js';
import { type Device, type DeviceState, deviceRuns, runOnDevice } from './device-run.js';

const signal = new AbortController().signal;

/** Small, so that the whole course takes seconds: the sizes and the allocators' constants are divided alike. */
const BUDGET = MiB(8);

function open(): Device & { readonly models: LessonClient } {
  const engine = new EngineClient();
  const models = new LessonClient();
  onTestFinished(() => {
    engine.dispose();
    models.dispose();
  });
  return { engine, models, adapterClass: 'software', softwareBudget: BUDGET };
}

it.each(LESSON_ENTRIES.map(({ id }) => id))(
  '%s: real buffers do what the model says',
  async (id) => {
    const device = open();
    const { steps } = await device.models.lesson(id);
    for (const step of steps.filter((each) => deviceRuns(each).length > 0)) {
      const end = await runOnDevice(step, device, signal, () => undefined);
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
  const device = open();
  const { steps } = await device.models.lesson('concat');
  const step = steps.find(({ id }) => id === 'concat/small-fits');
  if (step === undefined) throw new Error('no step');
  const abort = new AbortController();
  const states: DeviceState[] = [];
  const end = await runOnDevice(step, device, abort.signal, (state) => {
    states.push(state);
    if (state.kind === 'running' && state.reached !== undefined) abort.abort();
  });
  expect(end).toEqual({ kind: 'cancelled' });
  expect(states[0]).toEqual({ kind: 'running', run: 'one', reached: undefined, rows: [] });
});
