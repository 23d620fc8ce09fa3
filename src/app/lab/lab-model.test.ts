import { describe, expect, it, vi } from 'vitest';
import { badInput } from '../../base/errors.js';
import { MiB } from '../../base/units.js';
import { labFits } from '../../model/lab/lab-fits.js';
import { traceOfProgram } from '../../model/lab/lab-program.js';
import { labRun } from '../../model/lab/lab-run.js';
import { parseTrace } from '../../model/trace/trace-reader.js';
import { type TrainResult } from '../../engine/protocol.js';
import { type Engine } from '../engine-port.js';
import { environmentOf, SOFTWARE_ADAPTER } from '../testing/sample-run.js';
import { LabModel } from './lab-model.js';
import { type LabPort } from './lab-port.js';
import { flagshipSettings } from './lab-settings.js';

/** The models on this thread. */
const here: LabPort = {
  run: (program, setup) => attempt(() => labRun(traceOfProgram(program), setup)),
  fits: async (program, setup, onFit) => {
    let done = 0;
    for (const fit of labFits(traceOfProgram(program), setup)) await onFit(fit, ++done, 7);
  },
  openTrace: async (source, name) => parseTrace(await source.text(), name),
  traceFile: () => Promise.resolve(new Blob(['{}'])),
  snapshot: () => Promise.resolve(new Blob()),
  report: () => Promise.resolve({}),
  dispose: () => undefined,
};
const attempt = async <T>(work: () => T): Promise<T> => Promise.resolve(work());

const settled = (model: LabModel) => vi.waitFor(() => expect(model.value.fits?.phase ?? 'done').toBe('done'));
const done = (model: LabModel) =>
  vi.waitFor(() => expect(model.value.sides.map(({ kind }) => kind)).toEqual(['done', 'done']));

describe('the Lab', () => {
  it('runs both sides of a link, finds the failure and tries what fits', async () => {
    const model = new LabModel(here);
    expect(model.follow('')).toEqual([]);
    await done(model);
    await settled(model);
    const [a, b] = model.value.sides;
    expect(a.kind === 'done' && a.result.failure?.operation).toBe(2385);
    expect(b.kind === 'done' && [b.result.failure, b.result.peakReserved]).toEqual([undefined, MiB(912)]);
    expect(model.value.fits?.rows.filter(({ outcome }) => outcome === 'completed')).toHaveLength(4);
  });

  it('shows the flagship in one step: concats fail at batch 4, one buffer fits at batch 8', async () => {
    const model = new LabModel(here);
    model.change(flagshipSettings());
    await done(model);
    const [a, b] = model.value.sides;
    expect(a.kind === 'done' && a.result.failure?.story.kind).toBe('fragmentation');
    expect(b.kind === 'done' && b.result.failure).toBeUndefined();
    expect(model.text).toBe('pair=batch&w=case13b&p.seed=2&p.steps=3');
    model.stop();
  });

  it('keeps runs when nothing of them changed, and takes a new budget in', async () => {
    const run = vi.fn<LabPort['run']>((...call) => here.run(...call));
    const model = new LabModel({ ...here, run });
    model.follow('t=100');
    await done(model);
    model.follow('t=200&rows=single');
    expect(run).toHaveBeenCalledTimes(2);
    model.change({ budget: '2 GiB' });
    await done(model);
    expect(run).toHaveBeenCalledTimes(4);
    const [a] = model.value.sides;
    expect(a.kind === 'done' && a.result.failure).toBeUndefined();
  });

  it('says what is wrong with a setting and runs nothing until it is right', async () => {
    const run = vi.fn<LabPort['run']>((...call) => here.run(...call));
    const model = new LabModel({ ...here, run });
    model.change({ budget: 'lots' });
    expect(model.value.plan).toMatchObject({ status: 'refused' });
    expect(run).not.toHaveBeenCalled();
    model.change({ budget: '' });
    await done(model);
  });

  it('shows what an allocator refuses beside the side that runs', async () => {
    const model = new LabModel(here);
    model.change({ pair: 'own', b: { allocator: 'caching', conf: 'max_split_size_mb:1', change: '' } });
    await vi.waitFor(() => expect(model.value.sides[1].kind).toBe('refused'));
    expect(model.value.sides[0].kind).toBe('done');
  });

  it('takes a trace file in, and says in one line why not', async () => {
    const model = new LabModel(here);
    const ops = [
      ['a', 1, 1e6, 0],
      ['f', 1],
    ];
    const text = JSON.stringify({ schema: 'vramlab-trace', version: 1, name: 'two', ops, meta: {} });
    await model.open(new File([text], 'two.trace.json'));
    expect(model.value.brought).toMatchObject({ name: 'two.trace.json', capacity: 80 * 2 ** 30 });
    await done(model);
    expect(model.text).toContain('file=two.trace.json');
    await model.open(new File(['{"schema":"other"'], 'odd.json'));
    expect(model.value.trouble()).toContain('odd.json');
    expect(model.value.trouble()).not.toContain('Diagnose');
    await model.open(new File(['torch.OutOfMemoryError: CUDA out of memory.'], 'oom.txt'));
    expect(model.value.trouble()).toMatch(/^oom\.txt: .*Diagnose page\.$/);
    expect(model.value.brought?.name).toBe('two.trace.json');
    model.leave();
    expect(model.value.brought).toBeUndefined();
  });

  it('says that a link cannot carry a file', () => {
    const model = new LabModel(here);
    model.follow('pair=own&file=oom.trace.json');
    expect(model.value.trouble()).toContain('oom.trace.json');
    model.stop();
  });
});

describe('on the GPU', () => {
  const facts = {
    predicted: 'out-of-memory',
    outcome: 'out-of-memory',
    met: true,
    corruptWords: 0,
    checkedWords: 10,
    segmentsPredicted: 3,
    segmentsCreated: 3,
    refusalsPredicted: 1,
    refusalsMet: 1,
    scale: 1,
    scaling: '',
    budgetBytes: 1,
    createBufferCalls: 3,
    createNs: 30,
    movedBytes: 1,
    agrees: true,
  };
  const result: TrainResult = {
    environment: environmentOf(SOFTWARE_ADAPTER),
    experiment: { id: 'train/x', suite: 'train', status: 'measured', ...facts },
    rows: [],
  };
  const engine = (train: Engine['train']): Engine => ({
    describe: () => Promise.reject(new Error('not asked for')),
    run: () => Promise.reject(new Error('not asked for')),
    train,
  });

  it('carries both sides out, one after the other', async () => {
    const model = new LabModel(here);
    model.follow('');
    await done(model);
    const train = vi.fn<Engine['train']>((_, { onEvent }) => {
      void onEvent({
        kind: 'reached',
        reached: { operation: 1, operations: 2, step: '', segments: 1, heldBytes: 1, movedBytes: 0 },
      });
      return Promise.resolve(result);
    });
    await model.runReal(engine(train), '1 GiB');
    expect(model.value.real.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(train.mock.calls.map(([{ placement, budgetBytes }]) => [placement, budgetBytes])).toEqual([
      ['caching', 2 ** 30],
      ['caching', 2 ** 30],
    ]);
    expect(model.value.isRealRunning).toBe(false);
    model.stop();
  });

  it('stops when asked, and says what cannot run there', async () => {
    const model = new LabModel(here);
    model.follow('pair=allocator');
    await done(model);
    const waiting = vi.fn<Engine['train']>(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
        }),
    );
    const running = model.runReal(engine(waiting), 'lots');
    await vi.waitFor(() => expect(model.value.real[0].kind).toBe('running'));
    model.cancelReal();
    await running;
    expect(model.value.real[0]).toEqual({ kind: 'none', words: 'stopped' });
    await model.runReal(
      engine(() => Promise.reject(badInput('x', 'the device said no'))),
      '1 GiB',
    );
    expect(model.value.real).toEqual([
      { kind: 'none', words: 'the device said no' },
      { kind: 'none', words: 'BFC (TensorFlow, XLA) has no counterpart on real buffers.' },
    ]);
    model.stop();
  });
});
