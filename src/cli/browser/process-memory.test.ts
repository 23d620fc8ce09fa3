import process from 'node:process';
import { expect, it } from 'vitest';
import { browserProcesses, descendants } from './process-memory.js';

const tree = [
  { pid: 1, parent: 0 },
  { pid: 10, parent: 1 },
  { pid: 11, parent: 10 },
  { pid: 12, parent: 11 },
  { pid: 20, parent: 1 },
];

it('follows parents down from a process, and takes nobody else', () => {
  expect(descendants(tree, 10).map(({ pid }) => pid)).toEqual([10, 11, 12]);
  expect(descendants(tree, 20).map(({ pid }) => pid)).toEqual([20]);
  expect(descendants(tree, 99)).toEqual([]);
});

it.runIf(process.platform === 'linux')('reads the memory of its own process (Linux only: from /proc)', () => {
  const { rss } = process.memoryUsage();
  const seen = browserProcesses(process.pid);
  expect(seen?.totalBytes).toBeGreaterThan(rss / 4);
  expect(seen?.gpuPid).toBeUndefined();
});
