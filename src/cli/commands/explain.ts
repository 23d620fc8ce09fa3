/** `vramlab explain`: out-of-memory texts, memory summaries and snapshots to verdicts. */
import { gunzipSync } from 'node:zlib';
import type { Command } from 'commander';
import { badInput, messageOf } from '../../base/errors.js';
import type { Diagnosis } from '../../model/diagnose/diagnosis.js';
import { explainSnapshot } from '../../model/diagnose/snapshot/explain-snapshot.js';
import { explainText, isKnownText } from '../../model/diagnose/texts/explain-text.js';
import { diagnosesToHtml } from '../../model/diagnose/to-html.js';
import { diagnosisToText } from '../../model/diagnose/to-text.js';
import { looksLikePickle, readSnapshot } from '../../model/snapshot/read-snapshot.js';
import { checkWritable, readInput, writeAtomically } from '../files.js';
import { writeResult } from '../output.js';

interface ExplainOptions {
  readonly json?: boolean;
  readonly html?: string;
}

/** Adds `explain` to the program. */
export function registerExplain(program: Command): void {
  program
    .command('explain')
    .description('explain an out-of-memory text, a memory_summary() table or a memory snapshot')
    .argument('<files...>', 'texts or snapshots; - for stdin')
    .option('--json', 'one vramlab-diagnosis; an array of them for several files')
    .option('--html <file>', 'one self-contained report; - for stdout')
    .action(explain);
}

async function explain(files: readonly string[], options: ExplainOptions): Promise<void> {
  checkWritable(options.html ?? '-', '--html');
  const inputs: { name: string; diagnosis: Diagnosis }[] = [];
  for (const file of files) {
    const name = file === '-' ? 'stdin' : file;
    inputs.push({ name, diagnosis: explainBytes(unpacked(await readInput(file), name), name) });
  }
  const html = options.html;
  if (html !== undefined) {
    const page = diagnosesToHtml(inputs);
    if (html === '-') {
      await writeResult(page);
      return;
    }
    await writeAtomically(html, page);
  }
  const diagnoses = inputs.map(({ diagnosis }) => diagnosis);
  if (options.json === true) {
    await writeResult(JSON.stringify(diagnoses.length === 1 ? diagnoses[0] : diagnoses, undefined, 2));
    return;
  }
  const single = inputs.length === 1;
  await writeResult(
    inputs.map(({ name, diagnosis }) => `${single ? '' : `${name}\n`}${diagnosisToText(diagnosis)}`).join('\n\n'),
  );
}

/** Snapshots and logs are often kept as gzip. */
function unpacked(data: Uint8Array, name: string): Uint8Array {
  if (data[0] !== 0x1f || data[1] !== 0x8b) return data;
  try {
    return gunzipSync(data);
  } catch (error) {
    throw badInput(name, `${name}: damaged gzip file (${messageOf(error)}); pack it again or give it unpacked`);
  }
}

/** Words without which a text has nothing to do with memory. */
const ABOUT_MEMORY = /out of memory|\boom\b|alloc|memory/i;

function explainBytes(data: Uint8Array, name: string): Diagnosis {
  if (looksLikePickle(data)) return explainSnapshot(readSnapshot(data, name));
  const text = new TextDecoder().decode(data);
  if (!isKnownText(text) && (text.includes('\0') || !ABOUT_MEMORY.test(text))) throw nothingToExplain(data, name);
  return explainText(text);
}

function nothingToExplain(data: Uint8Array, name: string): Error {
  const what = data.length === 0 ? 'the file is empty' : 'no pickle, and no out-of-memory text in it';
  return badInput(
    name,
    `${name}: not a snapshot: ${what}; expected a file written by torch.cuda.memory._dump_snapshot(), a text with an out-of-memory ` +
      'message, or a torch.cuda.memory_summary() table',
  );
}
