/** `vramlab replay`: a trace through an allocator. The outcome is the result, so an out of memory is exit 0. */
import { type Command, Option } from 'commander';
import { badInput } from '../../base/errors.js';
import { parseSize } from '../../base/sizes.js';
import { memorySummary } from '../../model/allocator/caching/memory-summary.js';
import { ALLOCATORS, type AllocatorSetup, type ReadyAllocator } from '../../model/allocator/registry.js';
import { eventLines } from '../../model/trace/event-lines.js';
import { fragmentationOf } from '../../model/trace/fragmentation.js';
import { replayJson, replayText } from '../../model/trace/replay-report.js';
import { type FailureStory, storyOf } from '../../model/trace/failure-story.js';
import { type FirstFailure, Replay, type ReplayResult } from '../../model/trace/replay.js';
import { type Trace } from '../../model/trace/trace.js';
import { remediesFor, remediesText, type RemedyRow, tryRemedy } from '../../model/workload/remedies.js';
import { snapshotOf } from '../../model/snapshot/model-snapshot.js';
import { checkDistinct, checkWritable, writeAtomically } from '../files.js';
import { LineWriter } from '../line-writer.js';
import { say, writeResult } from '../output.js';
import { replayAll } from '../replay-all.js';
import { type ReplaySetup, setUpReplay, TORCH_VERSIONS } from '../replay-setup.js';
import { openTraceFile, type TraceFile } from '../trace-file.js';

interface ReplayOptions extends ReplaySetup {
  readonly events?: string;
  readonly summary?: boolean;
  readonly snapshot?: string;
  readonly json?: boolean;
}

/** Adds `replay` to the program. */
export function registerReplay(program: Command): void {
  program
    .command('replay')
    .description('replay a trace on an allocator and tell what came of it')
    .argument('<trace>', 'a trace file (vramlab-trace or golden, plain or gzip)')
    .addOption(
      new Option('--allocator <name>', 'allocator to use; all compares them').choices([
        ...ALLOCATORS.map(({ name }) => name),
        'all',
      ]),
    )
    .option('--conf <string>', 'settings: PYTORCH_CUDA_ALLOC_CONF, or key=value,... for the other allocators')
    .addOption(new Option('--torch <version>', 'PyTorch to follow').choices(TORCH_VERSIONS))
    .option('--capacity <size>', 'memory of the device', (text) => parseSize(text, '--capacity'))
    .option('--fraction <f>', 'share of the device that PyTorch may use, 0 to 1', parseFraction)
    .option('--events <file>', 'state after each operation as JSON lines; - for stdout')
    .option('--summary', "PyTorch's memory_summary() instead of the result in words")
    .option('--snapshot <file>', "the last state and the history as a pickle for PyTorch's tools")
    .option('--json', 'the result as JSON')
    .action(async (path: string, options: ReplayOptions) => {
      checkOutputs(options);
      checkDistinct([
        ['the trace', path],
        ['--events', options.events],
        ['--snapshot', options.snapshot],
      ]);
      const file = await openTraceFile(path);
      await (options.allocator === 'all' ? replayAll(file, options) : run(file, options));
    });
}

function parseFraction(text: string): number {
  const fraction = text.trim() === '' ? NaN : Number(text);
  if (fraction >= 0 && fraction <= 1) return fraction;
  throw badInput('--fraction', `--fraction: "${text}" is not a number from 0 to 1`);
}

function checkOutputs({ events, snapshot, summary = false, json = false }: ReplayOptions): void {
  if (events === '-' && (summary || json)) {
    throw badInput(
      '--events',
      `--events -: ${summary ? '--summary' : '--json'} goes to stdout too; give --events a file`,
    );
  }
  if (snapshot === '-') throw badInput('--snapshot', '--snapshot: a pickle does not go to stdout; name a file');
  if (events !== undefined) checkWritable(events, '--events');
  if (snapshot !== undefined) checkWritable(snapshot, '--snapshot');
}

async function run(file: TraceFile, options: ReplayOptions): Promise<void> {
  const { setup, make } = await setUpReplay(file, { ...options, history: options.snapshot !== undefined });
  const needsPyTorch = options.summary === true ? '--summary' : undefined;
  if (needsPyTorch !== undefined && setup.name !== 'caching') {
    throw badInput(needsPyTorch, `${needsPyTorch}: memory_summary() is PyTorch's; use it with --allocator caching`);
  }
  // Lines on stdout cannot be taken back, so what could still be wrong is found before the first.
  if (options.events === '-') await replayFile(file, make());
  const ready = make();
  let story: FailureStory | undefined;
  const replay = await replayFile(file, ready, options.events, (first) => {
    const allowed = setup.capacity * (setup.fraction ?? 1);
    story = storyOf({ ...first, allocator: ready.allocator, allowed });
  });
  if (options.snapshot !== undefined) await writeAtomically(options.snapshot, snapshotOf(ready, setup.conf ?? ''));
  const facts = {
    name: file.header.name === '' ? file.path : file.header.name,
    setup,
    result: replay.result(),
    end: fragmentationOf(ready.allocator.heap()),
    stats: ready.allocator.stats(),
    story,
  };
  const remedies = await remediesOf(file, setup, facts.result);
  if (options.events === '-') say(`${facts.result.outcome.status}, ${facts.result.operations} operations`);
  else if (options.json === true) {
    const summary = options.summary === true ? { summary: memorySummary(facts.stats) } : {};
    await writeResult(JSON.stringify({ ...replayJson(facts), remedies, ...summary }, undefined, 2));
  } else if (options.summary === true) await writeResult(memorySummary(facts.stats));
  else await writeResult([replayText(facts), ...remediesText(remedies, setup.capacity)].join('\n'));
}

/** Traces up to this length are replayed again with each change that might have made them fit. */
const MOST_FOR_REMEDIES = 400_000;

/** What would have made a failed replay fit; nothing where it completed, or where trying would take long. */
async function remediesOf(file: TraceFile, setup: AllocatorSetup, { outcome }: ReplayResult): Promise<RemedyRow[]> {
  if (outcome.status === 'completed' || file.length > MOST_FOR_REMEDIES) return [];
  const parts: Trace[] = [];
  await file.forEachPart((part) => {
    parts.push(part);
  });
  const { meta } = file.header;
  return remediesFor(setup, parts, meta).map((remedy) => tryRemedy(remedy, setup, parts, meta['workload']));
}

/** Replays the file, and writes its events when there is a place for them. */
async function replayFile(
  file: TraceFile,
  ready: ReadyAllocator,
  events?: string,
  onFailure: (first: FirstFailure) => void = () => undefined,
): Promise<Replay> {
  const replay = new Replay(ready.allocator, { source: file.path, onFailure });
  if (events === undefined) {
    await file.forEachPart((part) => {
      replay.run(part);
    });
    return replay;
  }
  const line = eventLines(ready);
  const writer = await LineWriter.open(events);
  try {
    await file.forEachPart(async (part) => {
      for (let i = 0; i < part.length; i++) {
        replay.step(part, i);
        writer.add(line(replay.operations - 1, part.kind[i] ?? 0, replay.last));
      }
      await writer.drain();
    });
    await writer.finish();
  } finally {
    await writer.discard();
  }
  return replay;
}
