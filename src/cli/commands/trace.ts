/** `vramlab trace`: writes the trace of a workload, or lists the workloads with their parameters. */
import { gzipSync } from 'node:zlib';
import { type Command } from 'commander';
import { badInput } from '../../base/errors.js';
import { findWorkload, WORKLOADS } from '../../model/workload/catalogue.js';
import { describeWorkload } from '../../model/workload/describe.js';
import { writeTraceFile } from '../../model/workload/trace-text.js';
import { checkWritable, writeAtomically } from '../files.js';
import { say, writeResult } from '../output.js';

interface TraceOptions {
  readonly set: readonly string[];
  readonly out?: string;
  readonly list?: true;
}

/** Adds `trace` to the program. */
export function registerTrace(program: Command): void {
  program
    .command('trace')
    .description('write the operations of a workload as a trace file')
    .argument('[workload]', 'name of a workload; --list shows them')
    .option('--set <key=value>', 'a parameter; may be given several times', collect, [])
    .option('--out <file>', 'trace file to write (gzip when it ends in .gz); stdout unless given')
    .option('--list', 'the workloads and their parameters (of one workload, when it is named)')
    .action(async (name: string | undefined, options: TraceOptions) => {
      if (options.list === true) {
        const shown = name === undefined ? WORKLOADS : [findWorkload(name)];
        await writeResult(shown.map(describeWorkload).join('\n\n'));
        return;
      }
      if (name === undefined) {
        const known = WORKLOADS.map((workload) => workload.id).join(', ');
        throw badInput('workload', `trace: no workload was named; the known ones: ${known}`);
      }
      await writeTrace(name, options);
    });
}

async function writeTrace(name: string, options: TraceOptions): Promise<void> {
  const workload = findWorkload(name);
  const given = readSettings(options.set);
  const out = options.out ?? '-';
  workload.resolve(given);
  checkWritable(out, '--out');
  const pieces: string[] = [];
  writeTraceFile(workload, given, (text) => pieces.push(text));
  const whole = pieces.join('');
  if (out === '-') return writeResult(whole);
  await writeAtomically(out, out.endsWith('.gz') ? gzipSync(whole) : whole);
  say(`wrote ${out}`);
}

const collect = (value: string, previous: readonly string[]): string[] => [...previous, value];

/** `key=value` pairs. Throws `AppError` (`bad-input`) for one without a key, or a key given twice. */
function readSettings(pairs: readonly string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw badInput('--set', `--set: "${pair}" is not key=value; write for example --set steps=8`);
    const key = pair.slice(0, at).trim();
    if (Object.hasOwn(settings, key)) throw badInput('--set', `--set: ${key} is given twice; give it once`);
    settings[key] = pair.slice(at + 1).trim();
  }
  return settings;
}
