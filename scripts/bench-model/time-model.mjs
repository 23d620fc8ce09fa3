// @ts-check
/** Times one model in this process and prints the median: `time-model.mjs MODEL LIVE RUNS`. */
import { makeBfcChurn } from './bfc-churn.mjs';
import { makeChurn, timeChurn } from './churn.mjs';

const GiB = 2 ** 30;
const [model = '', live = '0', runs = '9'] = process.argv.slice(2);
const library = await import(new URL('../../dist/model/public.js', import.meta.url).href);
const capacity = live === '0' ? 64 * GiB : 900 * GiB;

/** Makes an allocator by name. @type {Record<string, () => { malloc(size: number): number, free(handle: number): void }>} */
const MODELS = {
  caching: () => new library.CachingAllocator({ capacity }),
  'caching-history': () => new library.CachingAllocator({ capacity, history: true }),
  bfc: () => new library.BfcAllocator({ memoryLimit: 2 * GiB }),
  'bfc-growth': () => new library.BfcAllocator({ memoryLimit: 2 * GiB, allowGrowth: true }),
};
const make = MODELS[model];
if (make === undefined) throw new Error(`unknown model "${model}"; one of ${Object.keys(MODELS).join(', ')}`);

const churn = model.startsWith('bfc') ? makeBfcChurn() : makeChurn(Number(live));
const results = Array.from({ length: Number(runs) }, () => timeChurn(make(), churn)).sort((a, b) => a - b);
process.stdout.write(`${(results[results.length >> 1] ?? NaN).toFixed(1)}\n`);
