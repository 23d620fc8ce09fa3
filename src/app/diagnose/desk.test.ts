/** The desk on the models themselves, without threads: what is opened, refused, cancelled and asked. */
import { describe, expect, it } from 'vitest';
import { withResolvers } from '../../base/promises.js';
import { liveSnapshot } from '../../model/diagnose/compare/compare-snapshots.js';
import { readExplainable, type Explainable } from '../../model/diagnose/explain-bytes.js';
import { trainingSample } from '../../model/diagnose/sample/training-sample.js';
import { explainSnapshot } from '../../model/diagnose/snapshot/explain-snapshot.js';
import { explainText } from '../../model/diagnose/texts/explain-text.js';
import { runChange } from '../../model/diagnose/whatif/run-change.js';
import { snapshotInput } from '../../model/diagnose/whatif/whatif-input.js';
import { recordedRun } from '../../model/memory-map/run-of-recording.js';
import { type RecordedSnapshot } from '../../model/snapshot/recorded-snapshot.js';
import { defined } from '../../base/errors.js';
import { bestOf, bestSite } from './best-row.js';
import { cardOf } from './card-view.js';
import { Desk } from './desk.js';
import { EMPTY_DESK, isSettled, type ReadyFile, type ReadySweep, shownFile } from './desk-state.js';
import { labRequestOf } from './lab-request.js';
import { type Answers, type ModelPort, type Session } from './model-port.js';

const MIB = 2 ** 20;
const SAMPLE = trainingSample();

/** A session that works here and now; `gate` holds opening back until it is opened. */
function session(gate: Promise<void> = Promise.resolve()): Session {
  let opened: Explainable | undefined;
  const snapshot = (): RecordedSnapshot => {
    if (opened?.kind !== 'snapshot') throw new Error('no snapshot');
    return opened.snapshot;
  };
  return {
    open: async (source, name, { signal, onProgress }) => {
      onProgress?.({ stage: 'reading', done: 1, total: source.size });
      const aborted = withResolvers<never>();
      signal.addEventListener('abort', () => aborted.reject(signal.reason));
      await Promise.race([gate, aborted.promise]);
      opened = readExplainable(new Uint8Array(await source.arrayBuffer()), name);
      if (opened.kind !== 'snapshot') return { kind: opened.kind, name, bytes: source.size };
      const { traces } = opened.snapshot;
      const devices = traces.map(({ device, count }) => ({ device, events: count, hasFailure: true }));
      return { kind: 'snapshot', name, bytes: source.size, devices, canReplay: true };
    },
    explain: () => {
      const file = defined(opened, 'a file');
      if (file.kind === 'diagnosis') return Promise.resolve(file.diagnosis);
      return Promise.resolve(file.kind === 'text' ? explainText(file.text) : explainSnapshot(file.snapshot));
    },
    memoryRun: () => Promise.resolve(recordedRun(snapshot(), defined(snapshot().traces[0], 'a trace'))),
    whatIfInput: (device) => Promise.resolve(snapshotInput(snapshot(), device)),
    live: () => Promise.resolve(liveSnapshot(snapshot())),
    sample: () => Promise.resolve(SAMPLE),
    dispose: () => undefined,
  };
}

const answers: Answers = {
  answer: async (input, change, question, { signal, onStart }) => {
    await Promise.resolve();
    signal.throwIfAborted();
    onStart?.();
    return runChange(defined(input.traces[change.trace], 'a trace'), change, question);
  },
  dispose: () => undefined,
};

const makeDesk = (port: Partial<ModelPort> = {}): Desk =>
  new Desk(() => Promise.resolve({ openSession: () => session(), answers, ...port }));
const text = (content: string, name = 'oom.txt') => ({ name, content: new Blob([content]) });
const pickle = (name = 'oom.pickle') => ({ name, content: new Blob([new Uint8Array(SAMPLE.snapshot)]) });

function shown(desk: Desk): ReadyFile {
  const file = shownFile(desk.store.value);
  if (file?.phase !== 'ready') throw new Error('nothing ready is shown');
  return file;
}
function sweep(desk: Desk): ReadySweep {
  const ready = shown(desk).snapshot?.sweep;
  if (ready?.phase !== 'ready') throw new Error('no sweep');
  return ready;
}
/** The desk once a condition holds. */
async function until(desk: Desk, holds: () => boolean): Promise<void> {
  if (holds()) return;
  const done = withResolvers<undefined>();
  const stop = desk.store.subscribe(() => {
    if (holds()) done.resolve(undefined);
  });
  await done.promise;
  stop();
}
const QUEUED = { phase: 'queued' } as const;
const settled = (desk: Desk) =>
  until(desk, () => shown(desk).snapshot?.sweep.phase === 'ready' && isSettled(sweep(desk)));

describe('opening', () => {
  it('explains a text', async () => {
    const desk = makeDesk();
    await desk.open([text(SAMPLE.text)]);
    expect(shown(desk).diagnosis.verdict).toBe('fragmentation');
    expect(cardOf(shown(desk)).headlines).toEqual([
      '102 MiB were needed in one piece. 266.8 MiB are free, but in pieces.',
    ]);
  });

  it('rebuilds a snapshot with every event, and answers what if', async () => {
    const desk = makeDesk();
    await desk.open([pickle()]);
    await settled(desk);
    const { snapshot } = shown(desk);
    expect(snapshot?.run.phase === 'ready' && snapshot.run.run.end).toBe(snapshot?.devices[0]?.events);
    const card = cardOf(shown(desk));
    expect(card.state).toBe('Fragmentation');
    expect(card.event).toBe(3486);
    expect(card.headlines).toEqual([
      '102 MiB were needed in one piece. 266.8 MiB are free, but in 22 pieces.',
      'expandable_segments:True would have fitted, with 110 MiB to spare.',
    ]);
    expect(card.fidelity).toEqual({
      text: '1,280 of 1,280 allocations replayed at the recorded address.',
      isExact: true,
    });
  });

  it('opens several side by side, each with its own verdict, and compares snapshots', async () => {
    const desk = makeDesk();
    await desk.open([pickle('rank0.pickle'), text(SAMPLE.text), pickle('rank1.pickle')]);
    expect(desk.store.value.files.map(({ name, phase }) => `${name} ${phase}`)).toEqual([
      'rank0.pickle ready',
      'oom.txt ready',
      'rank1.pickle ready',
    ]);
    await desk.compare();
    expect(desk.store.value.shown).toEqual({ kind: 'comparison' });
    expect(desk.store.value.comparison?.names).toEqual(['rank0.pickle', 'rank1.pickle']);
    desk.close(desk.store.value.files[0]?.id ?? -1);
    expect(desk.store.value.comparison).toBeUndefined();
    expect(desk.store.value.shown?.kind).toBe('file');
  });

  it('refuses in one line and keeps what it had', async () => {
    const desk = makeDesk();
    await desk.open([text(SAMPLE.text)]);
    const before = shown(desk);
    const cut = { name: 'cut.pickle', content: new Blob([new Uint8Array(SAMPLE.snapshot.subarray(0, 4000))]) };
    await desk.open([cut, { name: 'cat.png', content: new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0])]) }]);
    expect(desk.store.value.refusals).toHaveLength(2);
    expect(desk.store.value.refusals.join('\n')).toMatch(
      /cut\.pickle stops at byte 4,000 in the middle of a (?:list|dictionary|value)/,
    );
    expect(desk.store.value.refusals.join('\n')).toMatch(/cat\.png: not a snapshot: a PNG picture/);
    expect(desk.store.value.files).toEqual([before]);
    expect(shown(desk)).toBe(before);
  });

  it('is cancelled without a trace', async () => {
    const gate = withResolvers<undefined>();
    const desk = makeDesk({ openSession: () => session(gate.promise) });
    const opening = desk.open([text(SAMPLE.text)]);
    await until(desk, () =>
      desk.store.value.files.some((file) => file.phase === 'opening' && file.progress !== undefined),
    );
    expect(desk.store.value.files[0]).toMatchObject({ phase: 'opening', progress: { stage: 'reading', done: 1 } });
    desk.close(desk.store.value.files[0]?.id ?? -1);
    await opening;
    expect(desk.store.value).toEqual(EMPTY_DESK);
  });

  it('reads a diagnosis that was exported before', async () => {
    const desk = makeDesk();
    const exported = JSON.stringify(explainText(SAMPLE.text), undefined, 2);
    await desk.open([
      text(exported, 'oom-diagnosis.json'),
      text(exported.replace('"version": 1', '"version": 9'), 'new.json'),
    ]);
    expect(shown(desk).diagnosis).toEqual(explainText(SAMPLE.text));
    expect(desk.store.value.refusals).toEqual(['new.json is a diagnosis of version 9; this vramlab reads up to 1.']);
  });
});

describe('what if', () => {
  it('asks again for another size of the device, and says where it stops', async () => {
    const desk = makeDesk();
    await desk.open([pickle()]);
    await settled(desk);
    desk.setQuestion({ capacity: 2048 * MIB, conf: undefined });
    await settled(desk);
    expect(cardOf(shown(desk))).toMatchObject({ tone: 'ok', state: 'Fits' });
    desk.setQuestion({ capacity: 500 * MIB, conf: undefined });
    await settled(desk);
    expect(cardOf(shown(desk)).tone).toBe('bad');
    expect(cardOf(shown(desk)).state).toMatch(/^Does not fit in 500 MiB: stops at event [\d,]+, asking for /);
    const row = sweep(desk).rows[0]?.state;
    const failure = row?.phase === 'done' ? row.row.failed_at : undefined;
    const event = sweep(desk).input.events?.[failure?.operation ?? 0] ?? -1;
    expect(cardOf(shown(desk)).state).toContain(`event ${event.toLocaleString('en')},`);
  });

  it('adds a change once, keeps it through another question, and removes it', async () => {
    const desk = makeDesk();
    await desk.open([pickle()]);
    await settled(desk);
    const { id } = shown(desk);
    const count = sweep(desk).rows.length;
    desk.addChange(id, 'max_split_size_mb:20', 'caching');
    desk.addChange(id, 'max_split_size_mb:20', 'caching');
    await settled(desk);
    expect(sweep(desk).rows).toHaveLength(count + 1);
    desk.setQuestion({ capacity: 2048 * MIB, conf: undefined });
    await settled(desk);
    const own = sweep(desk).rows.filter(({ isOwn }) => isOwn);
    expect(own.map(({ change }) => change.conf)).toEqual(['max_split_size_mb:20']);
    desk.removeChange(id, own[0]?.id ?? -1);
    expect(sweep(desk).rows).toHaveLength(count);
  });

  it('names the place of the code row that saves most as the blocks of the map are named, once all is answered', async () => {
    const desk = makeDesk();
    await desk.open([pickle()]);
    await settled(desk);
    const all = sweep(desk);
    const { snapshot } = shown(desk);
    const run = snapshot?.run.phase === 'ready' ? snapshot.run.run : undefined;
    const site = bestSite(all);
    expect(run?.names).toContain(site);
    // Found again from the rows as they are written: the least peak of those that name a place.
    const [least] = all.rows
      .flatMap(({ change, state }) => (change.trace > 0 && state.phase === 'done' ? [{ change, row: state.row }] : []))
      .filter(({ change, row }) => !change.setting.includes(' places') && row.outcome === 'completed')
      .sort((a, b) => (a.row.smallest_capacity ?? NaN) - (b.row.smallest_capacity ?? NaN));
    const best = all.rows.find(({ id }) => id === bestOf(all)?.id);
    expect(best?.change.site ?? least?.change.setting).toContain(site);
    const waits = all.rows.map((row) => (row.id === all.rows.at(-1)?.id ? { ...row, state: QUEUED } : row));
    expect(bestSite({ ...all, rows: waits })).toBe('');
    const only = all.rows.filter(({ change }) => change.site === undefined);
    expect(bestSite({ ...all, rows: only })).toBe('');
  });

  it('is stopped: rows without an answer say so', async () => {
    const never = new Promise<never>(() => undefined);
    const desk = makeDesk({
      answers: {
        answer: (_input, _change, _question, { signal }) => {
          const aborted = withResolvers<never>();
          signal.addEventListener('abort', () => aborted.reject(signal.reason));
          return Promise.race([never, aborted.promise]);
        },
        dispose: () => undefined,
      },
    });
    await desk.open([pickle()]);
    await until(desk, () => shown(desk).snapshot?.sweep.phase === 'ready');
    desk.stopAsking(shown(desk).id);
    await settled(desk);
    expect(new Set(sweep(desk).rows.map(({ state }) => state.phase))).toEqual(new Set(['stopped']));
  });

  it('hands a row to the Lab beside the original', async () => {
    const desk = makeDesk();
    await desk.open([pickle()]);
    await settled(desk);
    const file = shown(desk);
    const { rows, input } = sweep(desk);
    const code = defined(
      rows.find(({ change }) => change.trace > 0),
      'a change of code',
    );
    const request = defined(labRequestOf(file, code.id), 'a request');
    expect(request).toMatchObject({ name: 'oom.pickle', capacity: 992 * MIB, note: '' });
    expect(request.a).toEqual({ label: 'recorded settings', trace: input.traces[0], allocator: 'caching', conf: '' });
    expect(request.b.trace).toBe(input.traces[code.change.trace]);
    expect(request.b.label).toBe(code.change.setting);
    expect(labRequestOf(file, -1)).toBeUndefined();
  });
});
