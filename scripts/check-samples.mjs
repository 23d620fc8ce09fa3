// @ts-check
/**
 * Holds the built program against a folder of real inputs with what must come out (`snapshots/expect.json`,
 * `oom-texts.json`, `memory-summaries.json`; each may be missing). The files are other people's: they stay outside.
 *
 *     node scripts/check-samples.mjs DIR [--every] [--program dist/cli/vramlab.js]
 *
 * Prints a line for each input and for each figure that is not the same (`--every`: for all). Exit code 1 when a figure
 * differs or fewer than 95 % of the CUDA and HIP verdicts for which the samples give no other answer of the rule are right.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs, promisify } from 'node:util';
import { SETTINGS, checkSnapshot, checkSummary, checkText } from './check-samples/figures.mjs';

/** @typedef {import('./check-samples/figures.mjs').Figure} Figure */
/** @typedef {import('./check-samples/figures.mjs').Json} Json */

const LEAST_VERDICTS = 0.95;
const LARGEST_OUTPUT = 2 ** 28;
const execute = promisify(execFile);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'boolean' }, program: { type: 'string', default: 'dist/cli/vramlab.js' } },
});
const [folder] = positionals;
const files = ['snapshots/expect.json', 'oom-texts.json', 'memory-summaries.json'];
if (folder === undefined || !files.some((file) => existsSync(join(folder, file)))) {
  process.stderr.write(`check-samples: give the folder that holds ${files.join(', ')} (one is enough)\n`);
  process.exit(2);
}
if (!existsSync(values.program)) {
  process.stderr.write(`check-samples: ${values.program} is not there; run npm run build first\n`);
  process.exit(2);
}

/** @param {string[]} args @returns {Promise<any>} */
async function ask(...args) {
  const { stdout } = await execute(process.execPath, [values.program, ...args, '--json'], {
    maxBuffer: LARGEST_OUTPUT,
  });
  return JSON.parse(stdout);
}

/** @param {string} file @returns {any} undefined where the folder has none */
const read = (file) => {
  const path = join(folder, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
};

const count = { same: 0, rule: 0, absent: 0, differs: 0 };
/** @param {string} input @param {Figure[]} figures */
function report(input, figures) {
  const same = figures.filter(({ answer }) => answer === 'same').length;
  process.stdout.write(`${input}: ${same} of ${figures.length} figures the same\n`);
  for (const { name, expected, got, answer } of figures) {
    count[answer]++;
    if (answer === 'same' && values.every !== true) continue;
    const words = { same: 'same', rule: "the rule's answer", absent: 'not in the text', differs: 'DIFFERS' }[answer];
    process.stdout.write(`  ${name}: ${words}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}\n`);
  }
}

for (const entry of read('snapshots/expect.json') ?? []) {
  const path = join(folder, 'snapshots', entry.file);
  const whatIf =
    entry.what_if_indicative.length === 0
      ? undefined
      : await ask('whatif', path, ...SETTINGS.flatMap((setting) => ['--conf', setting]));
  report(entry.file, checkSnapshot(entry, await ask('explain', path), whatIf));
}

const verdicts = { right: 0, all: 0 };
/** @type {Json[]} */
const texts = read('oom-texts.json')?.items ?? [];
const temporary = mkdtempSync(join(tmpdir(), 'vramlab-samples-'));
try {
  const paths = texts.map(({ text }, index) => {
    const path = join(temporary, `${index}.txt`);
    writeFileSync(path, text);
    return path;
  });
  const answers = paths.length === 0 ? [] : [await ask('explain', ...paths)].flat();
  for (const [index, { id, expect, text }] of texts.entries()) {
    const figures = checkText(expect, answers[index], text);
    const isCounted = /^pytorch-(?:cuda|hip)/.test(expect.framework) && expect.rule_would_say === undefined;
    const verdict = figures.pop();
    if (verdict === undefined) continue;
    if (isCounted) {
      verdicts.all++;
      if (verdict.answer === 'same') verdicts.right++;
    }
    report(id, figures);
    if (verdict.answer === 'same') count.same++;
    else {
      process.stdout.write(`  verdict: ${verdict.answer === 'rule' ? "the rule's" : 'another'}: `);
      process.stdout.write(`expected ${verdict.expected}, got ${verdict.got}: ${answers[index].why}\n`);
      if (verdict.answer === 'rule') count.rule++;
    }
  }
  for (const sample of read('memory-summaries.json')?.tables ?? []) {
    const path = join(temporary, 'summary.txt');
    writeFileSync(path, sample.text);
    report(sample.id, checkSummary(sample, await ask('explain', path)));
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

const enough = verdicts.right >= LEAST_VERDICTS * verdicts.all;
process.stdout.write(
  `${verdicts.right} of ${verdicts.all} CUDA and HIP verdicts right, at least 95 %: ${enough ? 'yes' : 'no'}\n` +
    `${count.same} figures the same, ${count.rule} verdicts of the rule instead of the label, ` +
    `${count.absent} not in the text, ${count.differs} differ\n`,
);
process.exitCode = enough && count.differs === 0 ? 0 : 1;
