/**
 * Answers changes on traces, several at a time: a few workers, each takes the next question when it is done with one.
 *
 *     const pool = new SweepPool();
 *     const rows = await Promise.all(changes.map((change) => pool.answer(input, change, question, { signal })));
 *     pool.dispose();
 */
import { type Change } from '../model/diagnose/whatif/changes.js';
import { type Question, type WhatIfRow } from '../model/diagnose/whatif/run-change.js';
import { type Trace } from '../model/trace/trace.js';
import { withResolvers } from '../base/promises.js';
import { startModelWorker } from './model-client.js';
import { type ModelApi } from './model-protocol.js';
import { RemoteWorker } from './remote-worker.js';

/** What a change is answered on: `change.trace` names one of the traces. */
export interface SweepInput {
  readonly traces: readonly Trace[];
}

export interface AnswerOptions {
  /** Takes the question out of the queue, or ends the worker that computes it. */
  readonly signal: AbortSignal;
  /** Called when a worker takes the question. */
  readonly onStart?: () => void;
}

interface Member {
  readonly worker: RemoteWorker<ModelApi>;
  isBusy: boolean;
  /** The input whose traces it holds, and which of them. */
  holds: SweepInput | undefined;
  readonly held: Set<number>;
}

const MOST_WORKERS = 8;

export class SweepPool {
  readonly #start: () => Worker;
  readonly #size: number;
  readonly #members: Member[] = [];
  readonly #waiting: ((member: Member) => void)[] = [];

  /** One processor stays free for the page and the thread that draws. */
  constructor(start: () => Worker = startModelWorker, size = navigator.hardwareConcurrency - 1) {
    this.#start = start;
    this.#size = Math.max(1, Math.min(MOST_WORKERS, size));
  }

  /** One row. Rejects with the signal's reason on abort. */
  async answer(
    input: SweepInput,
    change: Change,
    question: Question,
    { signal, onStart = () => {} }: AnswerOptions,
  ): Promise<WhatIfRow> {
    const member = await this.#take(signal);
    try {
      onStart();
      await this.#hand(member, input, change.trace, signal);
      return await member.worker.call((remote) => remote.answer(change.trace, change, question), signal);
    } catch (error) {
      // After an abort or a crash the next call gets a new worker, which holds nothing.
      member.holds = undefined;
      throw error;
    } finally {
      this.#give(member);
    }
  }

  /** Ends all workers. */
  dispose(): void {
    for (const { worker } of this.#members.splice(0)) worker.dispose();
  }

  async #hand(member: Member, input: SweepInput, number: number, signal: AbortSignal): Promise<void> {
    if (member.holds !== input) {
      member.held.clear();
      member.holds = input;
      await member.worker.call((remote) => remote.dropTraces(), signal);
    }
    if (member.held.has(number)) return;
    const trace = input.traces[number];
    if (trace === undefined) throw new Error(`a change names trace ${number}, which is not there`);
    await member.worker.call((remote) => remote.takeTrace(number, trace), signal);
    member.held.add(number);
  }

  /** A worker that has nothing to do, or the next that will. */
  async #take(signal: AbortSignal): Promise<Member> {
    signal.throwIfAborted();
    const idle = this.#members.find(({ isBusy }) => !isBusy) ?? this.#grow();
    if (idle !== undefined) {
      idle.isBusy = true;
      return idle;
    }
    const turn = withResolvers<Member>();
    const resolve = (member: Member): void => turn.resolve(member);
    const onAbort = (): void => {
      const place = this.#waiting.indexOf(resolve);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      turn.reject(signal.reason);
    };
    this.#waiting.push(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await turn.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #grow(): Member | undefined {
    if (this.#members.length >= this.#size) return undefined;
    const worker = new RemoteWorker<ModelApi>({ start: this.#start, name: 'model', silenceMs: 0 });
    const member: Member = { worker, isBusy: false, holds: undefined, held: new Set() };
    this.#members.push(member);
    return member;
  }

  #give(member: Member): void {
    const next = this.#waiting.shift();
    if (next === undefined) member.isBusy = false;
    else next(member);
  }
}
