/**
 * The ways a page moves bytes to and from the GPU. Each does a transfer `repeats` times and waits until the GPU has it
 * (or the page has it), and then can say which words must have arrived where.
 */
import { type Bench } from '../suite.js';
import { type Payload } from './payload.js';

export const WAYS = ['write-buffer', 'mapped-at-creation', 'map-ring', 'readback'] as const;
export type WayName = (typeof WAYS)[number];

/** Staging buffers that a write ring goes round. */
const RING = 3;
/** Bytes of mapped buffers in flight: enough for several, little enough for any machine. */
const IN_FLIGHT = 64 * 2 ** 20;

export interface Way {
  /** Does the transfer and waits for it. Repetitions are numbered on from call to call. */
  take(repeats: number): Promise<void>;
  /** What the last repetition sent. */
  expected(): Uint32Array;
  /** What the page got, where the transfer is to the page; undefined where `target` got it. */
  received(): Uint32Array | undefined;
  dispose(): void;
}

export interface WaySetup {
  readonly bench: Bench;
  readonly label: string;
  readonly size: number;
  readonly payload: Payload;
  /** On the GPU; COPY_SRC and COPY_DST. */
  readonly target: GPUBuffer;
}

/** Bytes of buffers that a way needs at once. */
export function wayBytes(way: WayName, size: number): number {
  switch (way) {
    case 'write-buffer':
      return size;
    case 'mapped-at-creation':
      return size + Math.max(size, IN_FLIGHT);
    case 'map-ring':
      return (1 + RING) * size;
    case 'readback':
      return 2 * size;
  }
}

/** In words, for the report. */
export const METHODS: Readonly<Record<WayName, string>> = {
  'write-buffer': 'queue.writeBuffer, then a submit; until onSubmittedWorkDone',
  'mapped-at-creation':
    'a new buffer mapped at creation, filled, unmapped, copied to its place; until onSubmittedWorkDone',
  'map-ring': `${RING} staging buffers in turn: mapAsync, fill, unmap, copy, submit; until onSubmittedWorkDone`,
  readback: 'copy to a staging buffer, submit, mapAsync, copied out to memory of the page',
};

export async function openWay(way: WayName, setup: WaySetup): Promise<Way> {
  switch (way) {
    case 'write-buffer':
      return writeBuffer(setup);
    case 'mapped-at-creation':
      return mappedAtCreation(setup);
    case 'map-ring':
      return mapRing(setup);
    case 'readback':
      return readback(setup);
  }
}

/** Counts repetitions over all calls, so that each sends other words than the one before. */
function counted(setup: WaySetup, take: (repeats: number, send: () => Uint32Array<ArrayBuffer>) => Promise<void>) {
  let done = 0;
  let last = setup.payload.words(setup.size, 0);
  const send = (): Uint32Array<ArrayBuffer> => {
    last = setup.payload.words(setup.size, done);
    done += 1;
    return last;
  };
  return { take: (repeats: number) => take(repeats, send), expected: () => last, received: () => undefined };
}

function writeBuffer(setup: WaySetup): Way {
  const { queue } = setup.bench.device;
  const way = counted(setup, async (repeats, send) => {
    for (let i = 0; i < repeats; i++) queue.writeBuffer(setup.target, 0, send());
    queue.submit([]);
    await queue.onSubmittedWorkDone();
  });
  return { ...way, dispose: () => undefined };
}

function copyTo(setup: WaySetup, staging: GPUBuffer): void {
  const { device } = setup.bench;
  const encoder = device.createCommandEncoder({ label: setup.label });
  encoder.copyBufferToBuffer(staging, 0, setup.target, 0, setup.size);
  device.queue.submit([encoder.finish()]);
}

function mappedAtCreation(setup: WaySetup): Way {
  const { device, pool } = setup.bench;
  const most = Math.max(1, Math.floor(IN_FLIGHT / setup.size));
  const request = { label: setup.label, size: setup.size, usage: GPUBufferUsage.COPY_SRC };
  const batch = async (count: number, send: () => Uint32Array): Promise<void> => {
    const buffers: GPUBuffer[] = [];
    device.pushErrorScope('validation');
    device.pushErrorScope('out-of-memory');
    try {
      for (let i = 0; i < count; i++) {
        const buffer = pool.createMapped(request);
        buffers.push(buffer);
        new Uint32Array(buffer.getMappedRange()).set(send());
        pool.unmap(buffer);
        copyTo(setup, buffer);
      }
      await device.queue.onSubmittedWorkDone();
    } finally {
      for (const buffer of buffers) pool.destroy(buffer);
      refused = (await Promise.all([device.popErrorScope(), device.popErrorScope()])).find((error) => error !== null);
    }
    if (refused) throw new Error(`${setup.label}: ${refused.message}`);
  };
  let refused: GPUError | null | undefined;
  const way = counted(setup, async (repeats, send) => {
    for (let first = 0; first < repeats; first += most) await batch(Math.min(most, repeats - first), send);
  });
  return { ...way, dispose: () => undefined };
}

async function mapRing(setup: WaySetup): Promise<Way> {
  const { device, pool } = setup.bench;
  const ring: GPUBuffer[] = [];
  const dispose = (): void => {
    for (const buffer of ring) pool.destroy(buffer);
  };
  try {
    const usage = GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC;
    for (let i = 0; i < RING; i++) ring.push(await pool.create({ label: setup.label, size: setup.size, usage }));
  } catch (error) {
    dispose();
    throw error;
  }
  const mapped = ring.map((buffer) => buffer.mapAsync(GPUMapMode.WRITE));
  let turn = 0;
  const way = counted(setup, async (repeats, send) => {
    for (let i = 0; i < repeats; i++) {
      const at = turn % RING;
      const buffer = ring[at];
      turn += 1;
      if (buffer === undefined) throw new Error('mapRing: no buffer');
      await mapped[at];
      new Uint32Array(buffer.getMappedRange()).set(send());
      buffer.unmap();
      copyTo(setup, buffer);
      // Asked for again at once: it is ready when the GPU has taken the bytes.
      mapped[at] = buffer.mapAsync(GPUMapMode.WRITE);
    }
    await device.queue.onSubmittedWorkDone();
  });
  // Destroying a buffer rejects a mapping that is still to come.
  for (const mapping of mapped) mapping.catch(() => undefined);
  return {
    ...way,
    dispose: () => {
      for (const mapping of mapped) mapping.catch(() => undefined);
      dispose();
    },
  };
}

async function readback(setup: WaySetup): Promise<Way> {
  const { device, pool } = setup.bench;
  const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
  const staging = await pool.create({ label: setup.label, size: setup.size, usage });
  const sent = setup.payload.words(setup.size, 0);
  device.queue.writeBuffer(setup.target, 0, sent);
  const page = new Uint32Array(sent.length);
  return {
    take: async (repeats) => {
      for (let i = 0; i < repeats; i++) {
        const encoder = device.createCommandEncoder({ label: setup.label });
        encoder.copyBufferToBuffer(setup.target, 0, staging, 0, setup.size);
        device.queue.submit([encoder.finish()]);
        await staging.mapAsync(GPUMapMode.READ);
        page.set(new Uint32Array(staging.getMappedRange()));
        staging.unmap();
      }
    },
    expected: () => sent,
    received: () => page,
    dispose: () => pool.destroy(staging),
  };
}
