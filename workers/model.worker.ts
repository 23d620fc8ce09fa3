/** The models on a thread of their own: files, replays, sweeps. */
import { expose } from 'comlink';
import { createModelEngine } from '../src/engine/model-engine.js';
import { installTransferHandlers } from '../src/engine/transfer-handlers.js';

installTransferHandlers();
expose(createModelEngine());
