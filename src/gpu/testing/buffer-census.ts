/** Counts every buffer that a test's code makes on any device, and what became of it. */

export class BufferCensus {
  /** By device: buffers that nobody destroyed. A device that is gone takes its buffers along. */
  readonly #live = new Map<GPUDevice, Set<GPUBuffer>>();
  created = 0;

  /** The browser's GPU; its devices are watched. */
  watch(): GPU {
    const gpu: Partial<GPU> = {
      requestAdapter: async (options) => {
        const adapter = await navigator.gpu.requestAdapter(options);
        if (adapter === null) return null;
        const requestDevice = adapter.requestDevice.bind(adapter);
        adapter.requestDevice = async (descriptor) => this.#watched(await requestDevice(descriptor));
        return adapter;
      },
    };
    return gpu as GPU;
  }

  /** Labels of the buffers that live on devices that live. */
  left(): readonly string[] {
    return [...this.#live.values()].flatMap((buffers) => [...buffers].map(({ label }) => label));
  }

  /** Loses every device that lives, as a driver does that resets. */
  destroyDevices(): void {
    for (const device of [...this.#live.keys()]) device.destroy();
  }

  #watched(device: GPUDevice): GPUDevice {
    const buffers = new Set<GPUBuffer>();
    this.#live.set(device, buffers);
    void device.lost.then(() => this.#live.delete(device));
    const createBuffer = device.createBuffer.bind(device);
    device.createBuffer = (descriptor) => {
      const buffer = createBuffer(descriptor);
      this.created += 1;
      buffers.add(buffer);
      const destroy = buffer.destroy.bind(buffer);
      buffer.destroy = () => {
        buffers.delete(buffer);
        destroy();
      };
      return buffer;
    };
    const destroyDevice = device.destroy.bind(device);
    device.destroy = () => {
      this.#live.delete(device);
      destroyDevice();
    };
    return device;
  }
}
