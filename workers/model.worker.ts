/** The models on a thread of their own: files, replays, sweeps. */
import { expose } from 'comlink';
import { createModelEngine } from '../src/engine/model-engine.js';
import { installTransferHandlers } from '../src/engine/transfer-handlers.js';
import { holdLife } from '../src/engine/worker-life.js';

installTransferHandlers();
holdLife(self, navigator.locks);
expose(createModelEngine());
