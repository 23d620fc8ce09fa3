/** Names of the allocators, for a screen that offers them without their code. `registry.ts` has the same, with the code. */
export const ALLOCATOR_NAMES = [
  'caching',
  'bfc',
  'stream-ordered',
  'arena',
  'direct',
  'buddy',
  'cache-none',
  'cache-lazy',
  'cache-exact',
  'cache-bucket',
  'cache-tfjs',
] as const;
export type AllocatorName = (typeof ALLOCATOR_NAMES)[number];
