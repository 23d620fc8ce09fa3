/**
 * The program's end of the channel to the runner page (`RunnerMessage` in engine/protocol). It lives under a path that
 * only our page knows, so that nothing else on this machine can put rows into a report.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { messageOf } from '../../base/errors.js';
import type { HostAnswer, HostQuestion, RunnerMessage } from '../../engine/protocol.js';
import { journalSchema } from '../../model/journal/journal.js';
import type { RequestHandler } from '../server/static-server.js';
import { environmentSchema, experimentSchema, rowSchema, SUITES } from '../../model/report/schema.js';

const MAX_MESSAGE_BYTES = 64 * 2 ** 20;
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const failureSchema = v.variant('kind', [
  v.object({ kind: v.literal('bad-input'), what: v.string() }),
  v.object({ kind: v.literal('unsupported'), missing: v.string() }),
  v.object({ kind: v.literal('out-of-memory'), requestedBytes: v.number() }),
  v.object({ kind: v.literal('device-lost'), reason: v.picklist(['unknown', 'destroyed']) }),
  v.object({ kind: v.literal('wrong-data'), wrong: count, checked: count }),
  v.object({ kind: v.literal('timeout'), seconds: v.number() }),
]);

const eventSchema = v.variant('kind', [
  v.object({
    kind: v.literal('planned'),
    rows: v.array(v.object({ id: v.string(), suite: v.picklist(SUITES) })),
  }),
  v.object({ kind: v.literal('environment'), environment: environmentSchema }),
  v.object({ kind: v.literal('row'), row: rowSchema }),
  v.object({ kind: v.literal('experiment'), experiment: experimentSchema }),
]);

const roundSchema = v.object({ number: count, of: count, done: count, rows: count });

const messageSchema = v.variant('kind', [
  v.object({ kind: v.literal('event'), event: eventSchema }),
  v.object({
    kind: v.literal('progress'),
    progress: v.object({
      done: count,
      total: count,
      id: v.string(),
      remainingNs: v.exactOptional(v.number()),
      round: v.exactOptional(roundSchema),
    }),
  }),
  v.object({ kind: v.literal('ended') }),
  v.object({ kind: v.literal('failed'), failure: v.exactOptional(failureSchema), message: v.string() }),
]);

const questionSchema = v.variant('kind', [
  v.object({ kind: v.literal('process-memory') }),
  v.object({ kind: v.literal('end-gpu-process') }),
  v.object({ kind: v.literal('write-journal'), entry: journalSchema }),
  v.object({ kind: v.literal('read-journal') }),
  v.object({ kind: v.literal('read-trace') }),
]);

export interface ChannelHandlers {
  /** Called once a message, in order. What it throws goes back to the page, which ends its run with it. */
  onMessage(message: RunnerMessage): void;
  onQuestion(question: HostQuestion): HostAnswer;
  /** The page has closed or its process has died. */
  onGone(): void;
}

export interface PageChannel {
  /** What the page is told: a path on our server. */
  readonly path: string;
  /** Answers a request that is for the channel and says whether it was. */
  readonly handle: RequestHandler;
}

/** A channel for one page. */
export function createPageChannel(handlers: ChannelHandlers): PageChannel {
  const path = `/run/${randomBytes(16).toString('hex')}`;
  return {
    path,
    handle: (request, response) => {
      if (request.method === 'POST' && request.url === `${path}/messages`) {
        void receive(request, response, handlers);
        return true;
      }
      if (request.method === 'POST' && request.url === `${path}/questions`) {
        void answer(request, response, handlers);
        return true;
      }
      if (request.method === 'GET' && request.url === `${path}/alive`) {
        response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        response.flushHeaders();
        response.once('close', () => {
          handlers.onGone();
        });
        return true;
      }
      return false;
    },
  };
}

async function receive(request: IncomingMessage, response: ServerResponse, handlers: ChannelHandlers): Promise<void> {
  try {
    const message = v.parse(messageSchema, JSON.parse(await readBody(request)));
    handlers.onMessage(message);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' }).end(describe(error));
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, handlers: ChannelHandlers): Promise<void> {
  try {
    const question = v.parse(questionSchema, JSON.parse(await readBody(request)));
    const text = JSON.stringify(handlers.onQuestion(question));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
  } catch (error) {
    response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' }).end(describe(error));
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_MESSAGE_BYTES) throw new Error(`a message of over ${MAX_MESSAGE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describe(error: unknown): string {
  if (!v.isValiError(error)) return messageOf(error);
  const [issue] = error.issues;
  return `${v.getDotPath(issue) ?? 'the message'}: ${issue.message}`;
}
