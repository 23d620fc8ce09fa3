/** The engine behind the worker boundary. The `GPU` object and the host's facts are arguments. */
import { type EngineApi } from '../engine/protocol.js';
import { closeBench, openBench, PROBE_BYTES, proveDevice } from './bench.js';
import { environmentOf, type Host } from './environment.js';
import { runSuites } from './run.js';
import { GpuSession } from './session.js';

export function createEngine(gpu: GPU | undefined, host: Host): EngineApi {
  return {
    describe: async (adapter) => {
      const session = await GpuSession.open(gpu, adapter, proveDevice);
      try {
        const bench = await openBench(session, PROBE_BYTES);
        const environment = environmentOf(host, session.adapterFacts, bench.clock.facts());
        closeBench(bench);
        return environment;
      } finally {
        session.close();
      }
    },
    run: (request, onEvent, onProgress, signal, askHost) =>
      runSuites({ gpu, host, request, onEvent, onProgress, signal, askHost }),
    // Models and workloads come with it: fetched when they are first needed.
    train: async (request, onEvent, signal, askHost) => {
      const { runTrain } = await import('./train/train-run.js');
      return runTrain({ gpu, host, request, onEvent, signal, askHost });
    },
    journal: async (askHost) => (await import('./oom/journal-store.js')).lastEntry(askHost),
  };
}
