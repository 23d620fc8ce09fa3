/** Puts the page together: state from the link and the browser's memory, the engine, the shell. */
import { createStore } from '../app/app-state.js';
import { RunKeeper } from '../app/kept-runs.js';
import { applyHash, followPreferences } from '../app/preferences.js';
import { openStorage, recall } from '../app/remembered.js';
import { openHistory } from '../app/run-history.js';
import { readHash } from '../app/url-state.js';
import { EngineClient } from '../engine/client.js';
import { AppShell } from './pages/app-shell/app-shell.js';

const storage = openStorage();
const link = readHash(location.hash, recall(storage));
const store = createStore(link.preferences, link.problems);

followPreferences(store, { history, storage });
addEventListener('hashchange', () => applyHash(store, location.hash));

const keeper = new RunKeeper(store, openHistory('indexedDB' in globalThis), openStorage('sessionStorage'));
document.body.append(new AppShell({ store, engine: new EngineClient(), keeper }));
