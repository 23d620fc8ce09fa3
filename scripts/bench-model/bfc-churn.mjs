// @ts-check
/** The churn of BFC's golden data (`churn_1M`, test-data/bfc), as columns: seed 20260101, up to 4,000 live blocks. */
import { mulberry32 } from './churn.mjs';

const OPERATIONS = 1_000_000;
const MOST_LIVE = 4000;

/** @param {() => number} random */
function randomSize(random) {
  const percent = random() % 100;
  if (percent < 50) return 1 + (random() % 4096);
  if (percent < 80) return 1 + (random() % 65536);
  return percent < 97 ? 1 + (random() % 2 ** 20) : 1 + (random() % 2 ** 24);
}

/** @returns {import('./churn.mjs').Churn} */
export function makeBfcChurn() {
  const random = mulberry32(20260101);
  const ids = new Int32Array(OPERATIONS);
  const sizes = new Float64Array(OPERATIONS);
  /** @type {number[]} */
  const alive = [];
  let id = 0;
  for (let at = 0; at < OPERATIONS; at += 1) {
    // No draw where there is no choice.
    if (alive.length === 0 || (alive.length < MOST_LIVE && random() % 100 < 55)) {
      id += 1;
      sizes[at] = randomSize(random);
      ids[at] = id;
      alive.push(id);
      continue;
    }
    const place = random() % alive.length;
    ids[at] = alive[place] ?? 0;
    alive[place] = alive[alive.length - 1] ?? 0;
    alive.pop();
  }
  return { ids, sizes, settled: 0, lastId: id };
}
