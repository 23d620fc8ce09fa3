/**
 * A snapshot and an error text to try the page with, made here and by nobody's job: the training loop of the Lab's first
 * screen on the exact model. It runs out of memory at a concat, the exception unwinds, and the dump is written after
 * that, as a real one is.
 *
 *     const { snapshot, text } = trainingSample();
 *     explainSnapshot(readSnapshot(snapshot, 'sample'));
 */
import { CachingAllocator } from '../../allocator/caching/caching-allocator.js';
import { writeSnapshot } from '../../snapshot/write-snapshot.js';
import { CATEGORY, OPERATION } from '../../trace/trace.js';
import { lessonLoop } from '../../workload/lesson-loop.js';
import { traceOf } from '../../workload/trace-program.js';
import { sampleStack } from './sample-stacks.js';

export interface TrainingSample {
  /** A pickle as `torch.cuda.memory._dump_snapshot()` writes it. */
  readonly snapshot: Uint8Array;
  /** What PyTorch would have raised. */
  readonly text: string;
}

/** Microseconds between two operations, and when the first one was. */
const STEP_US = 38;
const FIRST_US = 1_700_000_000_000_000;

/** The same bytes each time. */
export function trainingSample(): TrainingSample {
  const trace = traceOf(lessonLoop);
  const allocator = new CachingAllocator({ capacity: lessonLoop.capacity, history: true });
  const { history } = allocator;
  if (history === undefined) throw new Error('the allocator keeps no history');
  /** Name of the tensor and operation behind each entry. */
  const names: string[] = [];
  const operations: number[] = [];
  const live = new Map<number, { readonly handle: number; readonly name: string; readonly unwinds: boolean }>();
  const note = (name: string, operation: number): void => {
    while (names.length < history.length) {
      names.push(name);
      operations.push(operation);
    }
  };
  let text = '';
  for (let i = 0; i < trace.length; i++) {
    const tensor = trace.tensor[i] ?? -1;
    const name = trace.texts[trace.text?.[i] ?? -1] ?? '';
    if (trace.kind[i] === OPERATION.allocate) {
      const handle = allocator.malloc(trace.size[i] ?? 0);
      note(name, i);
      if (handle < 0) {
        text = allocator.lastFailure()?.text ?? '';
        break;
      }
      const category = trace.category?.[i];
      const isLocal = category === CATEGORY.activation || category === CATEGORY.temporary;
      live.set(tensor, { handle, name, unwinds: isLocal && !/^kept|^bank/.test(name) });
    } else if (trace.kind[i] === OPERATION.free) {
      const freed = live.get(tensor);
      if (freed === undefined) continue;
      live.delete(tensor);
      allocator.free(freed.handle);
      note(freed.name, i);
    }
  }
  // The exception leaves the step: what only the step held is freed before anybody can write a dump.
  for (const { handle, name, unwinds } of live.values()) {
    if (!unwinds) continue;
    allocator.free(handle);
    note(name, operations.at(-1) ?? 0);
  }
  const { settings } = allocator;
  const snapshot = writeSnapshot({
    heap: allocator.heap(),
    history,
    settings: { ...settings, conf: '', maxSplitSize: settings.reportedMaxSplitSize },
    circumstances: {
      stackOf: (entry) => sampleStack(names[entry] ?? ''),
      timeOf: (entry) => FIRST_US + STEP_US * (operations[entry] ?? 0),
    },
  });
  return { snapshot, text };
}
