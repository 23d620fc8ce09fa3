import { expect, it } from 'vitest';
import { ALLOCATOR_NAMES } from './names.js';
import { ALLOCATORS } from './registry.js';

it('has the names of the registry, in its order', () =>
  expect(ALLOCATOR_NAMES).toEqual(ALLOCATORS.map(({ name }) => name)));
