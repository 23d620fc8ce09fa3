/** Theoretical peak bandwidth of cards that the adapter may name, for the check of plausibility. */
export interface Card {
  readonly name: string;
  /** In the adapter's device or description. */
  readonly pattern: RegExp;
  /** Decimal GB/s of the board memory: data rate x bus width / 8. */
  readonly peakGBps: number;
  /** The last cache before it, bytes: smaller working sets may be faster. */
  readonly lastCacheBytes: number;
  /** The maker's document that the peak is from, or what it is computed from and where that stands. */
  readonly source: string;
}

const MiB = 2 ** 20;
/** `page`: the maker's document that states the bandwidth. */
const stated = (name: string, pattern: RegExp, peakGBps: number, cacheMebibytes: number, page: string): Card => ({
  name,
  pattern,
  peakGBps,
  lastCacheBytes: cacheMebibytes * MiB,
  source: `https://www.${page}`,
});

/** What makes the bandwidth where no document of the maker states it: bits of the bus, and Gb/s of each. */
interface Bus {
  readonly bits: number;
  readonly gigabits: number;
  readonly memory: string;
}

/** `page`: the maker's document that names the memory. */
const computed = (
  name: string,
  pattern: RegExp,
  { bits, gigabits, memory }: Bus,
  cacheMebibytes: number,
  page: string,
): Card => ({
  name,
  pattern,
  peakGBps: (bits * gigabits) / 8,
  lastCacheBytes: cacheMebibytes * MiB,
  source: `computed: ${bits} bit x ${gigabits} Gb/s (${memory}) / 8; the memory: https://www.${page}`,
});

const A100 =
  'nvidia.com/content/dam/en-zz/Solutions/Data-Center/a100/pdf/nvidia-a100-datasheet-us-nvidia-1758950-r4-web.pdf';
const GEFORCE = 'nvidia.com/en-us/geforce/graphics-cards';
const M2 = 'apple.com/newsroom/2022/06/apple-unveils-m2-with-breakthrough-performance-and-capabilities/';

/**
 * The longer name comes first where one holds the other. A peak that is too low would call a sound figure impossible: where
 * cards of one name differ, the fastest counts, and a variant with memory of its own (Ti, SUPER, Laptop) is another card.
 */
export const CARDS: readonly Card[] = [
  stated('NVIDIA H200', /\bH200\b/i, 4800, 50, 'nvidia.com/en-us/data-center/h200/'),
  stated('NVIDIA H100 SXM', /\bH100\b.*(SXM|HBM3)/i, 3350, 50, 'nvidia.com/en-us/data-center/h100/'),
  stated('NVIDIA A100 80GB', /\bA100\b.*80\s?GB/i, 2039, 40, A100),
  stated('NVIDIA A100', /\bA100\b/i, 1555, 40, A100),
  stated('NVIDIA L4', /\bL4\b/i, 300, 48, 'nvidia.com/en-us/data-center/l4/'),
  stated('NVIDIA T4', /\bT4\b/i, 320, 4, 'nvidia.com/en-us/data-center/tesla-t4/'),
  computed(
    'NVIDIA GeForce RTX 5090',
    geForce('5090'),
    { bits: 512, gigabits: 28, memory: 'GDDR7' },
    96,
    `${GEFORCE}/50-series/rtx-5090/`,
  ),
  computed(
    'NVIDIA GeForce RTX 4090',
    geForce('4090'),
    { bits: 384, gigabits: 21, memory: 'GDDR6X' },
    72,
    `${GEFORCE}/40-series/rtx-4090/`,
  ),
  computed(
    'NVIDIA GeForce RTX 4080',
    geForce('4080'),
    { bits: 256, gigabits: 22.4, memory: 'GDDR6X' },
    64,
    `${GEFORCE}/40-series/rtx-4080-family/`,
  ),
  computed(
    'NVIDIA GeForce RTX 3090',
    geForce('3090'),
    { bits: 384, gigabits: 19.5, memory: 'GDDR6X' },
    6,
    `${GEFORCE}/30-series/rtx-3090-3090ti/`,
  ),
  // The card with 12 GB; the one with 10 GB has 320 bits and no other name.
  computed(
    'NVIDIA GeForce RTX 3080',
    geForce('3080'),
    { bits: 384, gigabits: 19, memory: 'GDDR6X, 12 GB' },
    6,
    `${GEFORCE}/30-series/rtx-3080-3080ti/`,
  ),
  stated(
    'AMD Radeon RX 7900 XTX',
    /RX 7900 XTX/i,
    960,
    96,
    'amd.com/en/products/graphics/desktops/radeon/7000-series/amd-radeon-rx-7900xtx.html',
  ),
  stated(
    'Intel Arc A770',
    /Arc.*A770\b/i,
    560,
    16,
    'intel.com/content/www/us/en/products/sku/229151/intel-arc-a770-graphics-16gb/specifications.html',
  ),
  stated(
    'Apple M1 Pro',
    /\bM1 Pro\b/i,
    200,
    24,
    'apple.com/newsroom/2021/10/introducing-m1-pro-and-m1-max-the-most-powerful-chips-apple-has-ever-built/',
  ),
  // Its successor's page says that 100 GB/s are half as much again.
  computed('Apple M1', appleChip('M1'), { bits: 128, gigabits: 4.266, memory: 'LPDDR4X-4266' }, 8, M2),
  stated('Apple M2', appleChip('M2'), 100, 8, M2),
];

/** The desktop card of this number, none of its variants. */
function geForce(number: string): RegExp {
  return new RegExp(`RTX ${number}\\b(?! ?(Ti|SUPER|D|Max-Q|Laptop|Mobile)\\b)`, 'i');
}

/** The plain chip: Pro, Max and Ultra have wider memory. */
function appleChip(name: string): RegExp {
  return new RegExp(`\\b${name}\\b(?! (Pro|Max|Ultra)\\b)`, 'i');
}

/** The card that an adapter names; undefined where it is masked or not in the table. */
export function cardOf(adapter: { readonly device: string; readonly description: string }): Card | undefined {
  const text = `${adapter.device} ${adapter.description}`;
  return CARDS.find(({ pattern }) => pattern.test(text));
}
