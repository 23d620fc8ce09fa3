// @ts-check
/**
 * Speed of the snapshot reader, with CPython's `pickle.loads` on the same bytes where python3 is there.
 *
 *     node scripts/bench-pickle.mjs [--json] [--memory] [--events 200000] [FILE.pickle ...]
 *
 * Without files a generated snapshot is read. Ours is the whole reading, from bytes in memory to the columns of a
 * snapshot; Python's builds its objects from bytes in memory. Both are warm and take turns in processes that stay, each
 * beginning every second turn, so that a busy machine slows both. The ratio is the median of the turns' ratios, and their
 * quarters say how steady it was. With --memory (Linux), what each takes at its peak beyond the file, in a process of its
 * own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { LoadsTimer } from './bench-pickle/loads-timer.mjs';

/** Turns of each; fewer where one takes long. */
const TURNS = 21;
const LARGE_BYTES = 50e6;
const LARGE_TURNS = 7;
/** Bytes read before a file counts as warm, and in one turn. */
const WARM_BYTES = 60e6;
const TURN_BYTES = 3e6;
/** Events of the small file on which the process that measures memory warms up. */
const SMALL_EVENTS = 2000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, memory: { type: 'boolean' }, events: { type: 'string', default: '200000' } },
});

const folder = mkdtempSync(join(tmpdir(), 'vramlab-pickle-'));
try {
  await build({
    logLevel: 'error',
    configFile: false,
    publicDir: false,
    build: {
      ssr: true,
      outDir: folder,
      rolldownOptions: {
        input: {
          reader: 'src/model/snapshot/read-snapshot.ts',
          sample: 'src/model/snapshot/testing/sample-snapshot.ts',
          pickle: 'src/model/snapshot/testing/python-pickle.ts',
        },
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  const { readSnapshot } = await load('reader');
  const files = positionals.length > 0 ? positionals : [await generated('sample.pickle', Number(values.events))];
  const small = values.memory === true ? await generated('small.pickle', SMALL_EVENTS) : '';
  const rows = [];
  for (const file of files) {
    rows.push({ ...(await speedOf(file, readSnapshot)), ...(values.memory === true ? memoryOf(file, small) : {}) });
  }
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify({ picklesMBps: rows[0]?.picklesMBps, files: rows })}\n`);
  } else for (const row of rows) print(row);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * A built module.
 *
 * @param {string} name
 */
function load(name) {
  return import(pathToFileURL(join(folder, `${name}.mjs`)).href);
}

/**
 * A snapshot of so many events.
 *
 * @param {string} name
 * @param {number} events
 */
async function generated(name, events) {
  const { sampleSnapshot } = await load('sample');
  const { pythonPickle } = await load('pickle');
  const file = join(folder, name);
  writeFileSync(file, pythonPickle(sampleSnapshot({ events, depth: 45, seed: 1 }), 4));
  return file;
}

/**
 * @param {string} file
 * @param {(data: Uint8Array, name: string) => unknown} readSnapshot
 */
async function speedOf(file, readSnapshot) {
  const data = new Uint8Array(readFileSync(file));
  const reads = Math.max(1, Math.round(TURN_BYTES / data.length));
  const turns = data.length > LARGE_BYTES ? LARGE_TURNS : TURNS;
  const ownSeconds = () => {
    const begin = process.hrtime.bigint();
    for (let i = 0; i < reads; i++) readSnapshot(data, file);
    return Number(process.hrtime.bigint() - begin) / 1e9 / reads;
  };
  for (let done = 0; done < WARM_BYTES; done += data.length) readSnapshot(data, file);
  const timer = await LoadsTimer.start(file);
  await timer?.seconds(1);
  /** @type {number[]} */
  const own = [];
  /** @type {number[]} */
  const python = [];
  for (let turn = 0; turn < turns; turn++) {
    if (turn % 2 === 0) own.push(ownSeconds());
    if (timer !== undefined) python.push(await timer.seconds(reads));
    if (turn % 2 === 1) own.push(ownSeconds());
  }
  await timer?.stop();
  const speed = { file, bytes: data.length, picklesMBps: round(data.length / 1e6 / quantile(own, 0.5)) };
  if (timer === undefined) return speed;
  const ratios = python.map((seconds, turn) => seconds / (own[turn] ?? NaN));
  return {
    ...speed,
    pythonMBps: round(data.length / 1e6 / quantile(python, 0.5)),
    ratio: round(quantile(ratios, 0.5)),
    ratioQuarters: [round(quantile(ratios, 0.25)), round(quantile(ratios, 0.75))],
  };
}

/**
 * @param {string} file
 * @param {string} small
 */
function memoryOf(file, small) {
  const program = fileURLToPath(new URL('bench-pickle/own-memory.mjs', import.meta.url));
  const reader = pathToFileURL(join(folder, 'reader.mjs')).href;
  const own = spawnSync(process.execPath, [program, reader, file, small], { encoding: 'utf8' });
  if (own.status !== 0) throw new Error(own.stderr);
  const peakBytes = Number(own.stdout);
  const pythonProgram = fileURLToPath(new URL('bench-pickle/loads-memory.py', import.meta.url));
  const python = spawnSync('python3', [pythonProgram, file], { encoding: 'utf8' });
  if (python.status !== 0) return { peakBytes };
  const pythonPeakBytes = Number(python.stdout);
  return { peakBytes, pythonPeakBytes, peakRatio: round(peakBytes / pythonPeakBytes) };
}

/**
 * @param {{ file: string, bytes: number, picklesMBps: number, pythonMBps?: number, ratio?: number,
 *   ratioQuarters?: number[], peakBytes?: number, pythonPeakBytes?: number, peakRatio?: number }} row
 */
function print(row) {
  const python =
    row.ratio === undefined
      ? 'no python3 here'
      : `python ${row.pythonMBps} MB/s, ${row.ratio} times as fast, half of the turns ${row.ratioQuarters?.join(' to ')}`;
  process.stdout.write(`${row.file}: ${row.bytes} B, ${row.picklesMBps} MB/s (${python})\n`);
  if (row.peakBytes === undefined) return;
  const peak = row.peakRatio === undefined ? '' : `, python ${row.pythonPeakBytes} B, ${row.peakRatio} of it`;
  process.stdout.write(`  peak beyond the file ${row.peakBytes} B${peak}\n`);
}

/**
 * @param {number[]} numbers
 * @param {number} share
 */
function quantile(numbers, share) {
  return [...numbers].sort((a, b) => a - b)[Math.round(share * (numbers.length - 1))] ?? NaN;
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 100) / 100;
}
