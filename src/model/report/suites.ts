/**
 * The suites that are there. `src/gpu/suites.ts` must hold one for each name (the compiler checks it); the program and
 * the page offer these and no others.
 */
import { type SuiteName } from './schema.js';

export const AVAILABLE_SUITES = [
  'tiers',
  'transfer',
  'dispatch',
  'alloc',
  'oom',
  'driver',
  'train',
] as const satisfies readonly SuiteName[];
export type AvailableSuite = (typeof AVAILABLE_SUITES)[number];

const DEFAULTS: readonly SuiteName[] = ['tiers', 'transfer', 'dispatch'];

/** What runs when no suite is named. */
export const DEFAULT_SUITES: readonly AvailableSuite[] = AVAILABLE_SUITES.filter((name) => DEFAULTS.includes(name));

/** The suites that allocate at their own risk: their runs keep a journal. */
export const LAB_SUITES: readonly SuiteName[] = ['alloc', 'oom', 'driver', 'train'] satisfies readonly AvailableSuite[];
