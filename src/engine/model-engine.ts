/** The model worker's work: one opened file, and traces to answer changes on. */
import { transfer } from 'comlink';
import { defined } from '../base/errors.js';
import { liveSnapshot } from '../model/diagnose/compare/compare-snapshots.js';
import { type Explainable, readExplainable } from '../model/diagnose/explain-bytes.js';
import { explainSnapshot } from '../model/diagnose/snapshot/explain-snapshot.js';
import { explainText } from '../model/diagnose/texts/explain-text.js';
import { runChange } from '../model/diagnose/whatif/run-change.js';
import { snapshotInput, type WhatIfInput } from '../model/diagnose/whatif/whatif-input.js';
import { ACTION, type RecordedSnapshot } from '../model/snapshot/recorded-snapshot.js';
import { sharedTrace } from '../model/trace/shared-trace.js';
import { type Trace } from '../model/trace/trace.js';
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
    if (file.kind !== 'snapshot') throw new Error('the opened file is a text');
    return file.snapshot;
  };
  return {
    open: async (source, name, onProgress) => {
      const report = reporter(onProgress);
      const bytes = await readSource(source, name, report('reading'));
      opened = readExplainable(bytes, name, report('parsing'));
      return describe(opened, name, source.size);
    },
    explain: () => {
      const file = defined(opened, 'an opened file');
      return Promise.resolve(file.kind === 'text' ? explainText(file.text) : explainSnapshot(file.snapshot));
    },
    whatIfInput: () => Promise.resolve(handedOver(snapshotInput(snapshot()))),
    live: () => Promise.resolve(liveSnapshot(snapshot())),
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

function describe(file: Explainable, name: string, bytes: number): OpenedFile {
  if (file.kind === 'text') return { kind: 'text', name, bytes };
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
  const buffers = input.traces.flatMap(({ kind, tensor, size, stream, ids, category }) =>
    [kind, tensor, size, stream, ids, category].flatMap((column) =>
      column?.buffer instanceof ArrayBuffer ? [column.buffer] : [],
    ),
  );
  return transfer(input, [...new Set(buffers)]);
}
