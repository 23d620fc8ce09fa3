/**
 * Which face of failure was met. What a browser throws or says differs by path (facts/webgpu.md): a RangeError after a
 * loss is no lack of memory, so the loss is looked at first.
 */
import { say } from '../../base/said.js';

export const FAILURE_CLASSES = [
  'none',
  'out-of-memory',
  'validation',
  'range-error',
  'lost',
  'post-loss',
  'hang',
  /** Given, but moved out of the device's memory: seen by its bandwidth (`cliff.ts`). */
  'spilled',
  'other',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** What one attempt to create or use a buffer showed. */
export interface Observation {
  /** The device was known to be lost before the attempt. */
  readonly lostBefore: boolean;
  /** It was lost during or right after. */
  readonly lostAfter: boolean;
  /** Name of what was thrown or rejected; undefined where nothing was. */
  readonly thrown?: string | undefined;
  /** Messages of the error scopes; undefined where a scope was empty. */
  readonly outOfMemory?: string | undefined;
  readonly validation?: string | undefined;
  /** No answer within the time allowed. */
  readonly timedOut?: boolean;
}

/** The class of an observation. */
export function classify(seen: Observation): FailureClass {
  if (seen.lostBefore) return 'post-loss';
  if (seen.lostAfter) return 'lost';
  if (seen.timedOut === true) return 'hang';
  if (seen.outOfMemory !== undefined) return 'out-of-memory';
  if (seen.thrown === 'RangeError') return 'range-error';
  if (seen.validation !== undefined) return 'validation';
  return seen.thrown === undefined ? 'none' : 'other';
}

/** What the person must do after a failure that no new device cures. */
export const RESTART_WORDS = say`the browser gives no adapter any more: Chromium closes WebGPU for a page after two crashes of its GPU process; close every window of the browser and start it again (vramlab bench starts its own with this limit off)`;
