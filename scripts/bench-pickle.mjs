// @ts-check
/**
 * Speed of the snapshot reader, with CPython's `pickle.loads` on the same bytes where python3 is there.
 *
 *     node scripts/bench-pickle.mjs [--json] [--memory] [--events 200000] [FILE.pickle ...]
 *
 * Without files a generated snapshot is read. Each figure is the median of 9 runs after a warm-up; the two
 * interleave, so that a busy machine slows both. Ours is the whole reading, from bytes to the columns of a snapshot;
 * Python's builds its objects. With --memory (Linux), what each takes at its peak beyond the file, in a process of its own.
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
// VmHWM, not what getrusage says: that begins with the peak of the process that started this one.
const PYTHON_MEMORY = `import pickle, re, sys
peak = lambda: 1024 * int(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])
data = open(sys.argv[1], 'rb').read()
before = peak()
kept = pickle.loads(data)
print(peak() - before)`;
/** The same of ours; it warms up on a small file, so that the compiler's memory does not count. */
const OWN_MEMORY = `import { readFileSync } from 'node:fs';
const [reader, file, small] = process.argv.slice(1);
const { readSnapshot } = await import(reader);
const peak = () => 1024 * Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
const warm = new Uint8Array(readFileSync(small));
for (let i = 0; i < 20; i++) readSnapshot(warm, small);
const data = new Uint8Array(readFileSync(file));
const before = peak();
globalThis.kept = readSnapshot(data, file);
console.log(peak() - before);`;
/** Bytes read before a small file counts as warm, and in one run. */
const WARM_BYTES = 60e6;
const RUN_BYTES = 6e6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, memory: { type: 'boolean' }, events: { type: 'string', default: '200000' } },
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
  const { sampleSnapshot } = await load('sample');
  const { pythonPickle } = await load('pickle');
  /** @param {string} name @param {number} events */
  const generated = (name, events) => {
    const file = join(folder, name);
    writeFileSync(file, pythonPickle(sampleSnapshot({ events, depth: 45, seed: 1 }), 4));
    return file;
  };
  if (files.length === 0) files.push(generated('sample.pickle', Number(values.events)));
  const small = values.memory === true ? generated('small.pickle', 2000) : '';
  /** @param {string} file */
  const memoryOf = (file) => {
    const reader = pathToFileURL(join(folder, 'reader.mjs')).href;
    const own = spawnSync(process.execPath, ['--input-type=module', '-e', OWN_MEMORY, '--', reader, file, small], {
      encoding: 'utf8',
    });
    if (own.status !== 0) throw new Error(own.stderr);
    const other = spawnSync('python3', ['-c', PYTHON_MEMORY, file], { encoding: 'utf8' });
    const peakBytes = Number(own.stdout);
    if (other.status !== 0) return { peakBytes };
    const pythonPeakBytes = Number(other.stdout);
    return { peakBytes, pythonPeakBytes, peakRatio: round(peakBytes / pythonPeakBytes) };
  };
  /** @type {{ file: string, bytes: number, picklesMBps: number, pythonMBps?: number, ratio?: number,
   *   peakBytes?: number, pythonPeakBytes?: number, peakRatio?: number }[]} */
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
      ...(values.memory === true ? memoryOf(file) : {}),
    });
  }
  if (values.json === true) {
    process.stdout.write(`${JSON.stringify({ picklesMBps: rows[0]?.picklesMBps, files: rows })}\n`);
  } else {
    for (const row of rows) {
      const other =
        row.ratio === undefined ? 'no python3 here' : `python ${row.pythonMBps} MB/s, ${row.ratio} times as fast`;
      process.stdout.write(`${row.file}: ${row.bytes} B, ${row.picklesMBps} MB/s (${other})\n`);
      if (row.peakBytes !== undefined) {
        const ratio = row.peakRatio === undefined ? '' : `, python ${row.pythonPeakBytes} B, ${row.peakRatio} of it`;
        process.stdout.write(`  peak beyond the file ${row.peakBytes} B${ratio}\n`);
      }
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
