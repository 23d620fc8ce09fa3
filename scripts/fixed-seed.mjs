// @ts-check
/**
 * Gives property tests one seed, so that the gate says the same about the same code. `VRAMLAB_SEED=N npx vitest run
 * --project node` looks elsewhere; a failure prints the seed and the path to run it again.
 */
import fc from 'fast-check';
import process from 'node:process';

fc.configureGlobal({ seed: Number(process.env['VRAMLAB_SEED'] ?? 20_261_130) });
