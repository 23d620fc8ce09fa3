/** `vramlab explain`: out-of-memory texts, memory summaries and snapshots to verdicts. */
import type { Command } from 'commander';
import { compareSnapshots } from '../../model/diagnose/compare/compare-snapshots.js';
import { explainSnapshot } from '../../model/diagnose/snapshot/explain-snapshot.js';
import { readExplainable } from '../../model/diagnose/explain-bytes.js';
import { explainText } from '../../model/diagnose/texts/explain-text.js';
import { comparisonTables, growthTables, pinTables, tableText } from '../../model/diagnose/tables.js';
import { diagnosesToHtml, type ReportInput } from '../../model/diagnose/to-html.js';
import { diagnosisToText } from '../../model/diagnose/to-text.js';
import { type RecordedSnapshot } from '../../model/snapshot/recorded-snapshot.js';
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
      'one vramlab-diagnosis; for several files an array of them, with a comparison of the snapshots last',
    )
    .option('--html <file>', 'one self-contained report; - for stdout')
    .action(explain);
}

async function explain(files: readonly string[], options: ExplainOptions): Promise<void> {
  checkWritable(options.html ?? '-', '--html');
  const inputs: Explained[] = [];
  for (const file of files) inputs.push(explainBytes(await readUnpacked(file), file === '-' ? 'stdin' : file));
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

interface Explained extends ReportInput {
  readonly snapshot: RecordedSnapshot | undefined;
}

function explainBytes(data: Uint8Array, name: string): Explained {
  const read = readExplainable(data, name);
  if (read.kind === 'text') return { name, snapshot: undefined, diagnosis: explainText(read.text), tables: [] };
  if (read.kind === 'diagnosis') return { name, snapshot: undefined, diagnosis: read.diagnosis, tables: [] };
  const { snapshot } = read;
  const diagnosis = explainSnapshot(snapshot);
  return { name, snapshot, diagnosis, tables: [...pinTables(diagnosis.pins), ...growthTables(diagnosis.growth)] };
}
