/** `vramlab whatif`: the recorded program under other settings, allocators and capacities. */
import { type Command, Option } from 'commander';
import { badInput } from '../../base/errors.js';
import { parseSize } from '../../base/sizes.js';
import { ALLOCATORS } from '../../model/allocator/registry.js';
import { type Change, defaultChanges, isSearchWorth, settingChange } from '../../model/diagnose/whatif/changes.js';
import { type Question, runChange, type WhatIfRow } from '../../model/diagnose/whatif/run-change.js';
import { snapshotInput, traceInput, type WhatIfInput } from '../../model/diagnose/whatif/whatif-input.js';
import { baselineOf, whatIf, whatIfText } from '../../model/diagnose/whatif/whatif-report.js';
import { looksLikePickle, readSnapshot } from '../../model/snapshot/read-snapshot.js';
import { type Trace } from '../../model/trace/trace.js';
import { EXIT } from '../exit-codes.js';
import { readUnpacked } from '../files.js';
import { say, writeResult } from '../output.js';
import { wholeTrace } from '../replay-setup.js';
import { watchStopSignals } from '../stop-signals.js';
import { openTraceFile } from '../trace-file.js';
import { runSweep } from '../whatif/run-sweep.js';

interface WhatIfOptions {
  readonly conf: readonly string[];
  readonly allocator: readonly string[];
  readonly capacity?: number;
  readonly smallest?: boolean;
  readonly json?: boolean;
}

/** Between two lines of progress where there is no terminal. */
const PROGRESS_MS = 2000;

/** Adds `whatif` to the program. */
export function registerWhatIf(program: Command): void {
  program
    .command('whatif')
    .description('replay a snapshot or trace under other settings, allocators and capacities')
    .argument('<file>', 'a memory snapshot with a trace, or a trace file; plain or gzip')
    .option(
      '--conf <string>',
      'PYTORCH_CUDA_ALLOC_CONF to try, or key=value,... for the named allocators; may be given several times',
      collect,
      [],
    )
    .addOption(
      new Option('--allocator <name>', 'another allocator to try; may be given several times')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--capacity <size>', 'memory of the device', (text) => parseSize(text, '--capacity'))
    .option('--smallest', 'look for the smallest capacity that is enough, however long the trace is')
    .option('--json', 'one vramlab-whatif')
    .action(run);
}

const collect = (value: string, previous: readonly string[]): string[] => [...previous, value];

async function run(path: string, options: WhatIfOptions): Promise<void> {
  for (const name of options.allocator) {
    if (ALLOCATORS.some((entry) => entry.name === name)) continue;
    const known = ALLOCATORS.map((entry) => entry.name).join(', ');
    throw badInput('--allocator', `--allocator: "${name}" is not known; one of ${known}`);
  }
  const input = await readWhatIf(path);
  const changes = changesOf(input, options);
  const asked = [baselineOf(input), ...changes];
  const [program] = input.traces;
  const question = {
    capacity: options.capacity ?? input.capacity,
    search: options.smallest === true || (program !== undefined && isSearchWorth(program, asked.length)),
  };
  const swept = await stoppable((signal) =>
    runSweep(input.traces, asked, question, { signal, onProgress: showProgress(asked.length) }),
  );
  const rows = program === undefined ? swept : withBaseline(swept, program, baselineOf(input), question);
  refuseUnusable(rows.slice(1), options);
  const isComplete = rows.every((row) => row !== undefined);
  if (!isComplete) process.exitCode = EXIT.interrupted;
  if (rows[0] === undefined) {
    say('stopped before the baseline was there: nothing to show');
    return;
  }
  const answer = whatIf(input, changes, rows, question);
  await writeResult(options.json === true ? JSON.stringify(answer, undefined, 2) : whatIfText(answer));
}

/** Rows that were answered before the baseline are not lost when a sweep is stopped: one replay without a search gives it. */
function withBaseline(
  rows: readonly (WhatIfRow | undefined)[],
  program: Trace,
  baseline: Change,
  question: Question,
): readonly (WhatIfRow | undefined)[] {
  if (rows[0] !== undefined || rows.every((row) => row === undefined)) return rows;
  return [runChange(program, baseline, { ...question, search: false }), ...rows.slice(1)];
}

/** Ctrl-C ends the work and keeps what is there; the process then leaves by itself. */
async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { stopped, release } = watchStopSignals();
  const stop = new AbortController();
  void stopped.then(() => {
    stop.abort();
  });
  try {
    return await work(stop.signal);
  } finally {
    release();
  }
}

/** A counter that overwrites itself on a terminal, and a line every few seconds elsewhere. */
function showProgress(total: number): (done: number) => void {
  let shown = performance.now();
  return (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total}${done === total ? '\n' : ''}`);
    else if (performance.now() - shown > PROGRESS_MS) {
      shown = performance.now();
      say(`${done} of ${total} what-ifs`);
    }
  };
}

/** What was named, or the default list; growing tensors are asked about in both. */
function changesOf(input: WhatIfInput, { conf, allocator }: WhatIfOptions): readonly Change[] {
  // `key=value` settings are those of the other allocators, PyTorch's have a colon.
  const own = conf.filter((text) => text.includes('=') && !text.includes(':'));
  if (own.length > 0 && allocator.length === 0) {
    throw badInput('--conf', `--conf "${own[0] ?? ''}": key=value settings are for --allocator; name one`);
  }
  const named = [
    ...conf.filter((text) => !own.includes(text)).map((text) => settingChange(text)),
    ...allocator.flatMap((name) => (own.length === 0 ? [''] : own).map((text) => settingChange(text, name))),
  ];
  return named.length > 0 ? named : [...defaultChanges(input.conf), ...input.codeChanges];
}

/** A setting that was asked for by name and that the allocator does not take is a mistake of the command line. */
function refuseUnusable(rows: readonly (WhatIfRow | undefined)[], { conf }: WhatIfOptions): void {
  const refused = rows.find((row) => row?.outcome === 'refused' && conf.includes(row.setting));
  if (refused !== undefined) throw badInput('--conf', `--conf "${refused.setting}": ${refused.reason ?? 'refused'}`);
}

async function readWhatIf(path: string): Promise<WhatIfInput> {
  const data = await readUnpacked(path);
  if (looksLikePickle(data)) return snapshotInput(readSnapshot(data, path));
  if (!/^\s*\{/.test(new TextDecoder().decode(data.subarray(0, 64)))) {
    const what = data.length === 0 ? 'the file is empty' : 'no pickle and no JSON';
    throw badInput(
      path,
      `${path}: not a snapshot or trace: ${what} at offset 0; expected a file written by ` +
        'torch.cuda.memory._dump_snapshot(), or a vramlab trace (*.trace.json, also gzip)',
    );
  }
  const file = await openTraceFile(path);
  if (file.header.bfc !== undefined)
    say('the trace was made for BFC; its allocations are replayed without their placement');
  const trace = await wholeTrace(file);
  const named = { ...trace, name: file.header.name === '' ? path : file.header.name };
  return traceInput(named, file.header.conf ?? '', file.header.capacity);
}
