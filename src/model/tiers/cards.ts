/** Theoretical peak bandwidth of cards that the adapter may name, for the check of plausibility. */
export interface Card {
  readonly name: string;
  /** In the adapter's device or description. */
  readonly pattern: RegExp;
  /** Decimal GB/s of the board memory: data rate x bus width / 8. */
  readonly peakGBps: number;
  /** The last cache before it, bytes: smaller working sets may be faster. */
  readonly lastCacheBytes: number;
  /** Address of the maker's page that the peak is from. */
  readonly source: string;
}

const MiB = 2 ** 20;
/** `page`: the maker's page of the product, with the bandwidth or what makes it (data rate and bus width). */
const card = (name: string, pattern: RegExp, peakGBps: number, cacheMebibytes: number, page: string): Card => ({
  name,
  pattern,
  peakGBps,
  lastCacheBytes: cacheMebibytes * MiB,
  source: `https://www.${page}`,
});

/** The longer name comes first where one holds the other. */
export const CARDS: readonly Card[] = [
  card('NVIDIA H200', /\bH200\b/i, 4800, 50, 'nvidia.com/en-us/data-center/h200/'),
  card('NVIDIA H100 SXM', /\bH100\b.*(SXM|HBM3)/i, 3350, 50, 'nvidia.com/en-us/data-center/h100/'),
  card('NVIDIA A100 80GB', /\bA100\b.*80\s?GB/i, 2039, 40, 'nvidia.com/en-us/data-center/a100/'),
  card('NVIDIA A100', /\bA100\b/i, 1555, 40, 'nvidia.com/en-us/data-center/a100/'),
  card('NVIDIA L4', /\bL4\b/i, 300, 48, 'nvidia.com/en-us/data-center/l4/'),
  card('NVIDIA T4', /\bT4\b/i, 320, 4, 'nvidia.com/en-us/data-center/tesla-t4/'),
  card(
    'NVIDIA GeForce RTX 5090',
    /RTX 5090\b/i,
    1792,
    96,
    'nvidia.com/en-us/geforce/graphics-cards/50-series/rtx-5090/',
  ),
  card(
    'NVIDIA GeForce RTX 4090',
    /RTX 4090\b/i,
    1008,
    72,
    'nvidia.com/en-us/geforce/graphics-cards/40-series/rtx-4090/',
  ),
  card(
    'NVIDIA GeForce RTX 4080',
    /RTX 4080\b/i,
    717,
    64,
    'nvidia.com/en-us/geforce/graphics-cards/40-series/rtx-4080-family/',
  ),
  card(
    'NVIDIA GeForce RTX 3090',
    /RTX 3090\b/i,
    936,
    6,
    'nvidia.com/en-us/geforce/graphics-cards/30-series/rtx-3090-3090ti/',
  ),
  card(
    'NVIDIA GeForce RTX 3080',
    /RTX 3080\b/i,
    760,
    5,
    'nvidia.com/en-us/geforce/graphics-cards/30-series/rtx-3080-3080ti/',
  ),
  card(
    'AMD Radeon RX 7900 XTX',
    /RX 7900 XTX/i,
    960,
    96,
    'amd.com/en/products/graphics/desktops/radeon/7000-series/amd-radeon-rx-7900xtx.html',
  ),
  card(
    'Intel Arc A770',
    /Arc.*A770/i,
    560,
    16,
    'intel.com/content/www/us/en/products/sku/229151/intel-arc-a770-graphics-16gb/specifications.html',
  ),
  card(
    'Apple M1 Pro',
    /\bM1 Pro\b/i,
    200,
    24,
    'apple.com/newsroom/2021/10/introducing-m1-pro-and-m1-max-the-most-powerful-chips-apple-has-ever-built/',
  ),
  // 128 bits of LPDDR4X-4266; the page of its successor says what it has over it.
  card(
    'Apple M1',
    /\bM1\b/i,
    68.3,
    8,
    'apple.com/newsroom/2022/06/apple-unveils-m2-with-breakthrough-performance-and-capabilities/',
  ),
  card(
    'Apple M2',
    /\bM2\b(?! (Pro|Max|Ultra))/i,
    100,
    8,
    'apple.com/newsroom/2022/06/apple-unveils-m2-with-breakthrough-performance-and-capabilities/',
  ),
];

/** The card that an adapter names; undefined where it is masked or not in the table. */
export function cardOf(adapter: { readonly device: string; readonly description: string }): Card | undefined {
  const text = `${adapter.device} ${adapter.description}`;
  return CARDS.find(({ pattern }) => pattern.test(text));
}
