/**
 * What can go wrong, as plain data that crosses threads (STYLE section 4). Our own bugs are plain `Error`s; a thing the
 * world refused and a person can act on is an `AppError` that carries a `Failure`.
 */
export type Failure =
  /** A person gave something unusable: an option, a file, a field. The message says what, where and what to do. */
  | { readonly kind: 'bad-input'; readonly what: string }
  /** This machine or browser lacks something (`missing`): WebGPU, an adapter, a feature, a browser. */
  | { readonly kind: 'unsupported'; readonly missing: string }
  /** A request for memory that the device refused. */
  | { readonly kind: 'out-of-memory'; readonly requestedBytes: number }
  | { readonly kind: 'device-lost'; readonly reason: 'unknown' | 'destroyed' }
  /** A result that is not what the reference says: its number is withheld. */
  | { readonly kind: 'wrong-data'; readonly wrong: number; readonly checked: number }
  | { readonly kind: 'timeout'; readonly seconds: number }
  /** The browser keeps no data for this page: there is no room left, or it does not allow any. */
  | { readonly kind: 'storage'; readonly reason: 'full' | 'unavailable' };

export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly failure: Failure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A person's mistake: `what` is the option, file or field, `message` the whole line they read. */
export const badInput = (what: string, message: string): AppError => new AppError({ kind: 'bad-input', what }, message);

/** Our own invariant. Its failure is a bug of ours. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Ends every `switch` on a tag, so that a new case does not compile until it is handled. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}

/** Takes what must be there. Absence is a bug of ours. */
export function defined<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`missing: ${what}`);
  return value;
}

/** The message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
