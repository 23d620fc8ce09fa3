// @ts-check
/**
 * Speed of the snapshot reader, with CPython's `pickle.loads` on the same bytes where python3 is there.
 *
 *     node scripts/bench-pickle.mjs [--json] [--events 200000] [FILE.pickle ...]
 *
 * Without files a generated snapshot is read. Each figure is the median of 9 runs after a warm-up; the two
 * interleave, so that a busy machine slows both.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';

const RUNS = 9;
const PYTHON = `import pickle, sys, time
data = open(sys.argv[1], 'rb').read()
repeats = int(sys.argv[2])
pickle.loads(data)
begin = time.perf_counter()
for _ in range(repeats): pickle.loads(data)
print((time.perf_counter() - begin) / repeats)`;
/** Bytes read before a small file counts as warm, and in one run. */
const WARM_BYTES = 60e6;
const RUN_BYTES = 6e6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, events: { type: 'string', default: '200000' } },
});

const folder = mkdtempSync(join(tmpdir(), 'vramlab-pickle-'));
try {
  await build({
    logLevel: 'error',
    configFile: false,
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
  /** @param {string} name */
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  const { readSnapshot } = await load('reader');
  const files = [...positionals];
  if (files.length === 0) {
    const { sampleSnapshot } = await load('sample');
    const { pythonPickle } = await load('pickle');
    const file = join(folder, 'sample.pickle');
    writeFileSync(file, pythonPickle(sampleSnapshot({ events: Number(values.events), depth: 45, seed: 1 }), 4));
    files.push(file);
  }
  /** @type {{ file: string, bytes: number, picklesMBps: number, pythonMBps?: number, ratio?: number }[]} */
  const rows = [];
  for (const file of files) {
    const data = new Uint8Array(readFileSync(file));
    const repeats = Math.max(1, Math.round(RUN_BYTES / data.length));
    for (let done = 0; done < WARM_BYTES; done += data.length) readSnapshot(data, file);
    /** @type {number[]} */
    const own = [];
    /** @type {number[]} */
    const python = [];
    for (let run = 0; run < RUNS; run++) {
      const begin = process.hrtime.bigint();
      for (let i = 0; i < repeats; i++) readSnapshot(data, file);
      own.push(Number(process.hrtime.bigint() - begin) / 1e9 / repeats);
      const asked = spawnSync('python3', ['-c', PYTHON, file, String(repeats)], { encoding: 'utf8' });
      if (asked.status === 0) python.push(Number(asked.stdout));
    }
    const rate = data.length / 1e6 / median(own);
    rows.push({
      file,
      bytes: data.length,
      picklesMBps: round(rate),
      ...(python.length === 0
        ? {}
        : { pythonMBps: round(data.length / 1e6 / median(python)), ratio: round(median(python) / median(own)) }),
    });
  }
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify({ picklesMBps: rows[0]?.picklesMBps, files: rows })}\n`);
  } else {
    for (const row of rows) {
      const other =
        row.ratio === undefined ? 'no python3 here' : `python ${row.pythonMBps} MB/s, ${row.ratio} times as fast`;
      process.stdout.write(`${row.file}: ${row.bytes} B, ${row.picklesMBps} MB/s (${other})\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {number[]} numbers */
function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? NaN;
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 100) / 100;
}
