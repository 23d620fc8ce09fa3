/** A side of the Lab as files: the same that `vramlab replay` writes. */
import { makeAllocator, type ReadyAllocator } from '../allocator/registry.js';
import { snapshotOf } from '../snapshot/model-snapshot.js';
import { type FailureStory, storyOf } from '../trace/failure-story.js';
import { fragmentationOf } from '../trace/fragmentation.js';
import { replayJson } from '../trace/replay-report.js';
import { Replay } from '../trace/replay.js';
import { type Trace } from '../trace/trace.js';
import { type LabSetup } from './lab-program.js';

/** The object behind `vramlab replay --json`: the whole trace, past a failure too. */
export function labReport(trace: Trace, setup: LabSetup): Record<string, unknown> {
  const ready = makeAllocator({ ...setup, trace });
  let story: FailureStory | undefined;
  const replay = new Replay(ready.allocator, {
    source: trace.name,
    refusals: 'record',
    onFailure: (first) => {
      story = storyOf({ ...first, allocator: ready.allocator, allowed: setup.capacity * (setup.fraction ?? 1) });
    },
  });
  replay.run(trace);
  return replayJson({
    name: trace.name,
    setup,
    result: replay.result(),
    end: fragmentationOf(ready.allocator.heap()),
    stats: ready.allocator.stats(),
    story,
  });
}

/** The pickle of the state that the Lab shows last: at the failure, or at the end. */
export function labSnapshot(trace: Trace, setup: LabSetup): Uint8Array {
  const ready: ReadyAllocator = makeAllocator({ ...setup, trace, history: setup.name === 'caching' });
  const replay = new Replay(ready.allocator, { source: trace.name, refusals: 'record' });
  for (let i = 0; i < trace.length && replay.last.failure === undefined; i++) replay.step(trace, i);
  return snapshotOf(ready, setup.conf ?? '');
}
