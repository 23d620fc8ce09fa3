/** Puts the page together: state from the link and the browser's memory, the engine, the shell. */
import { registerSW } from 'virtual:pwa-register';
import { createStore } from '../app/app-state.js';
import { CommandRegistry } from '../app/commands.js';
import { GpuTurns } from '../app/gpu-turns.js';
import { RunKeeper } from '../app/kept-runs.js';
import { keepDocumentLanguage, languageOf, showLanguage } from '../app/locale.js';
import { watchOwnCopy } from '../app/own-copy.js';
import { openStorage, recall } from '../app/remembered.js';
import { Router } from '../app/router.js';
import { openHistory } from '../app/run-history.js';
import { readHash } from '../app/url-state.js';
import { EngineClient } from '../engine/client.js';
import { AppShell } from './pages/app-shell/app-shell.js';
import { PAGES } from './pages/pages.js';

const storage = openStorage();
const pageNames = PAGES.map(({ name }) => name);
const link = readHash(location.hash, recall(storage, languageOf(navigator.languages)), pageNames);
const store = createStore(link.preferences, link.problems, link);

const router = new Router(store, pageNames, { history, storage });
router.start();
addEventListener('hashchange', () => router.follow(location.hash));

const keeper = new RunKeeper(store, openHistory('indexedDB' in globalThis), openStorage('sessionStorage'));
const commands = new CommandRegistry();
const gpu = new GpuTurns(store, 'locks' in navigator ? navigator.locks : undefined);
const shell = new AppShell({ store, router, commands, engine: new EngineClient(), gpu, keeper }, PAGES);
shell.addEventListener(
  'app-update-accepted',
  watchOwnCopy(store, registerSW, () => location.reload()),
);
keepDocumentLanguage();
// No English before the Chinese. Where its texts cannot be had, the shell asks once more and says so.
await showLanguage(store.value.preferences.language).catch(() => undefined);
document.body.append(shell);
