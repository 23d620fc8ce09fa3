/** `vramlab explain`: out-of-memory texts, memory summaries and snapshots to verdicts. */
import type { Command } from 'commander';
import { compareSnapshots } from '../../model/diagnose/compare/compare-snapshots.js';
import { readExplainable } from '../../model/diagnose/explain-bytes.js';
import { type ExplainedFile, explainFiles, type NamedFile } from '../../model/diagnose/join/explain-files.js';
import { comparisonTables, growthTables, pinTables, type ReportTable, tableText } from '../../model/diagnose/tables.js';
import { diagnosesToHtml } from '../../model/diagnose/to-html.js';
import { diagnosisToText } from '../../model/diagnose/to-text.js';
import { checkWritable, readUnpacked, writeAtomically } from '../files.js';
import { writeResult } from '../output.js';

interface ExplainOptions {
  readonly json?: boolean;
  readonly html?: string;
}

/** Adds `explain` to the program. */
export function registerExplain(program: Command): void {
  program
    .command('explain')
    .description(
      'explain an out-of-memory text, a memory_summary() table or a memory snapshot; compare several snapshots',
    )
    .argument('<files...>', 'texts or snapshots; - for stdin')
    .option(
      '--json',
      'one vramlab-diagnosis; for several files an array of them (a message and its summary give one), with a comparison of the snapshots last',
    )
    .option('--html <file>', 'one self-contained report; - for stdout')
    .action(explain);
}

async function explain(files: readonly string[], options: ExplainOptions): Promise<void> {
  checkWritable(options.html ?? '-', '--html');
  const read: NamedFile[] = [];
  for (const file of files) {
    const name = file === '-' ? 'stdin' : file;
    read.push({ name, read: readExplainable(await readUnpacked(file), name) });
  }
  const inputs = explainFiles(read).map((input) => ({ ...input, tables: tablesOf(input) }));
  const snapshots = inputs.flatMap(({ snapshot }) => (snapshot === undefined ? [] : [snapshot]));
  const comparison = snapshots.length > 1 ? compareSnapshots(snapshots) : undefined;
  const tables = comparison === undefined ? [] : comparisonTables(comparison);
  if (options.html !== undefined) {
    const page = diagnosesToHtml(inputs, tables);
    if (options.html === '-') {
      await writeResult(page);
      return;
    }
    await writeAtomically(options.html, page);
  }
  if (options.json === true) {
    const all = [...inputs.map(({ diagnosis }) => diagnosis), ...(comparison === undefined ? [] : [comparison])];
    await writeResult(JSON.stringify(all.length === 1 ? all[0] : all, undefined, 2));
    return;
  }
  const single = inputs.length === 1;
  const texts = inputs.map((input) =>
    [...(single ? [] : [input.name]), diagnosisToText(input.diagnosis), ...input.tables.flatMap(tableText)].join('\n'),
  );
  await writeResult(
    [...texts, ...(tables.length === 0 ? [] : [tables.flatMap(tableText).join('\n').trimStart()])].join('\n\n'),
  );
}

const tablesOf = (input: ExplainedFile): readonly ReportTable[] =>
  input.snapshot === undefined ? [] : [...pinTables(input.diagnosis.pins), ...growthTables(input.diagnosis.growth)];
