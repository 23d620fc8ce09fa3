import { describe, expect, it } from 'vitest';
import { checkChoice, describeAdapter, isSoftware, requestAdapter, requestDevice } from './adapter.js';
import { FakeGpu } from './testing/fake-gpu.js';

const adapterOf = (options: ConstructorParameters<typeof FakeGpu>[0]): Promise<GPUAdapter> =>
  requestAdapter(new FakeGpu(options).gpu, 'any', () => Promise.resolve());

describe('requestAdapter', () => {
  it('asks again with growing waits while the answer is null', async () => {
    const fake = new FakeGpu([null, null, null, {}]);
    const waits: number[] = [];
    await requestAdapter(fake.gpu, 'any', (ms) => {
      waits.push(ms);
      return Promise.resolve();
    });
    expect(fake.adapterRequests).toBe(4);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(150);
  });

  it('asks for the fallback adapter where software is wanted, for the ordinary one where there is no other', async () => {
    const fake = new FakeGpu([{ info: { vendor: 'google', architecture: 'swiftshader' } }]);
    await requestAdapter(fake.gpu, 'software');
    expect(fake.options).toEqual([{ forceFallbackAdapter: true }]);
    const without = new FakeGpu([null, {}]);
    await requestAdapter(without.gpu, 'software');
    expect(without.options).toEqual([{ forceFallbackAdapter: true }, { powerPreference: 'high-performance' }]);
  });

  it('gives up with one line when there is none', async () => {
    await expect(adapterOf([null])).rejects.toMatchObject({ failure: { kind: 'unsupported', missing: 'adapter' } });
  });
});

describe('isSoftware', () => {
  it.each([
    ['the flag of the info', { info: { vendor: 'x', isFallbackAdapter: true } }],
    ['the old flag of the adapter', { info: { vendor: 'x' }, isFallbackAdapter: true }],
    ['SwiftShader', { info: { vendor: 'google', architecture: 'swiftshader' } }],
    ['llvmpipe', { info: { description: 'llvmpipe (LLVM 17.0.6, 256 bits)' } }],
    ['lavapipe', { info: { device: 'Lavapipe' } }],
    ['the basic render driver', { info: { description: 'Microsoft Basic Render Driver' } }],
  ])('knows %s', async (_, options) => {
    expect(isSoftware(await adapterOf([options]))).toBe(true);
  });

  it.each([
    ['a GPU', { info: { vendor: 'nvidia', architecture: 'ampere', isFallbackAdapter: false } }],
    ['a masked info', { info: {} }],
  ])('takes %s as hardware', async (_, options) => {
    expect(isSoftware(await adapterOf([options]))).toBe(false);
  });
});

describe('checkChoice', () => {
  it('says what was asked and what was found', async () => {
    const software = await adapterOf([{ info: { vendor: 'google', architecture: 'swiftshader', description: '' } }]);
    expect(() => checkChoice(software, 'hardware')).toThrow(
      'a hardware adapter was asked for, but the browser gives a software one (google swiftshader)',
    );
    expect(() => checkChoice(software, 'software')).not.toThrow();
    expect(() => checkChoice(software, 'any')).not.toThrow();
  });
});

describe('the device', () => {
  it('is asked for the adapter’s own limits and the features in use that it has', async () => {
    const fake = new FakeGpu([
      {
        limits: { maxBufferSize: 2 ** 32, maxComputeWorkgroupSizeX: 1024 },
        features: ['timestamp-query', 'bgra8unorm'],
      },
    ]);
    const adapter = await requestAdapter(fake.gpu);
    const device = await requestDevice(adapter);
    expect(fake.last.descriptor.requiredLimits).toEqual({ maxBufferSize: 2 ** 32, maxComputeWorkgroupSizeX: 1024 });
    expect(fake.last.descriptor.requiredFeatures).toEqual(['timestamp-query']);
    expect(describeAdapter(adapter, device).limitRequests).toContainEqual({
      name: 'maxBufferSize',
      asked: 2 ** 32,
      granted: 2 ** 32,
      maximum: 2 ** 32,
    });
  });

  it('is described with an empty info, and with memory heaps where they are shown', async () => {
    const masked = new FakeGpu([{ info: {} }]);
    const adapter = await requestAdapter(masked.gpu);
    expect(describeAdapter(adapter, await requestDevice(adapter))).toMatchObject({
      vendor: '',
      architecture: '',
      device: '',
      description: '',
      class: 'hardware',
    });
    const open = new FakeGpu([{ info: { memoryHeaps: [{ size: 2 ** 31, properties: 1 }] } }]);
    const shown = await requestAdapter(open.gpu);
    expect(describeAdapter(shown, await requestDevice(shown)).memoryHeaps).toEqual([
      { sizeBytes: 2 ** 31, properties: 1 },
    ]);
  });
});
