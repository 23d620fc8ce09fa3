/** A family of messages: how to find one in a flat log, which figures it prints, and how to judge them. */
import { say } from '../../../base/said.js';
import { type Facts, type Judgement } from '../diagnosis.js';
import { type Field, type ReadFields } from './fields.js';
import { type Settings } from './settings.js';

export interface Message extends ReadFields {
  /** The message and what follows it, up to the next message of the family. */
  readonly text: string;
  readonly framework: string;
}

export interface Judged extends Judgement {
  /** Facts that follow from the printed ones (blocks of 16 tokens, free bytes of a bin). */
  readonly derived?: Facts;
  /** Printed facts that mean "none" and are left out: a limit of 2^64 bytes. */
  readonly dropped?: readonly string[];
  readonly oddities?: readonly string[];
}

export interface TextFamily {
  readonly name: string;
  /** Where a message begins. Global, cheap: it runs over the whole log. */
  readonly anchor: RegExp;
  /** Anchors that go on with the message before them, all of them unless given. One of each kind stands in a message. */
  readonly parts?: RegExp;
  readonly framework: string | ((text: string) => string);
  readonly fields: readonly Field[];
  /** Figures that the log prints before the message: what was free at the start. The last before it counts. */
  readonly context?: readonly Field[];
  readonly judge: (message: Message, settings: Settings) => Judged;
}

/** A judgement that needs no arithmetic: one reason, one step. */
export function plainly(
  verdict: Judgement['verdict'],
  why: string,
  steps: readonly string[],
  advice: readonly string[],
): Judged {
  return { verdict, why: verdict === 'unknown' ? say`unknown, because ${why}` : why, steps, advice };
}
