import { describe, expect, it } from 'vitest';
import { type RunEvent, type RunRequest } from '../engine/protocol.js';
import { type Row } from '../model/report/schema.js';
import { createEngine } from './engine.js';
import { HOST, TEST_REQUEST, NOBODY } from './testing/test-bench.js';

const quiet = (): AbortSignal => new AbortController().signal;

/** The browser's GPU, with a hand on the devices that it gives; without a GPU clock where `hasClock` is false. */
function watchedGpu(onDevice: (device: GPUDevice, count: number) => void, hasClock = true): GPU {
  let count = 0;
  const gpu: Partial<GPU> = {
    requestAdapter: async (options) => {
      const adapter = await navigator.gpu.requestAdapter(options);
      if (adapter === null) return null;
      const requestDevice = adapter.requestDevice.bind(adapter);
      adapter.requestDevice = async (descriptor) => {
        const features = [...(descriptor?.requiredFeatures ?? [])];
        const requiredFeatures = features.filter((feature) => hasClock || feature !== 'timestamp-query');
        const device = await requestDevice({ ...descriptor, requiredFeatures });
        count += 1;
        onDevice(device, count);
        return device;
      };
      return adapter;
    },
  };
  return gpu as GPU;
}

async function run(gpu: GPU | undefined, request: Partial<RunRequest>, onEvent: (event: RunEvent) => void = () => {}) {
  const events: RunEvent[] = [];
  const collect = (event: RunEvent): void => {
    events.push(event);
    onEvent(event);
  };
  const summary = await createEngine(gpu, HOST).run(
    { ...TEST_REQUEST, ...request },
    collect,
    () => {},
    quiet(),
    NOBODY,
  );
  // A row comes again with the samples of each round: the last one counts, in the place of the first.
  const rows = new Map(events.flatMap((event) => (event.kind === 'row' ? [[event.row.id, event.row] as const] : [])));
  return { summary, rows: [...rows.values()] satisfies Row[] };
}

describe('a device that is lost', () => {
  it('in the middle of a row fails that row; the next one runs on a new device', async () => {
    let dispatches = 0;
    const devices: GPUDevice[] = [];
    const gpu = watchedGpu((device, count) => {
      devices.push(device);
      if (count > 1) return;
      const { queue } = device;
      const submit = queue.submit.bind(queue);
      queue.submit = (commands) => {
        submit(commands);
        dispatches += 1;
        if (isArmed && dispatches > 3) device.destroy();
      };
    });
    let isArmed = false;
    const { rows, summary } = await run(gpu, { filter: 'copy/.*/1MiB$' }, (event) => {
      if (event.kind !== 'planned') return;
      isArmed = true;
      dispatches = 0;
    });
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'measured']);
    expect(rows[0]).toMatchObject({ reason: expect.stringContaining('the GPU device was lost (destroyed') as string });
    expect(devices).toHaveLength(2);
    expect(summary).toMatchObject({ measured: 1, failed: 1 });
  });

  it('between two rows costs no row', async () => {
    const devices: GPUDevice[] = [];
    const gpu = watchedGpu((device) => devices.push(device));
    const { rows } = await run(gpu, { filter: 'write/.*/1MiB$' }, (event) => {
      if (event.kind === 'row' && devices.length === 1) devices[0]?.destroy();
    });
    expect(rows.map(({ status }) => status)).toEqual(['measured', 'measured']);
    expect(devices.length).toBeGreaterThan(1);
  });

  it('and not replaced fails the rows that are left, each with the reason', async () => {
    let adapters = 0;
    const devices: GPUDevice[] = [];
    const watched = watchedGpu((device) => devices.push(device));
    const gpu = {
      requestAdapter: (options?: GPURequestAdapterOptions) => {
        adapters += 1;
        return adapters > 1 ? Promise.resolve(null) : watched.requestAdapter(options);
      },
    } as GPU;
    const { rows } = await run(gpu, { filter: '(copy|scale)/.*/1MiB$' }, (event) => {
      if (event.kind === 'row') devices[0]?.destroy();
    });
    expect(rows.map(({ status }) => status)).toEqual(['measured', 'failed', 'failed', 'failed']);
    expect(rows[3]).toMatchObject({ reason: expect.stringContaining('restart the browser') as string });
  });
});

describe('a machine that slows down', () => {
  /** A GPU timed by the wall clock whose reference kernel becomes slow. */
  const slowing = () => {
    let isSlow = false;
    const gpu = watchedGpu((device) => {
      let label = '';
      const encoder = device.createCommandEncoder.bind(device);
      device.createCommandEncoder = (descriptor) => {
        label = descriptor?.label ?? '';
        return encoder(descriptor);
      };
      const { queue } = device;
      const done = queue.onSubmittedWorkDone.bind(queue);
      queue.onSubmittedWorkDone = async () => {
        const isReference = label === 'throttle reference';
        await done();
        if (isSlow && isReference) await new Promise((resolve) => setTimeout(resolve, 300));
        return undefined;
      };
    }, false);
    return { gpu, slowDown: () => (isSlow = true) };
  };

  it('has rows measured again, and those that share their samples with another one only marked', async () => {
    const { gpu, slowDown } = slowing();
    const superseded: string[] = [];
    const { rows } = await run(
      gpu,
      { suites: ['alloc'], preset: 'standard', filter: 'alloc/(create|first-touch|release|churn)/256B' },
      (event) => {
        // A row is told before the reference is read: the first reading is still a good one.
        if (event.kind === 'row' && event.row.id === 'alloc/first-touch/256B') slowDown();
        if (event.kind === 'experiment' && event.experiment.id.startsWith('superseded/')) {
          superseded.push(event.experiment.id);
        }
      },
    );
    expect(superseded).toEqual(['superseded/alloc/churn/256B']);
    const marked = rows.filter(
      ({ status, ...row }) => status === 'measured' && 'flags' in row && row.flags.includes('throttled'),
    );
    expect(marked.map(({ id }) => id)).toEqual(['alloc/first-touch/256B', 'alloc/release/256B', 'alloc/churn/256B']);
  });
});

describe('a run', () => {
  it('without a GPU clock uses the wall clock in long batches and says so', async () => {
    const gpu = watchedGpu(() => undefined, false);
    const { rows, summary } = await run(gpu, { filter: 'tiers/(global/copy/vec4|copy-buffer)/1MiB$' });
    expect(summary.environment.clock).toMatchObject({ kind: 'wall', suspect: false });
    expect(summary.environment.clock).not.toHaveProperty('dropped');
    expect(summary.environment.clock).not.toHaveProperty('gpuOverWall');
    expect(rows.map(({ status }) => status)).toEqual(['measured', 'measured']);
    const [row] = rows;
    if (row?.status !== 'measured') throw new Error('not measured');
    const batchNs = ((row.bytes ?? 0) * (row.repeats ?? 0)) / row.value;
    // On the GPU clock a sample is 10 ms.
    expect(batchNs).toBeGreaterThan(30e6);
  });

  it('skips what the budget does not hold, with the reason, and measures the rest', async () => {
    const { rows, summary } = await run(navigator.gpu, {
      filter: 'tiers/global/(read|triad)/vec4',
      budgetBytes: 20 * 2 ** 20,
    });
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['tiers/global/read/vec4/1MiB', 'measured'],
      ['tiers/global/triad/vec4/1MiB', 'measured'],
      ['tiers/global/read/vec4/16MiB', 'skipped'],
      ['tiers/global/triad/vec4/16MiB', 'skipped'],
    ]);
    expect(rows[3]).toMatchObject({ reason: expect.stringContaining('the budget is 20 MiB') as string });
    expect(summary).toMatchObject({ measured: 2, skipped: 2, failed: 0 });
  });

  it('turns an error that no scope caught into a failed row', async () => {
    let device: GPUDevice | undefined;
    let isArmed = false;
    const gpu = watchedGpu((given) => {
      device = given;
      const submit = given.queue.submit.bind(given.queue);
      given.queue.submit = (commands) => {
        if (isArmed) given.createBuffer({ label: 'nonsense', size: 4, usage: 0 });
        isArmed = false;
        submit(commands);
      };
    });
    const { rows } = await run(gpu, { filter: 'copy/.*/1MiB$' }, (event) => {
      if (event.kind === 'planned') isArmed = true;
    });
    expect(device).toBeDefined();
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'measured']);
  });

  it.each([
    [
      'a suite that is not there',
      { suites: ['nothing' as never] },
      'suite "nothing" is not there; use one of tiers, transfer, dispatch',
    ],
    ['a budget that holds nothing', { budgetBytes: 2 ** 20 - 1 }, 'give at least 1 MiB'],
    ['a filter that is no expression', { filter: '(' }, 'filter "(" is no regular expression'],
  ] as const)('refuses %s before it opens a device', async (_, request, message) => {
    const gpu = watchedGpu(() => {
      throw new Error('a device was opened');
    });
    await expect(run(gpu, request)).rejects.toMatchObject({
      failure: { kind: 'bad-input' },
      message: expect.stringContaining(message) as string,
    });
  });

  it('needs WebGPU', async () => {
    await expect(run(undefined, {})).rejects.toMatchObject({ failure: { kind: 'unsupported', missing: 'WebGPU' } });
  });
});
