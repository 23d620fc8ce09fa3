/** A diagnosis as a file: one page for sharing, or the data. Made here; nothing is sent. Loaded when one is asked for. */
import { type ExportedFile } from '../exports.js';
import { sumsTables } from './sum-tables.js';
import { comparisonTables, growthTables, pinTables, type ReportTable } from '../../model/diagnose/tables.js';
import { type SnapshotComparison } from '../../model/diagnose/compare/compare-snapshots.js';
import { isSnapshotDiagnosis } from '../../model/diagnose/card/sums.js';
import { diagnosesToHtml } from '../../model/diagnose/to-html.js';
import { type WhatIf, whatIf, whatIfTables } from '../../model/diagnose/whatif/whatif-report.js';
import { languageTag } from '../locale.js';
import { modelWords } from '../model-words.js';
import { type ReadyFile } from './desk-state.js';

/** The name of a file without its endings. */
const stem = (name: string): string => name.replace(/(?:\.(?:pickle|pkl|txt|log|json|gz))+$/i, '') || 'diagnosis';

/** `html` has all tables and, where snapshots were compared, the comparison; `json` is a `vramlab-diagnosis`. */
export function exportDiagnosis(
  file: ReadyFile,
  format: 'html' | 'json',
  comparison: SnapshotComparison | undefined,
): ExportedFile {
  const answer = whatIfOf(file);
  const name = `${stem(file.name)}-diagnosis.${format}`;
  if (format === 'json') {
    const data = answer === undefined ? file.diagnosis : { ...file.diagnosis, whatif: answer };
    return { name, type: 'application/json', text: `${JSON.stringify(data, undefined, 2)}\n` };
  }
  const { diagnosis } = file;
  const tables: readonly ReportTable[] = [
    ...sumsTables(diagnosis),
    ...(isSnapshotDiagnosis(diagnosis) ? [...pinTables(diagnosis.pins), ...growthTables(diagnosis.growth)] : []),
    ...(answer === undefined ? [] : whatIfTables(answer)),
  ];
  const compared = comparison === undefined ? [] : comparisonTables(comparison);
  const text = diagnosesToHtml([{ name: file.name, diagnosis, tables }], compared, {
    tag: languageTag(),
    words: modelWords,
  });
  return { name, type: 'text/html', text };
}

/** The rows as `vramlab whatif` writes them, those without an answer named as missing; undefined before the baseline is in. */
function whatIfOf({ snapshot }: ReadyFile): WhatIf | undefined {
  if (snapshot?.sweep.phase !== 'ready') return undefined;
  const { input, rows, capacity, search } = snapshot.sweep;
  const answers = rows.map(({ state }) => (state.phase === 'done' ? state.row : undefined));
  if (answers[0] === undefined) return undefined;
  const changes = rows.slice(1).map(({ change }) => change);
  return whatIf(input, changes, answers, { capacity, search });
}
