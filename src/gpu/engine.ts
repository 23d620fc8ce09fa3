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
  };
}
