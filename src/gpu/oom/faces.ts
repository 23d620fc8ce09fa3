/** The faces of failure that can be provoked without harm, each as an attempt on a device of its own. */
import { type FailureClass } from '../../model/failure/classify.js';
import { attempt, type Seen, type WatchedDevice } from './attempt.js';

export interface Face {
  /** Last part of the experiment's id, and `provoked`. */
  readonly id: string;
  readonly about: string;
  readonly expected: FailureClass;
  /** Bytes that it asks for, for the journal. */
  readonly bytes: (limits: GPUSupportedLimits) => number;
  provoke(watched: WatchedDevice): Promise<Seen>;
}

const usage = (): number => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
const create =
  (size: (device: GPUDevice) => number, mappedAtCreation = false) =>
  (watched: WatchedDevice): Promise<Seen> => {
    const made: GPUBuffer[] = [];
    return attempt(watched, (device) => {
      made.push(device.createBuffer({ label: 'provoked', size: size(device), usage: usage(), mappedAtCreation }));
    }).finally(() => made.forEach((buffer) => buffer.destroy()));
  };

const HUGE_MAPPED = 8 * 2 ** 30;

export const FACES: readonly Face[] = [
  {
    id: 'create-max',
    about: 'a buffer of maxBufferSize: allowed by the limits, refused by the memory',
    expected: 'out-of-memory',
    bytes: ({ maxBufferSize }) => maxBufferSize,
    provoke: create(({ limits }) => limits.maxBufferSize),
  },
  {
    id: 'create-over-limit',
    about: 'a buffer 4 bytes over maxBufferSize',
    expected: 'validation',
    bytes: ({ maxBufferSize }) => maxBufferSize + 4,
    provoke: create(({ limits }) => limits.maxBufferSize + 4),
  },
  {
    id: 'mapped-unaligned',
    about: 'mappedAtCreation with a size that is no multiple of 4',
    expected: 'range-error',
    bytes: () => 6,
    provoke: create(() => 6, true),
  },
  {
    // Never a size just over maxBufferSize: that takes seconds and answers validation.
    id: 'mapped-huge',
    about: 'mappedAtCreation with 8 GiB, which no page can map',
    expected: 'range-error',
    bytes: () => HUGE_MAPPED,
    provoke: create(() => HUGE_MAPPED, true),
  },
  {
    id: 'use-invalid',
    about: 'a copy into a buffer that was refused: the first cause, the rest follows from it',
    expected: 'validation',
    bytes: ({ maxBufferSize }) => maxBufferSize + 4,
    provoke: useInvalid,
  },
  {
    id: 'post-loss',
    about: 'mappedAtCreation on a device that is lost: a RangeError that is no lack of memory',
    expected: 'post-loss',
    bytes: () => 256,
    provoke: async (watched) => {
      watched.device.destroy();
      await watched.lostSignal;
      return create(() => 256, true)(watched);
    },
  },
];

async function useInvalid(watched: WatchedDevice): Promise<Seen> {
  return attempt(watched, (device) => {
    const buffer = device.createBuffer({
      label: 'invalid',
      size: device.limits.maxBufferSize + 4,
      usage: GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(buffer, 0, new Uint32Array(1));
    const encoder = device.createCommandEncoder({ label: 'uses an invalid buffer' });
    encoder.clearBuffer(buffer, 0, 4);
    device.queue.submit([encoder.finish()]);
    buffer.destroy();
  });
}
