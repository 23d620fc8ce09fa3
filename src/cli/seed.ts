/** The seed of everything random, as an option. */
import { InvalidArgumentError } from 'commander';

const MAX_SEED = 2 ** 32 - 1;

/** Throws commander's error, which becomes one line and exit 2. */
export function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > MAX_SEED) {
    throw new InvalidArgumentError(`A seed is a whole number from 0 to ${MAX_SEED}.`);
  }
  return seed;
}
