// @ts-check
/**
 * Reads many damaged snapshots and explains as many damaged texts: each snapshot is read, or refused in one line, each
 * text gets a verdict with a reason; none crashes or takes 2 s.
 *
 *     node scripts/fuzz-snapshots.mjs [--count 100000] [--seed 1]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';

const SLOW_MS = 2000;
const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const folder = mkdtempSync(join(tmpdir(), 'vramlab-fuzz-'));
try {
  /** @type {Record<string, string>} */
  const input = {
    'read-snapshot': 'src/model/snapshot/read-snapshot.ts',
    'sample-snapshot': 'src/model/snapshot/testing/sample-snapshot.ts',
    'python-pickle': 'src/model/snapshot/testing/python-pickle.ts',
    mutated: 'src/model/snapshot/testing/mutated.ts',
    'mutated-text': 'src/model/diagnose/testing/mutated-text.ts',
    'explain-text': 'src/model/diagnose/texts/explain-text.ts',
    random: 'src/base/random.ts',
  };
  await build({
    logLevel: 'error',
    configFile: false,
    build: { ssr: true, outDir: folder, rolldownOptions: { input, output: { entryFileNames: '[name].mjs' } } },
  });
  /** @param {string} name */
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  const { readSnapshot } = await load('read-snapshot');
  const { sampleSnapshot } = await load('sample-snapshot');
  const { pythonPickle } = await load('python-pickle');
  const { mutated } = await load('mutated');
  const { mulberry32 } = await load('random');
  const random = mulberry32(Number(values.seed));
  const originals = [0, 1, 2, 3, 4, 5].map((protocol) =>
    pythonPickle(sampleSnapshot({ events: 24, depth: 4, seed: protocol }), protocol),
  );
  const count = Number(values.count);
  let refused = 0;
  let wrong = 0;
  for (let round = 0; round < count; round++) {
    const data = mutated(originals[round % originals.length], random);
    const begin = performance.now();
    try {
      readSnapshot(data, 'x');
    } catch (error) {
      refused++;
      const line = error instanceof Error ? error.message : String(error);
      if (!(error instanceof Error) || error.name !== 'AppError' || line.includes('\n')) {
        wrong++;
        process.stdout.write(`round ${round}: ${line}\n`);
      }
    }
    if (performance.now() - begin > SLOW_MS) {
      wrong++;
      process.stdout.write(`round ${round}: over ${SLOW_MS} ms\n`);
    }
  }
  process.stdout.write(`${count} damaged snapshots: ${count - refused} read, ${refused} refused, ${wrong} wrong\n`);

  const { mutatedText } = await load('mutated-text');
  const { explainText } = await load('explain-text');
  /** @type {{ text: string }[]} */
  const texts = JSON.parse(readFileSync('test-data/diagnose/oom-texts.json', 'utf8'));
  let unclear = 0;
  for (let round = 0; round < count; round++) {
    const text = mutatedText(texts[round % texts.length]?.text ?? '', random);
    const begin = performance.now();
    let why = '';
    try {
      ({ why } = explainText(text));
    } catch (error) {
      process.stdout.write(`text ${round}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
    const isSlow = performance.now() - begin > SLOW_MS;
    if (isSlow) process.stdout.write(`text ${round}: over ${SLOW_MS} ms\n`);
    if (why === '' || isSlow) unclear++;
  }
  process.stdout.write(`${count} damaged texts: ${count - unclear} explained, ${unclear} wrong\n`);
  process.exitCode = wrong + unclear === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
