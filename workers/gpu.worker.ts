/** One GPU, one queue: the engine on its own thread. */
import { expose } from 'comlink';
import { installTransferHandlers } from '../src/engine/transfer-handlers.js';
import { createEngine } from '../src/gpu/engine.js';

installTransferHandlers();
expose(
  createEngine(navigator.gpu, {
    userAgent: navigator.userAgent,
    platform: navigator.platform,
    hardwareConcurrency: navigator.hardwareConcurrency,
    crossOriginIsolated,
  }),
);
