// @ts-check
/**
 * The churn that models are timed on, as columns: `long1m` of the golden data (seed 12345, up to 2,048 live blocks), or
 * one that first brings the heap to `live` blocks and then keeps it there.
 */
const OPERATIONS = 1_000_000;
const MIB = 2 ** 20;

/**
 * @typedef {object} Churn
 * @property {Int32Array} ids ids from 1
 * @property {Float64Array} sizes bytes of an allocation, 0 for a free
 * @property {number} settled operations before the timed ones
 * @property {number} lastId
 */

/** @param {number} seed */
export function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

/** @param {() => number} random */
function randomSize(random) {
  const kind = random() % 100;
  const value = random();
  if (kind < 70) return 1 + (value % 65536);
  if (kind < 90) return 1 + (value % MIB);
  if (kind < 98) return MIB + (value % (15 * MIB));
  return 16 * MIB + (value % (48 * MIB));
}

/** @param {number} live blocks to bring the heap to first; 0 for the plain walk @returns {Churn} */
export function makeChurn(live) {
  const random = mulberry32(12345);
  const ids = new Int32Array(live + OPERATIONS);
  const sizes = new Float64Array(live + OPERATIONS);
  /** @type {number[]} */
  const alive = [];
  let id = 0;
  let at = 0;
  const allocate = () => {
    id += 1;
    ids[at] = id;
    sizes[at] = randomSize(random);
    alive.push(id);
  };
  for (; at < live; at += 1) allocate();
  const most = live === 0 ? 2048 : live + 1;
  for (; at < ids.length; at += 1) {
    const choice = random();
    if (alive.length === 0 || (alive.length < most && choice % 2 === 0)) {
      allocate();
      continue;
    }
    const place = random() % alive.length;
    ids[at] = alive[place] ?? 0;
    alive[place] = alive[alive.length - 1] ?? 0;
    alive.pop();
  }
  return { ids, sizes, settled: live, lastId: id };
}

/**
 * Times a replay through an allocator's public calls: nanoseconds per malloc + free pair.
 * @param {{ malloc(size: number): number, free(handle: number): void }} allocator
 * @param {Churn} churn
 */
export function timeChurn(allocator, { ids, sizes, settled, lastId }) {
  const handles = new Int32Array(lastId + 1).fill(-1);
  for (let i = 0; i < settled; i += 1) handles[/** @type {number} */ (ids[i])] = allocator.malloc(sizes[i] ?? 0);
  let pairs = 0;
  const begin = process.hrtime.bigint();
  for (let i = settled; i < ids.length; i += 1) {
    const id = /** @type {number} */ (ids[i]);
    const size = /** @type {number} */ (sizes[i]);
    if (size > 0) {
      handles[id] = allocator.malloc(size);
    } else {
      const handle = /** @type {number} */ (handles[id]);
      if (handle >= 0) {
        allocator.free(handle);
        pairs += 1;
      }
    }
  }
  return Number(process.hrtime.bigint() - begin) / pairs;
}
