/**
 * Runs one task on the runner page: serves the built site, opens the page in a browser, hands messages on, and ends
 * everything that it started, whatever happens. How it ended is a value: deciding what that means is the caller's.
 */
import { join } from 'node:path';
import type { Failure } from '../../base/errors.js';
import type { RunnerMessage, RunnerTask } from '../../engine/protocol.js';
import { serveFolder } from '../server/static-server.js';
import { distFolder } from '../version.js';
import { answerHost, endJournal } from './host-answers.js';
import { type BrowserProcess, launchBrowser } from './launch.js';
import { createPageChannel } from './page-channel.js';

/** A browser that has not opened our page after this long will not. */
const OPENING_LIMIT_MS = 30_000;

export type PageEnding =
  | { readonly kind: 'ended' }
  /** The page said why. `failure` is absent where it is a bug of ours. */
  | { readonly kind: 'failed'; readonly failure?: Failure; readonly message: string }
  /** The browser or its page went away; `opened` tells whether the page had been heard of. */
  | { readonly kind: 'gone'; readonly opened: boolean; readonly why: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'stopped' };

/** A task before the page's channel is known. */
type TaskWithoutChannel = RunnerTask extends infer T ? (T extends RunnerTask ? Omit<T, 'channel'> : never) : never;

export interface PageRun {
  /** Path of the browser. */
  readonly browser: string;
  readonly flags: readonly string[];
  readonly task: TaskWithoutChannel;
  readonly timeoutMs: number;
  /** Folder of the built site; the one beside this program unless given. */
  readonly site?: string;
  /** Text of the trace file that the worker may ask for. */
  readonly traceText?: string;
  /** Settles when the run is to be stopped from outside. */
  readonly stopped: Promise<unknown>;
  /** Gets events and progress; what it throws is our bug and fails the run. */
  onMessage(message: RunnerMessage): void;
}

/** Throws `AppError`: `unsupported` when there is no built site, `storage` when the browser has no place for its files. */
export async function runPage(run: PageRun): Promise<PageEnding> {
  let settle: (ending: PageEnding) => void = () => undefined;
  const ending = new Promise<PageEnding>((resolve) => {
    settle = resolve;
  });
  let opened = false;
  let browser: BrowserProcess | undefined;
  const channel = createPageChannel({
    onMessage: (message) => {
      opened = true;
      if (message.kind === 'ended' || message.kind === 'failed') settle(message);
      else run.onMessage(message);
    },
    onQuestion: (question) => answerHost(question, browser?.pid, run.traceText),
    onGone: () => {
      settle({ kind: 'gone', opened, why: 'its page was closed or crashed' });
    },
  });
  const server = await serveFolder(run.site ?? join(distFolder(), 'web'), 0, channel.handle);
  const task: RunnerTask = { ...run.task, channel: channel.path };
  const url = `${server.url}runner.html#${encodeURIComponent(JSON.stringify(task))}`;
  void run.stopped.then(() => {
    settle({ kind: 'stopped' });
  });
  const limit = setTimeout(() => {
    settle({ kind: 'timed-out' });
  }, run.timeoutMs);
  const opening = setTimeout(() => {
    if (!opened) settle({ kind: 'gone', opened, why: `it did not open our page within ${OPENING_LIMIT_MS / 1000} s` });
  }, OPENING_LIMIT_MS);
  let how: PageEnding | undefined;
  try {
    browser = launchBrowser(run.browser, run.flags, url);
    void browser.exited.then((why) => {
      settle({ kind: 'gone', opened, why });
    });
    how = await ending;
    return how;
  } finally {
    clearTimeout(limit);
    clearTimeout(opening);
    await browser?.stop();
    if (how?.kind === 'stopped') endJournal();
    await server.close();
  }
}
