import { expect, it } from 'vitest';
import { proveDevice } from '../bench.js';
import { NOBODY, withBench } from '../testing/test-bench.js';
import { attempt, WatchedDevice } from './attempt.js';
import { FACES } from './faces.js';
import { journaled, lastEntry } from './journal-store.js';
import { provokeLoss } from './loss.js';
import { BufferPool } from '../buffers.js';
import { provokeHang } from './hang.js';
import { countObjects, mostObjects } from './object-count.js';
import { climb } from './spill.js';
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

it('counts tiny buffers up to its bound, and says where a device gives no more', () =>
  withBench(async ({ openDevice, signal }) => {
    const device = await openDevice();
    expect(await countObjects(device, 1250, signal)).toEqual({ objects: 1250 });
    const less = new BufferPool(device, 333 * 256);
    const ended = await countObjects(device, 1250, signal, less);
    expect(ended).toEqual({ objects: 333, refusal: expect.stringContaining('budget') as string });
    expect(less.liveCount).toBe(0);
    device.destroy();
  }));

it.each([
  [2 ** 20, 124],
  [2 ** 30, 20_000],
])('counts no further than a budget of %i allows', (budget, most) => {
  expect(mostObjects(budget)).toBe(most);
});

it('climbs to the budget and gives all back, or to what the device gives', () =>
  withBench(async ({ openDevice, signal }) => {
    const device = await openDevice();
    const asked: [number, number][] = [];
    const onStep = (next: number, held: number): Promise<void> => {
      asked.push([next / 2 ** 20, held / 2 ** 20]);
      return Promise.resolve();
    };
    const { steps, refusal } = await climb(device, 200 * 2 ** 20, signal, onStep);
    expect(asked).toEqual([
      [64, 0],
      [64, 64],
      [64, 128],
    ]);
    expect(steps.map(({ heldBytes }) => heldBytes / 2 ** 20)).toEqual([64, 128, 192]);
    expect(refusal).toBeUndefined();
    device.destroy();
  }));

it('sees a dispatch of seconds hang, and a new device works after it', () =>
  withBench(async ({ openDevice, signal }) => {
    const watched = new WatchedDevice(await openDevice());
    const seen = await provokeHang(watched, signal);
    watched.device.destroy();
    // Some systems take the device instead.
    expect(['hang', 'lost']).toContain(seen.observed);
    expect(seen.answerNs / 1e6).toBeLessThan(seen.boundMs);
    const next = await openDevice();
    await proveDevice(next);
    next.destroy();
  }));

it('leaves a dispatch of seconds within a second of an abort', () =>
  withBench(async ({ openDevice }) => {
    const watched = new WatchedDevice(await openDevice());
    const cancel = new AbortController();
    let submits = 0;
    let abortedAt = 0;
    const { queue } = watched.device;
    const submit = queue.submit.bind(queue);
    queue.submit = (commands) => {
      submit(commands);
      submits += 1;
      if (submits < 4) return;
      // The pace is known by now, or nearly: whatever runs then, it is left.
      abortedAt = performance.now();
      cancel.abort(new DOMException('enough', 'AbortError'));
    };
    await expect(provokeHang(watched, cancel.signal)).rejects.toMatchObject({ message: 'enough' });
    expect(performance.now() - abortedAt).toBeLessThan(1000);
    watched.device.destroy();
  }));
