/**
 * The page that the program opens (`runner.html`): runs one task on the same engine as the lab and relays what comes.
 * It shows nothing; a person who meets it with `--headed` sees its title.
 */
import { AppError } from '../base/errors.js';
import { EngineClient } from './client.js';
import type { AskHost, HostAnswer, RunnerMessage, RunnerTask } from './protocol.js';

/** The program made this URL for its own page, so its fragment is a task. */
const task = JSON.parse(decodeURIComponent(location.hash.slice(1))) as RunnerTask;

async function send(message: RunnerMessage): Promise<void> {
  const response = await fetch(`${task.channel}/messages`, { method: 'POST', body: JSON.stringify(message) });
  if (!response.ok) throw new Error(`the program refused a message: ${await response.text()}`);
}

/** The program answers in the form of `HostAnswer`: it is ours. */
const ask: AskHost = async (question) => {
  const response = await fetch(`${task.channel}/questions`, { method: 'POST', body: JSON.stringify(question) });
  if (!response.ok) throw new Error(`the program refused a question: ${await response.text()}`);
  return (await response.json()) as HostAnswer;
};

/** Progress is advisory: while one is on its way, newer ones are left out rather than queued. */
function progressSender(): (message: RunnerMessage) => void {
  let underway = false;
  return (message) => {
    if (underway) return;
    underway = true;
    // A program that is gone needs no progress; the next awaited message tells of it.
    send(message)
      .catch(() => undefined)
      .finally(() => {
        underway = false;
      });
  };
}

async function perform(): Promise<void> {
  const engine = new EngineClient();
  if (task.kind === 'describe') {
    await send({ kind: 'event', event: { kind: 'environment', environment: await engine.describe(task.adapter) } });
    return;
  }
  const sendProgress = progressSender();
  await engine.run(task.request, {
    signal: new AbortController().signal,
    onEvent: (event) => send({ kind: 'event', event }),
    askHost: ask,
    onProgress: (progress) => {
      sendProgress({ kind: 'progress', progress });
    },
  });
}

function failureMessage(error: unknown): RunnerMessage {
  if (error instanceof AppError) return { kind: 'failed', failure: error.failure, message: error.message };
  return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

new EventSource(`${task.channel}/alive`);
try {
  await perform();
  await send({ kind: 'ended' });
} catch (error) {
  await send(failureMessage(error));
}
