// @ts-check
/**
 * Times the allocator models on the library as it is built, beside a C++ yardstick that says how fast the machine is.
 *
 *     npm run bench:model -- [--json] [--only REGEXP]
 *
 * One model a process (several in one slow each other). Each figure is nanoseconds per malloc + free pair: the median
 * of nine runs in one process; of the first replays, of nine processes. The short ones, which are compared with the
 * yardstick, take turns in five rounds, and the median of the rounds counts: a busy neighbour slows a few seconds, which
 * would else be one figure. `whatIfSeconds` is the time of twelve what-ifs on a million operations, in threads.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileYardstick } from './bench-model/yardstick.mjs';

const RUNS = 9;
const ROUNDS = 5;
const LIVE = 200_000;
const WHATIF_TIMER = fileURLToPath(new URL('bench-model/time-whatif.mjs', import.meta.url));
const PICKLE_TIMER = fileURLToPath(new URL('bench-pickle.mjs', import.meta.url));
const TIMER = fileURLToPath(new URL('bench-model/time-model.mjs', import.meta.url));

/** @param {string} program @param {readonly string[]} args */
function outputOf(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 24 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** @param {string} program @param {readonly string[]} args */
const numberFrom = (program, args) => Number(outputOf(program, args));

/** @param {readonly number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** @param {string} model @param {number} live @param {number} [runs] */
const time = (model, live, runs = RUNS) => numberFrom(process.execPath, [TIMER, model, String(live), String(runs)]);

const args = process.argv.slice(2);
const only = new RegExp(args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : '');
const yardstick = compileYardstick();
if (yardstick === undefined) {
  process.stderr.write('bench:model: no C++ compiler (c++, g++ or clang++), so no yardstick\n');
}

/**
 * Figures that take turns, and those that are measured once. The yardstick's are there where a C++ compiler is.
 * @type {Record<'inTurn' | 'once', Record<string, () => number>>}
 */
const FIGURES = {
  inTurn: {
    ...(yardstick && { yardstickNsPerPair: () => numberFrom(yardstick, ['0', String(RUNS)]) }),
    cachingNsPerPair: () => time('caching', 0),
    cachingHistoryNsPerPair: () => time('caching-history', 0),
    bfcNsPerPair: () => time('bfc', 0),
    bfcGrowthNsPerPair: () => time('bfc-growth', 0),
  },
  once: {
    cachingFirstReplayNsPerPair: () => median(Array.from({ length: RUNS }, () => time('caching', 0, 1))),
    bfcFirstReplayNsPerPair: () => median(Array.from({ length: RUNS }, () => time('bfc', 0, 1))),
    caching200kNsPerPair: () => time('caching', LIVE),
    ...(yardstick && { yardstick200kNsPerPair: () => numberFrom(yardstick, [String(LIVE), String(RUNS)]) }),
    picklesMBps: () => JSON.parse(outputOf(process.execPath, [PICKLE_TIMER, '--json'])).picklesMBps,
    whatIfSeconds: () => numberFrom(process.execPath, [WHATIF_TIMER, String(RUNS)]),
  },
};

/** @param {Record<string, () => number>} figures @param {number} rounds @returns {Record<string, number>} */
function measure(figures, rounds) {
  const wanted = Object.entries(figures).filter(([key]) => only.test(key));
  /** @type {Record<string, number[]>} */
  const seen = Object.fromEntries(wanted.map(([key]) => [key, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [key, take] of wanted) seen[key]?.push(take());
  }
  return Object.fromEntries(Object.entries(seen).map(([key, values]) => [key, median(values)]));
}

const figures = { ...measure(FIGURES.inTurn, ROUNDS), ...measure(FIGURES.once, 1) };
if (args.includes('--json')) process.stdout.write(`${JSON.stringify(figures)}\n`);
else {
  for (const [key, value] of Object.entries(figures)) {
    const unit = key.endsWith('Seconds') ? 's' : key.endsWith('MBps') ? 'MB/s' : 'ns';
    process.stdout.write(`${key.padEnd(28)} ${value.toFixed(unit === 's' ? 3 : 1)} ${unit}\n`);
  }
}
