/** What every allocator refuses from its caller, in one wording. */
import { type AppError, badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';

/** Throws `AppError` (`bad-input`) unless `size` is a whole number of bytes from 0 to 2^53. */
export function checkSize(size: number): void {
  if (Number.isSafeInteger(size) && size >= 0) return;
  throw badInput('size', say`cannot allocate ${size} bytes: a size is a whole number from 0 to 2^53`);
}

/** The error for a handle that names no block in use. */
export const notLive = (handle: number): AppError =>
  badInput('handle', say`block ${handle} is not in use: it was never allocated here, or is freed already`);

/** Throws `AppError` (`bad-input`) unless `alignment` is a power of two up to 2^40. */
export function checkAlignment(alignment: number, what: string): void {
  if (alignment >= 1 && alignment <= 2 ** 40 && Number.isInteger(Math.log2(alignment))) return;
  throw badInput(what, say`${what}: ${alignment} is not a power of two from 1 to 2^40`);
}
