/** The model worker's work: one opened file, and traces to answer changes on. */
import { transfer } from 'comlink';
import { assertNever, defined } from '../base/errors.js';
import { liveSnapshot } from '../model/diagnose/compare/compare-snapshots.js';
import { type Diagnosis } from '../model/diagnose/diagnosis.js';
import { type Explainable, readExplainable } from '../model/diagnose/explain-bytes.js';
import { explainSnapshot } from '../model/diagnose/snapshot/explain-snapshot.js';
import { explainText } from '../model/diagnose/texts/explain-text.js';
import { runChange } from '../model/diagnose/whatif/run-change.js';
import { snapshotInput, type WhatIfInput } from '../model/diagnose/whatif/whatif-input.js';
import { ACTION, emptyTrace, type RecordedSnapshot } from '../model/snapshot/recorded-snapshot.js';
import { type MemoryRun, transferablesOf } from '../model/memory-map/memory-run.js';
import { recordedRun } from '../model/memory-map/run-of-recording.js';
import { sharedTrace } from '../model/trace/shared-trace.js';
import { type Trace } from '../model/trace/trace.js';
import { createLabEngine } from './lab-engine.js';
import { createLessonEngine } from './lesson-engine.js';
import {
  type ModelApi,
  type OnOpening,
  type OpenedFile,
  type OpeningStage,
  type SnapshotDevice,
} from './model-protocol.js';
import { readSource } from './read-source.js';

/** Progress is posted when so much more is done: a message a chunk would keep the page busy. */
const STEPS = 100;

/** The API that the worker exposes. */
export function createModelEngine(): ModelApi {
  let opened: Explainable | undefined;
  const traces = new Map<number, Trace>();
  const snapshot = (): RecordedSnapshot => {
    const file = defined(opened, 'an opened file');
    if (file.kind !== 'snapshot') throw new Error('the opened file is no snapshot');
    return file.snapshot;
  };
  return {
    ...createLabEngine(),
    ...createLessonEngine(),
    open: async (source, name, onProgress) => {
      const report = reporter(onProgress);
      const bytes = await readSource(source, name, report('reading'));
      opened = readExplainable(bytes, name, report('parsing'));
      return describe(opened, name, source.size);
    },
    explain: () => {
      return Promise.resolve(explained(defined(opened, 'an opened file')));
    },
    whatIfInput: (device) => Promise.resolve(handedOver(snapshotInput(snapshot(), device))),
    memoryRun: (device) => Promise.resolve(movedRun(snapshot(), device)),
    live: () => Promise.resolve(liveSnapshot(snapshot())),
    sample: async () => {
      const { trainingSample } = await import('../model/diagnose/sample/training-sample.js');
      return trainingSample();
    },
    takeTrace: (number, trace) => {
      traces.set(number, trace);
      return Promise.resolve();
    },
    dropTraces: () => {
      traces.clear();
      return Promise.resolve();
    },
    answer: (number, change, question) =>
      Promise.resolve(runChange(defined(traces.get(number), `trace ${number}`), change, question)),
  };
}

function reporter(onProgress: OnOpening): (stage: OpeningStage) => (done: number, total: number) => void {
  return (stage) => {
    let told = -1;
    return (done, total) => {
      const step = total === 0 ? STEPS : Math.floor((done / total) * STEPS);
      if (step === told) return;
      told = step;
      onProgress({ stage, done, total });
    };
  };
}

function explained(file: Explainable): Diagnosis {
  switch (file.kind) {
    case 'text':
      return explainText(file.text);
    case 'snapshot':
      return explainSnapshot(file.snapshot);
    case 'diagnosis':
      return file.diagnosis;
    default:
      return assertNever(file);
  }
}

/** The run of a device's trace, moved and not copied. */
function movedRun(snapshot: RecordedSnapshot, device: number): MemoryRun {
  const trace = snapshot.traces.find((candidate) => candidate.device === device) ?? emptyTrace(device);
  const run = recordedRun(snapshot, trace);
  return transfer(run, transferablesOf(run));
}

function describe(file: Explainable, name: string, bytes: number): OpenedFile {
  if (file.kind !== 'snapshot') return { kind: file.kind, name, bytes };
  const { segments, traces } = file.snapshot;
  const numbers = new Set([
    ...segments.map(({ device }) => device),
    ...traces.filter(({ count }) => count > 0).map(({ device }) => device),
  ]);
  const devices = [...numbers]
    .sort((a, b) => a - b)
    .map((device): SnapshotDevice => {
      const trace = traces.find((candidate) => candidate.device === device);
      return { device, events: trace?.count ?? 0, hasFailure: trace?.action.includes(ACTION.oom) ?? false };
    });
  return {
    kind: 'snapshot',
    name,
    bytes,
    devices,
    canReplay: traces.some(({ action }) => action.includes(ACTION.alloc)),
  };
}

/** Traces go to several workers: through shared memory where the page has it, else as they are. */
function handedOver(input: WhatIfInput): WhatIfInput {
  if (crossOriginIsolated) return { ...input, traces: input.traces.map(sharedTrace) };
  const buffers = input.traces.flatMap(({ kind, tensor, size, stream, ids, category, text }) =>
    [kind, tensor, size, stream, ids, category, text].flatMap((column) =>
      column?.buffer instanceof ArrayBuffer ? [column.buffer] : [],
    ),
  );
  return transfer(input, [...new Set(buffers)]);
}
