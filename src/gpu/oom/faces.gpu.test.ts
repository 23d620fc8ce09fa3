import { expect, it } from 'vitest';
import { proveDevice } from '../bench.js';
import { NOBODY, withBench } from '../testing/test-bench.js';
import { attempt, WatchedDevice } from './attempt.js';
import { FACES } from './faces.js';
import { journaled, lastEntry } from './journal-store.js';
import { provokeLoss } from './loss.js';
import { countObjects } from './object-count.js';
import { largestBuffer, largestTotal } from './ramp.js';

it.each(FACES)('$id: $expected, and a new device works', (face) =>
  withBench(async ({ openDevice }) => {
    const watched = new WatchedDevice(await openDevice());
    const { observed, message } = await face.provoke(watched);
    watched.device.destroy();
    expect(observed, message).toBe(face.expected);
    const next = await openDevice();
    await proveDevice(next);
    next.destroy();
  }),
);

it('sees nothing where nothing is wrong', () =>
  withBench(async ({ openDevice }) => {
    const watched = new WatchedDevice(await openDevice());
    const seen = await attempt(watched, (device) => {
      device.createBuffer({ label: 'fine', size: 256, usage: GPUBufferUsage.STORAGE }).destroy();
    });
    expect(seen.observed).toBe('none');
    watched.device.destroy();
  }));

it('loses a device by destroy() where there is no program to end the GPU process', () =>
  withBench(async ({ openDevice }) => {
    const seen = await provokeLoss(new WatchedDevice(await openDevice()), NOBODY);
    expect(seen).toMatchObject({ observed: 'lost', by: 'destroy()', lossReason: 'destroyed' });
  }));

it('keeps a journal that tells of a step that never ended', async () => {
  await expect(
    journaled(NOBODY, { step: 'goes wrong', bytes: 1 }, () => Promise.reject(new Error('wrong'))),
  ).rejects.toThrow('wrong');
  expect(await lastEntry(NOBODY)).toMatchObject({ step: 'goes wrong', state: 'finished' });
  const states: (string | undefined)[] = [];
  await journaled(NOBODY, { step: 'risky', bytes: 1, lastSafeBytes: 7 }, async () => {
    states.push((await lastEntry(NOBODY))?.state);
  });
  expect(states).toEqual(['running']);
});

it('finds the largest buffer and total within their bounds, and gives all back', () =>
  withBench(async ({ openDevice, signal }) => {
    const device = await openDevice();
    const bound = 8 * 2 ** 20;
    expect(await largestBuffer(device, bound, signal)).toBe(bound);
    const total = await largestTotal(device, 2 ** 20, bound, signal);
    expect(total).toEqual({ bytes: bound, buffers: 8, endedByBudget: true });
    device.destroy();
  }));

it('counts tiny buffers up to its bound', () =>
  withBench(async ({ openDevice, signal }) => {
    const device = await openDevice();
    expect(await countObjects(device, 50, signal)).toEqual({ objects: 50 });
    device.destroy();
  }));
