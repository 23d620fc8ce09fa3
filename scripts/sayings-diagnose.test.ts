/** What Diagnose says of many inputs, in Chinese: every sentence is known, and no English is left in one. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ReadSentence, sentenceReader } from '../src/app/locales/sentence-reader.js';
import { mulberry32 } from '../src/base/random.js';
import { compareSnapshots } from '../src/model/diagnose/compare/compare-snapshots.js';
import { type Diagnosis } from '../src/model/diagnose/diagnosis.js';
import { trainingSample } from '../src/model/diagnose/sample/training-sample.js';
import { explainSnapshot, type SnapshotDiagnosis } from '../src/model/diagnose/snapshot/explain-snapshot.js';
import { comparisonTables, growthTables, pinTables, type ReportTable } from '../src/model/diagnose/tables.js';
import { mutatedText } from '../src/model/diagnose/testing/mutated-text.js';
import { explainText } from '../src/model/diagnose/texts/explain-text.js';
import { diagnosesToHtml } from '../src/model/diagnose/to-html.js';
import { defaultChanges } from '../src/model/diagnose/whatif/changes.js';
import { runChange } from '../src/model/diagnose/whatif/run-change.js';
import { snapshotInput } from '../src/model/diagnose/whatif/whatif-input.js';
import { baselineOf, whatIf, whatIfTables } from '../src/model/diagnose/whatif/whatif-report.js';
import { type RecordedSnapshot } from '../src/model/snapshot/recorded-snapshot.js';
import { readSnapshot } from '../src/model/snapshot/read-snapshot.js';
import { recordedRun } from '../src/model/snapshot/testing/recorded-run.js';
import { readSaidCatalogues } from './messages.mjs';

const MIB = 2 ** 20;
const texts = Object.fromEntries(readSaidCatalogues().flatMap((catalogue) => Object.entries(catalogue.texts)));
const read = sentenceReader(texts);

interface Sample {
  readonly id: string;
  readonly text: string;
}
const SAMPLES = JSON.parse(readFileSync('test-data/diagnose/oom-texts.json', 'utf8')) as readonly Sample[];

interface Summary {
  readonly rows: readonly string[];
  readonly ooms: number;
  readonly retries: number;
}
const SUMMARIES = JSON.parse(readFileSync('test-data/diagnose/memory-summaries.json', 'utf8')) as readonly Summary[];

/** Three plain words in a row: names, settings and figures have none. */
const ENGLISH = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/;
/** What stands in a sentence as the log has it. */
const QUOTED = /“[^”]*”|dmesg [^，]*/g;

function problemOf(sentence: string, found: ReadSentence | undefined): string[] {
  if (found === undefined) return [`not known: ${sentence}`];
  return ENGLISH.test(found.text.replace(QUOTED, '')) ? [`English is left: ${found.text}`] : [];
}

const sentencesOf = ({ why, steps, advice, oddities }: Diagnosis): string[] => [why, ...steps, ...advice, ...oddities];
const problemsOf = (sentences: readonly string[]): string[] => [
  ...new Set(sentences.flatMap((sentence) => problemOf(sentence, read(sentence)))),
];

/** Titles, headings and notes; cells are figures and names, or known. */
const wordsOf = (tables: readonly ReportTable[]): string[] =>
  tables.flatMap(({ title, about }) => [title, about]).filter((words) => words !== '');
const proseCells = (tables: readonly ReportTable[]): string[] =>
  tables.flatMap(({ header, rows }) => [...header, ...rows.flat()]).filter((cell) => ENGLISH.test(cell));

const sample = readSnapshot(trainingSample().snapshot, 'sample.pickle');
const snapshots: readonly (readonly [string, RecordedSnapshot])[] = [
  ['of the sample', sample],
  ['of one stream', recordedRun({ seed: 1, steps: 400, capacity: 900 * MIB })],
  ['cut at its start', recordedRun({ seed: 2, steps: 600, capacity: 900 * MIB, lost: 300 })],
  ['of two streams', recordedRun({ seed: 3, steps: 500, capacity: 4096 * MIB, streams: 2 })],
  ['of private pools', recordedRun({ seed: 4, steps: 500, capacity: 4096 * MIB, poolEvery: 50, flushEvery: 40 })],
  [
    'of expandable segments',
    recordedRun({ seed: 5, steps: 500, capacity: 900 * MIB, conf: 'expandable_segments:True' }),
  ],
];

describe('what Diagnose says in Chinese', () => {
  it('of every text that people posted is known', () => {
    expect(SAMPLES.length).toBeGreaterThan(100);
    expect(problemsOf(SAMPLES.flatMap(({ text }) => sentencesOf(explainText(text))))).toEqual([]);
  });

  it('of every memory summary is known', () => {
    const tables = SUMMARIES.map(({ rows, ooms, retries }) =>
      [
        '| PyTorch CUDA memory summary, device ID 0 |',
        `| CUDA OOMs: ${ooms} | cudaMalloc retries: ${retries} |`,
        ...rows.map((row) => `| ${row.replace(/^(large|small)\|/, 'from $1 pool|')} |`),
      ].join('\n'),
    );
    expect(tables.map((table) => explainText(table).kind)).toEqual(tables.map(() => 'memory-summary'));
    // Alone, with a failed request, and with a figure that contradicts the others.
    const failed = tables.map((table, index) => `${SAMPLES[index]?.text ?? ''}\n${table}`);
    const broken = tables.map((table) => table.replace(/\d+ MiB/g, '999999 MiB'));
    const sentences = [...tables, ...failed, ...broken].flatMap((text) => sentencesOf(explainText(text)));
    expect(problemsOf(sentences)).toEqual([]);
  });

  it('of texts that were cut, doubled or dirtied is known', () => {
    const random = mulberry32(11);
    const cut = Array.from({ length: 3000 }, () => mutatedText(SAMPLES[random() % SAMPLES.length]?.text ?? '', random));
    expect(problemsOf(cut.flatMap((text) => sentencesOf(explainText(text))))).toEqual([]);
  });

  it('of several failures in one log is known', () => {
    const pairs = SAMPLES.map(
      ({ text }, index) => `${text}\n\n${SAMPLES[(index * 7 + 1) % SAMPLES.length]?.text ?? ''}`,
    );
    expect(problemsOf(pairs.flatMap((text) => sentencesOf(explainText(text))))).toEqual([]);
  });

  it.each(snapshots)('of a snapshot %s is known, its tables too', (_name, snapshot) => {
    const diagnosis: SnapshotDiagnosis = explainSnapshot(snapshot);
    const tables = [...pinTables(diagnosis.pins), ...growthTables(diagnosis.growth)];
    expect(problemsOf([...sentencesOf(diagnosis), ...wordsOf(tables), ...proseCells(tables)])).toEqual([]);
  });

  it.each(snapshots)('of what would have helped a snapshot %s is known', (_name, snapshot) => {
    const input = snapshotInput(snapshot);
    const changes = [...defaultChanges(input.conf), ...input.codeChanges];
    for (const capacity of [undefined, 600 * MIB]) {
      const question = { capacity, search: false };
      const rows = [baselineOf(input), ...changes].map((change) => {
        const trace = input.traces[change.trace];
        return trace === undefined ? undefined : runChange(trace, change, question);
      });
      const tables = whatIfTables(whatIf(input, changes, [...rows.slice(0, -1), undefined], question));
      const settings = changes.map(({ setting }) => setting).filter((setting) => setting.includes(' '));
      expect(problemsOf([...wordsOf(tables), ...proseCells(tables), ...settings])).toEqual([]);
    }
  });

  it('of compared snapshots is known', () => {
    const tables = comparisonTables(compareSnapshots(snapshots.map(([, snapshot]) => snapshot)));
    expect(problemsOf([...wordsOf(tables), ...proseCells(tables)])).toEqual([]);
  });

  it('stands in the file for sharing, which says that it is Chinese', () => {
    const diagnosis = explainSnapshot(sample);
    const inputs = [{ name: 'oom.pickle', diagnosis, tables: pinTables(diagnosis.pins) }];
    const words = (sentence: string) => read(sentence)?.text ?? sentence;
    const page = diagnosesToHtml(inputs, [], { tag: 'zh-Hans', words });
    expect(page).toContain('<html lang="zh-Hans">');
    const shown = page.replace(/<style>.*?<\/style>|<[^>]*>/gs, '\n');
    expect(shown.split('\n').filter((line) => ENGLISH.test(line.replace(QUOTED, '')))).toEqual([]);
    expect(diagnosesToHtml(inputs)).toContain('<html lang="en">');
  });
});
