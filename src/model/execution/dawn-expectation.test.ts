import { expect, it } from 'vitest';
import { MiB } from '../../base/units.js';
import { backendOf, expectedOf } from './dawn-expectation.js';

it('expects 400 MiB for 200 buffers of 1 MiB + 4 KiB on Vulkan, which live in 200.8', () => {
  const { reserved, live } = expectedOf([{ kind: 'create', count: 200, size: MiB(1) + 4096 }], 'vulkan');
  expect(reserved).toEqual([MiB(400)]);
  expect(live).toEqual([200 * (MiB(1) + 4096)]);
});
it('expects what is asked for, and nothing of what is destroyed, where each buffer has memory of its own', () => {
  const acts = [
    { kind: 'create', count: 200, size: MiB(1) + 4096 },
    { kind: 'destroy', picks: (index: number) => index % 8 !== 0 },
  ] as const;
  expect(expectedOf(acts, 'vulkan', false)).toEqual({
    reserved: [200 * (MiB(1) + 4096), 25 * (MiB(1) + 4096)],
    live: [200 * (MiB(1) + 4096), 25 * (MiB(1) + 4096)],
  });
});
it('expects a heap to stay for one survivor', () => {
  const acts = [
    { kind: 'create', count: 128, size: MiB(1) },
    { kind: 'destroy', picks: (index: number) => index % 8 !== 0 },
  ] as const;
  expect(expectedOf(acts, 'vulkan').reserved).toEqual([MiB(128), MiB(128)]);
});
it('expects nothing of the kind on Metal', () => {
  expect(expectedOf([{ kind: 'create', count: 2, size: MiB(1) + 4096 }], 'metal').reserved).toEqual([
    2 * (MiB(1) + 4096),
  ]);
});
it('knows the backend of a platform', () => {
  expect(['Linux x86_64', 'Win32', 'MacIntel', ''].map(backendOf)).toEqual(['vulkan', 'd3d12', 'metal', 'vulkan']);
});
