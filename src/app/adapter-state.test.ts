import { describe, expect, it } from 'vitest';
import { AppError } from '../base/errors.js';
import { type Environment } from '../model/report/schema.js';
import { adapterName, askAdapter, badgeOf, isMasked } from './adapter-state.js';
import { type Engine } from './engine-port.js';
import { environmentOf, HARDWARE_ADAPTER, MASKED_ADAPTER, SOFTWARE_ADAPTER } from './testing/sample-run.js';

const engineThat = (describe: () => Promise<Environment>): Engine => ({
  describe,
  train: () => Promise.reject(new Error('not asked for')),
  run: () => Promise.reject(new Error('not asked for')),
});
const HOST = { isSecureContext: true, hasWebGpu: true };

describe('askAdapter', () => {
  it('gives what the engine found', async () => {
    const environment = environmentOf(SOFTWARE_ADAPTER);
    const state = await askAdapter(
      engineThat(() => Promise.resolve(environment)),
      HOST,
    );
    expect(state).toEqual({ kind: 'ready', environment });
    expect(badgeOf(state)).toBe('software');
  });

  it.each([
    ['insecure-context', { ...HOST, isSecureContext: false }],
    ['no-webgpu', { ...HOST, hasWebGpu: false }],
  ])('says %s without asking the engine', async (missing, host) => {
    const state = await askAdapter(
      engineThat(() => Promise.reject(new Error('asked'))),
      host,
    );
    expect(state).toEqual({ kind: 'none', missing, detail: '' });
  });

  it('keeps what the engine said when there is no adapter', async () => {
    const none = new AppError({ kind: 'unsupported', missing: 'adapter' }, 'asked three times');
    const state = await askAdapter(
      engineThat(() => Promise.reject(none)),
      HOST,
    );
    expect(state).toEqual({ kind: 'none', missing: 'no-adapter', detail: 'asked three times' });
  });

  it('tells a loss from a lack', async () => {
    const lost = new AppError({ kind: 'device-lost', reason: 'unknown' }, 'gone');
    const state = await askAdapter(
      engineThat(() => Promise.reject(lost)),
      HOST,
    );
    expect(badgeOf(state)).toBe('lost');
  });
});

describe('the name of an adapter', () => {
  it('is the fullest the browser gives', () => {
    expect(adapterName(HARDWARE_ADAPTER)).toBe('NVIDIA GeForce RTX 4070');
    expect(adapterName(SOFTWARE_ADAPTER)).toBe('google swiftshader');
  });

  it('is absent when the browser masks it', () => {
    expect(adapterName(MASKED_ADAPTER)).toBeUndefined();
    expect([MASKED_ADAPTER, SOFTWARE_ADAPTER].map(isMasked)).toEqual([true, false]);
  });
});
