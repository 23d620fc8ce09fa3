/** Which sizes `tiers` measures: bytes of one array, ascending. */
import { type Environment, type Preset } from '../../model/report/schema.js';

type AdapterClass = Environment['adapter']['class'];

export interface TierSizes {
  /** STREAM kernels. The first is small, so that a first result comes quickly. */
  readonly global: readonly number[];
  /** Whether a size is measured in vec4 alone. */
  readonly isVectorOnly: (size: number) => boolean;
  readonly gather: readonly number[];
  /** Working sets of the read sweep. */
  readonly sweep: readonly number[];
  /** One array of copy and clear: half the working set of a copy. */
  readonly commands: readonly number[];
  /** Sizes of `commands` at which clearBuffer is measured too. */
  readonly clears: readonly number[];
  readonly latency: readonly number[];
}

const KiB = 2 ** 10;
const MiB = 2 ** 20;

/** STREAM array sizes in MiB. */
const GLOBAL: Readonly<Record<AdapterClass, Readonly<Record<Preset, readonly number[]>>>> = {
  software: { quick: [1, 16], standard: [1, 16, 64], full: [1, 4, 16, 64, 256] },
  hardware: { quick: [4, 64, 256], standard: [4, 64, 256, 512], full: [4, 16, 64, 256, 512, 1024] },
};

/** The largest working set of the sweeps by preset; `standard` and `full` go on to the budget. */
const LARGEST_QUICK = 256 * MiB;
const FIRST = 4 * KiB;

/** Powers of `2 ** step` times `first` up to `last`, and `last` itself. */
function ladder(first: number, last: number, step: number): readonly number[] {
  const sizes: number[] = [];
  for (let size = first; size < last; size *= 2 ** step) sizes.push(size);
  return [...sizes, last];
}

/** The largest power of two that is at most `bytes`. */
const powerBelow = (bytes: number): number => 2 ** Math.floor(Math.log2(Math.max(1, bytes)));

/** Copies of these sizes too: their working sets lie around the last cache of a processor, between powers of two. */
const BETWEEN = [12 * MiB, 24 * MiB];

/** Working sets go from 4 KiB to the budget, in `quick` to 256 MiB; the line of a sweep is one array of up to half of it. */
export function tierSizes(adapterClass: AdapterClass, preset: Preset, budgetBytes: number): TierSizes {
  const most = Math.max(FIRST, powerBelow(budgetBytes * 0.9));
  const largest = preset === 'quick' ? Math.min(LARGEST_QUICK, most) : most;
  const global = GLOBAL[adapterClass][preset].map((mebibytes) => mebibytes * MiB);
  const isBrief = adapterClass === 'software' && preset === 'quick';
  const array = Math.max(FIRST, largest / 2);
  return {
    global,
    // A software adapter takes long word by word, to show the same instructions again.
    isVectorOnly: (size) => isBrief && size > MiB,
    gather: isBrief ? [4 * MiB] : global.slice(-1),
    sweep: ladder(FIRST, array, preset === 'quick' ? 2 : 1),
    commands: [
      ...ladder(preset === 'quick' ? 64 * KiB : FIRST, array, 1),
      ...BETWEEN.filter((size) => size < array),
    ].toSorted((a, b) => a - b),
    clears: ladder(preset === 'quick' ? 64 * KiB : FIRST, array, preset === 'quick' ? 2 : 1),
    latency: ladder(preset === 'quick' ? 16 * KiB : FIRST, array, 1),
  };
}
