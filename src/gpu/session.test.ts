import { describe, expect, it } from 'vitest';
import { withResolvers } from '../base/promises.js';
import { GpuSession, type ProveDevice } from './session.js';
import { FakeGpu } from './testing/fake-gpu.js';

const atOnce = (): Promise<void> => Promise.resolve();
const open = (fake: FakeGpu, prove: ProveDevice = atOnce): Promise<GpuSession> =>
  GpuSession.open(fake.gpu, 'any', prove, atOnce);

describe('GpuSession', () => {
  it('says that WebGPU is missing where there is no GPU object', async () => {
    await expect(GpuSession.open(undefined, 'any', atOnce)).rejects.toMatchObject({
      failure: { kind: 'unsupported', missing: 'WebGPU' },
    });
  });

  it('passes results and errors of work on while the device lives', async () => {
    const session = await open(new FakeGpu());
    await expect(session.guard(Promise.resolve(5))).resolves.toBe(5);
    await expect(session.guard(Promise.reject(new Error('ours')))).rejects.toThrow('ours');
  });

  it('ends work that never settles when the device is lost', async () => {
    const fake = new FakeGpu();
    const session = await open(fake);
    const work = session.guard(new Promise(() => {}));
    fake.last.lose('the driver was reset');
    await expect(work).rejects.toMatchObject({ failure: { kind: 'device-lost', reason: 'unknown' } });
    expect(session.lost).toEqual({ reason: 'unknown', message: 'the driver was reset' });
  });

  it('reports a loss, not what the API says after one', async () => {
    const fake = new FakeGpu();
    const session = await GpuSession.open(fake.gpu, 'any', atOnce, () => {
      fake.last.lose('gone');
      return new Promise((resolve) => setTimeout(resolve));
    });
    const failing = session.guard(Promise.reject(new DOMException('Instance dropped', 'OperationError')));
    await expect(failing).rejects.toMatchObject({ failure: { kind: 'device-lost' } });
  });

  it('recovers with a new adapter and a new device, and proves it by a run', async () => {
    const fake = new FakeGpu();
    const proved: GPUDevice[] = [];
    const session = await open(fake, (device) => {
      proved.push(device);
      return Promise.resolve();
    });
    const first = session.device;
    fake.last.lose('gone');
    await first.lost;
    await session.recover();
    expect(session.device).not.toBe(first);
    expect(proved).toEqual([session.device]);
    expect({ adapters: fake.adapterRequests, spent: fake.spentAdapters }).toEqual({ adapters: 2, spent: 0 });
    expect(session.lost).toBeUndefined();
    await expect(session.guard(Promise.resolve('works'))).resolves.toBe('works');
  });

  it('tries another device when the proof fails, and says so when none works', async () => {
    const fake = new FakeGpu();
    let failures = 1;
    const session = await open(fake, () =>
      failures-- > 0 ? Promise.reject(new Error('1 of 4 words wrong')) : Promise.resolve(),
    );
    await session.recover();
    expect(fake.devices).toHaveLength(3);
    failures = Infinity;
    await expect(session.recover()).rejects.toMatchObject({
      failure: { kind: 'device-lost' },
      message: expect.stringContaining('(1 of 4 words wrong); restart the browser') as string,
    });
  });

  it('does not go on with another adapter', async () => {
    const software = { info: { vendor: 'google', architecture: 'swiftshader' }, isFallbackAdapter: true };
    const fake = new FakeGpu([{}, software]);
    const session = await open(fake);
    await expect(session.recover()).rejects.toMatchObject({
      failure: { kind: 'device-lost' },
      message: expect.stringContaining('another adapter, software (google swiftshader)') as string,
    });
  });

  it('waits for the same adapter to come back', async () => {
    const fake = new FakeGpu([{}, { isFallbackAdapter: true }, {}]);
    const session = await open(fake);
    await session.recover();
    expect(session.adapterFacts.class).toBe('hardware');
  });

  it('does not take an old device’s loss for the new one’s', async () => {
    const fake = new FakeGpu();
    const session = await open(fake);
    const [first] = fake.devices;
    await session.recover();
    first?.lose('late news');
    await atOnce();
    expect(session.lost).toBeUndefined();
  });

  it('keeps the errors that no scope caught, in order, until they are taken', async () => {
    const fake = new FakeGpu();
    const session = await open(fake);
    fake.last.raise('first cause');
    fake.last.raise('follows');
    expect(session.takeErrors()).toEqual(['first cause', 'follows']);
    expect(session.takeErrors()).toEqual([]);
  });

  it('closing is no loss', async () => {
    const fake = new FakeGpu();
    const session = await open(fake);
    session.close();
    await fake.last.device.lost;
    expect(session.lost).toBeUndefined();
  });

  it('guards a proof too: a device that dies while it is proved does not hang', async () => {
    const fake = new FakeGpu();
    const hanging = withResolvers<undefined>();
    let calls = 0;
    const session = await open(fake, () => {
      calls += 1;
      if (calls > 1) return Promise.resolve();
      fake.last.lose('died again');
      return hanging.promise;
    });
    await session.recover();
    expect(calls).toBe(2);
    expect(session.lost).toBeUndefined();
  });
});
