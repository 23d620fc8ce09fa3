/** Exit codes of every command (DESIGN section 5). They are stable: scripts and CI rely on them. */
import { CommanderError } from 'commander';
import { AppError, type Failure, assertNever, messageOf } from '../base/errors.js';
import { ReaderGone } from './output.js';

export const EXIT = {
  ok: 0,
  /** A check failed: a regression, wrong data, a mismatch, a failed row, a timeout. */
  checkFailed: 1,
  /** Wrong usage or an input that cannot be read. */
  wrongUsage: 2,
  /** Cannot run here: no browser, no adapter, a feature is missing. */
  cannotRunHere: 3,
  ourBug: 4,
  interrupted: 130,
} as const;

function exitCodeOfFailure(failure: Failure): number {
  switch (failure.kind) {
    case 'bad-input':
      return EXIT.wrongUsage;
    case 'unsupported':
    case 'storage':
      return EXIT.cannotRunHere;
    case 'out-of-memory':
    case 'device-lost':
    case 'wrong-data':
    case 'timeout':
      return EXIT.checkFailed;
    default:
      return assertNever(failure);
  }
}

/** What to print (undefined: it was printed already) and with which code to leave, for anything that a command threw. */
export function describeError(error: unknown): { readonly code: number; readonly line: string | undefined } {
  if (error instanceof CommanderError) {
    // `--help` and `--version` end by throwing too, with code 0 and their text already on stdout.
    return { code: error.exitCode === 0 ? EXIT.ok : EXIT.wrongUsage, line: undefined };
  }
  if (error instanceof ReaderGone) return { code: EXIT.ok, line: undefined };
  if (error instanceof AppError) return { code: exitCodeOfFailure(error.failure), line: oneLine(error.message) };
  const stack = error instanceof Error ? error.stack : undefined;
  return { code: EXIT.ourBug, line: `this is a bug of vramlab, please report it: ${stack ?? messageOf(error)}` };
}

/** A message as one line: line breaks and runs of spaces become one space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
