// @ts-check
/**
 * Times twelve what-ifs on a trace of a million operations, threads and their start included, and prints the median in
 * seconds: `time-whatif.mjs RUNS`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const RUNS = Number(process.argv[2] ?? 9);
const folder = mkdtempSync(join(tmpdir(), 'vramlab-whatif-'));
try {
  /** @type {Record<string, string>} */
  const input = {
    sweep: 'src/cli/whatif/run-sweep.ts',
    'whatif-worker': 'src/cli/whatif/sweep-worker.ts',
    changes: 'src/model/diagnose/whatif/changes.ts',
    program: 'src/model/workload/trace-program.ts',
    catalogue: 'src/model/workload/catalogue.ts',
  };
  await build({
    logLevel: 'error',
    configFile: false,
    build: {
      ssr: true,
      outDir: folder,
      rolldownOptions: { input, output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
    },
  });
  /** @param {string} name */
  const load = (name) => import(pathToFileURL(join(folder, `${name}.js`)).href);
  const { runSweep } = await load('sweep');
  const { defaultChanges } = await load('changes');
  const { traceOf } = await load('program');
  const { findWorkload } = await load('catalogue');
  const trace = traceOf(findWorkload('churn-pytorch'));
  const changes = defaultChanges('none');
  if (changes.length !== 12) throw new Error(`${changes.length} changes, not twelve`);
  /** @type {number[]} */
  const seconds = [];
  for (let run = 0; run < RUNS; run++) {
    const begin = process.hrtime.bigint();
    await runSweep([trace], changes, { capacity: undefined, search: false });
    seconds.push(Number(process.hrtime.bigint() - begin) / 1e9);
  }
  process.stdout.write(`${([...seconds].sort((a, b) => a - b)[seconds.length >> 1] ?? NaN).toFixed(3)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
