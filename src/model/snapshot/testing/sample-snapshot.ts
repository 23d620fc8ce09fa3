/** A snapshot as a training run leaves it, of any length: for tests and benchmarks. The same seed gives the same bytes. */
import { type Random, mulberry32 } from '../../../base/random.js';
import { Tuple } from './python-pickle.js';

const FIRST = 0x7f00_0000_0000;
const MIB = 2 ** 20;

export interface SampleShape {
  readonly events: number;
  /** Frames of a call stack, on average. */
  readonly depth: number;
  readonly seed: number;
}

/** The dictionary that `_dump_snapshot` pickles. */
export function sampleSnapshot({ events, depth, seed }: SampleShape): Readonly<Record<string, unknown>> {
  const random = mulberry32(seed);
  const frames = Array.from({ length: 3000 }, (_, i) => ({
    name: `function_${i}`,
    filename: `site-packages/torch/nn/modules/module_${i % 300}.py`,
    line: 1 + (random() % 3000),
  }));
  const stacks = Array.from({ length: 300 }, () =>
    Array.from({ length: 1 + (random() % (2 * depth)) }, () => pick(frames, random)),
  );
  const trace: unknown[] = [];
  let time = 1_700_000_000_000_000;
  let live: { addr: number; size: number }[] = [];
  while (trace.length < events) {
    time += 1 + (random() % 50);
    if (live.length < 40 || random() % 2 === 0) {
      const size = random() % 3 === 0 ? 512 : 1 + (random() % (16 * MIB));
      const addr = FIRST + 512 * (random() % 2 ** 27);
      live.push({ addr, size });
      trace.push({ action: 'alloc', addr, size, stream: 0, time_us: time, frames: [...pick(stacks, random)] });
    } else {
      const gone = pick(live, random);
      live = live.filter((block) => block !== gone);
      for (const action of ['free_requested', 'free_completed']) {
        trace.push({ action, ...gone, stream: 0, time_us: time, frames: [...pick(stacks, random)] });
      }
    }
  }
  trace.length = events;
  return {
    segments: [segment(FIRST, 20 * MIB, 'large', stacks[0]), segment(FIRST + 20 * MIB, 2 * MIB, 'small', stacks[1])],
    device_traces: [trace],
    allocator_settings: {
      PYTORCH_CUDA_ALLOC_CONF: '',
      max_split_size: -1,
      garbage_collection_threshold: 0.5,
      expandable_segments: false,
    },
    external_annotations: [],
  };
}

const pick = <T>(items: readonly T[], random: Random): T => {
  const item = items[random() % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

function segment(address: number, size: number, type: string, stack: unknown): Readonly<Record<string, unknown>> {
  const half = size / 2;
  return {
    device: 0,
    address,
    total_size: size,
    allocated_size: half,
    active_size: half,
    requested_size: half - 100,
    stream: 0,
    segment_type: type,
    segment_pool_id: new Tuple([0, 0]),
    is_expandable: false,
    frames: stack,
    blocks: [
      { address, size: half, requested_size: half - 100, state: 'active_allocated', frames: stack },
      { address: address + half, size: half, requested_size: 0, state: 'inactive', frames: [] },
    ],
  };
}
