/** A `GPU` without a browser for tests of adapter and session: adapters on demand, devices that can be lost. */
import { withResolvers } from '../../base/promises.js';

export interface FakeAdapterOptions {
  readonly info?: object;
  readonly isFallbackAdapter?: boolean;
  readonly features?: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
}

export interface FakeDevice {
  readonly device: GPUDevice;
  readonly descriptor: GPUDeviceDescriptor;
  /** Loses the device as a driver would. */
  lose(message: string): void;
  /** Raises an error that no scope caught. */
  raise(message: string): void;
}

/** Answers `requestAdapter` from a list, one a call; the last answer is repeated. */
export class FakeGpu {
  readonly devices: FakeDevice[] = [];
  readonly options: (GPURequestAdapterOptions | undefined)[] = [];
  adapterRequests = 0;
  /** Devices whose adapter was used before: a browser would give them lost. */
  spentAdapters = 0;

  constructor(readonly answers: readonly (FakeAdapterOptions | null)[] = [{}]) {}

  get gpu(): GPU {
    const gpu: Partial<GPU> = {
      requestAdapter: (options) => {
        this.options.push(options);
        return Promise.resolve(this.#nextAdapter());
      },
    };
    return gpu as GPU;
  }

  get last(): FakeDevice {
    const device = this.devices.at(-1);
    if (device === undefined) throw new Error('no device was requested');
    return device;
  }

  #nextAdapter(): GPUAdapter | null {
    const answer = this.answers[Math.min(this.adapterRequests, this.answers.length - 1)] ?? null;
    this.adapterRequests += 1;
    if (answer === null) return null;
    const limits = answer.limits ?? { maxBufferSize: 2 ** 30, maxStorageBufferBindingSize: 2 ** 30 };
    let used = false;
    const adapter = {
      info: answer.info ?? {
        vendor: 'acme',
        architecture: 'one',
        device: '',
        description: '',
        isFallbackAdapter: false,
      },
      ...(answer.isFallbackAdapter === undefined ? {} : { isFallbackAdapter: answer.isFallbackAdapter }),
      features: new Set(answer.features ?? ['timestamp-query']),
      limits,
      requestDevice: (descriptor: GPUDeviceDescriptor) => {
        if (used) this.spentAdapters += 1;
        used = true;
        const fake = fakeDevice(descriptor, limits);
        this.devices.push(fake);
        return Promise.resolve(fake.device);
      },
    };
    return adapter as unknown as GPUAdapter;
  }
}

function fakeDevice(descriptor: GPUDeviceDescriptor, limits: Readonly<Record<string, number>>): FakeDevice {
  const lost = withResolvers<GPUDeviceLostInfo>();
  const listeners: ((event: { error: { message: string } }) => void)[] = [];
  const settle = (reason: GPUDeviceLostReason, message: string): void => {
    const info: Omit<GPUDeviceLostInfo, '__brand'> = { reason, message };
    lost.resolve(info as GPUDeviceLostInfo);
  };
  const device = {
    features: new Set(descriptor.requiredFeatures),
    limits: { ...limits, ...descriptor.requiredLimits },
    lost: lost.promise,
    addEventListener: (_type: string, listener: (event: { error: { message: string } }) => void) =>
      listeners.push(listener),
    destroy: () => settle('destroyed', 'destroy was called'),
  };
  return {
    device: device as unknown as GPUDevice,
    descriptor,
    lose: (message) => settle('unknown', message),
    raise: (message) => listeners.forEach((listener) => listener({ error: { message } })),
  };
}
