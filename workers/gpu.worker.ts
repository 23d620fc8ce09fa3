/** One GPU, one queue: the engine on its own thread. */
import { expose } from 'comlink';
import { installTransferHandlers } from '../src/engine/transfer-handlers.js';
import { holdLife } from '../src/engine/worker-life.js';
import { createEngine } from '../src/gpu/engine.js';

installTransferHandlers();
holdLife(self, navigator.locks);
expose(
  createEngine(navigator.gpu, {
    userAgent: navigator.userAgent,
    platform: navigator.platform,
    hardwareConcurrency: navigator.hardwareConcurrency,
    crossOriginIsolated,
  }),
);
