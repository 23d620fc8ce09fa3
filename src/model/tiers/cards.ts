/** Theoretical peak bandwidth of cards that the adapter may name, for the check of plausibility. */
export interface Card {
  readonly name: string;
  /** In the adapter's device or description. */
  readonly pattern: RegExp;
  /** Decimal GB/s of the board memory: data rate x bus width / 8. */
  readonly peakGBps: number;
  /** The last cache before it, bytes: smaller working sets may be faster. */
  readonly lastCacheBytes: number;
  /** Where the peak is from. */
  readonly source: string;
}

const MiB = 2 ** 20;
/** Figures are the maker's own; the page that has them is named after the product. */
const card = (name: string, pattern: RegExp, peakGBps: number, cacheMebibytes: number): Card => ({
  name,
  pattern,
  peakGBps,
  lastCacheBytes: cacheMebibytes * MiB,
  source: `the maker's specification page of ${name}`,
});

/** The longer name comes first where one holds the other. */
export const CARDS: readonly Card[] = [
  card('NVIDIA H200', /\bH200\b/i, 4800, 50),
  card('NVIDIA H100 SXM', /\bH100\b.*(SXM|HBM3)/i, 3350, 50),
  card('NVIDIA A100 80GB', /\bA100\b.*80\s?GB/i, 2039, 40),
  card('NVIDIA A100', /\bA100\b/i, 1555, 40),
  card('NVIDIA L4', /\bL4\b/i, 300, 48),
  card('NVIDIA T4', /\bT4\b/i, 320, 4),
  card('NVIDIA GeForce RTX 5090', /RTX 5090\b/i, 1792, 96),
  card('NVIDIA GeForce RTX 4090', /RTX 4090\b/i, 1008, 72),
  card('NVIDIA GeForce RTX 4080', /RTX 4080\b/i, 717, 64),
  card('NVIDIA GeForce RTX 3090', /RTX 3090\b/i, 936, 6),
  card('NVIDIA GeForce RTX 3080', /RTX 3080\b/i, 760, 5),
  card('AMD Radeon RX 7900 XTX', /RX 7900 XTX/i, 960, 96),
  card('Intel Arc A770', /Arc.*A770/i, 560, 16),
  card('Apple M1 Pro', /\bM1 Pro\b/i, 200, 24),
  card('Apple M1', /\bM1\b/i, 68.3, 8),
  card('Apple M2', /\bM2\b(?! (Pro|Max|Ultra))/i, 100, 8),
];

/** The card that an adapter names; undefined where it is masked or not in the table. */
export function cardOf(adapter: { readonly device: string; readonly description: string }): Card | undefined {
  const text = `${adapter.device} ${adapter.description}`;
  return CARDS.find(({ pattern }) => pattern.test(text));
}
