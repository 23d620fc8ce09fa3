/**
 * A golden file that names its trace by a generator: the text of the trace, the addresses and the checkpoints on the way
 * by their hashes, the statistics and the calls to the device at the end.
 */
import { type CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { Churn, churnGenerator } from '../trace/churn.js';
import { Replay } from '../trace/replay.js';
import { TraceBuilder } from '../trace/trace-builder.js';
import { OPERATION } from '../trace/trace.js';
import { type NewHash } from './bfc-model.js';
import { compareCalls, compareSegments, compareStats, pytorchModel } from './check-pytorch.js';
import { type PytorchGenerated, readPytorchGenerated } from './pytorch-file.js';
import { type Tally } from './tally.js';

const PART = 50_000;
/** Hexadecimal digits of a hash that a checkpoint keeps. */
const SHORT = 16;

/** Checks one parsed file. Throws `AppError` (`bad-input`) for one that is no such file, or an unknown generator. */
export function checkPytorchGenerated(value: unknown, source: string, newHash: NewHash, tally: Tally): void {
  const file = readPytorchGenerated(value, source);
  const churn = new Churn(churnGenerator(file.generator, source));
  const builder = new TraceBuilder(source);
  const model = pytorchModel(file, false);
  const { allocator } = model;
  const replay = new Replay(allocator, { source });
  const traceHash = newHash();
  const addressHash = newHash();
  let next = 0;
  while (churn.add(builder, PART) > 0) {
    const part = builder.drain();
    const lines: string[] = [];
    let addresses: string[] = [];
    for (let i = 0; i < part.length; i++) {
      const checkpoint = file.checkpoints[next];
      if (checkpoint?.[0] === replay.operations) {
        addressHash.update(addresses.join(''));
        addresses = [];
        tally.equal(atCheckpoint(checkpoint, 'addresses'), addressHash.digest().slice(0, SHORT), checkpoint[4]);
      }
      // The churn numbers its tensors from 1 in the order of their allocation.
      const id = (part.tensor[i] ?? -1) + 1;
      replay.step(part, i);
      if (part.kind[i] === OPERATION.allocate) {
        const { handle } = replay.last;
        lines.push(`a ${id} ${part.size[i] ?? 0} 0\n`);
        addresses.push(`${handle >= 0 ? allocator.addressOf(handle) : -1}\n`);
      } else lines.push(`f ${id}\n`);
      if (checkpoint?.[0] === replay.operations - 1) {
        compareCheckpoint(allocator, checkpoint, tally);
        next++;
      }
    }
    traceHash.update(lines.join(''));
    addressHash.update(addresses.join(''));
  }
  tally.equal(() => 'trace_sha256', traceHash.digest(), file.generator.trace_sha256);
  tally.equal(() => 'address_sha256', addressHash.digest(), file.address_sha256);
  tally.equal(() => 'checkpoints', next, file.checkpoints.length);
  tally.equal(() => 'ooms', replay.result().failures, file.ooms);
  compareStats(allocator.stats(), file.final.stats, false, tally);
  if (file.final.segments !== undefined) compareSegments(() => 'end, segments', allocator, file.final.segments, tally);
  compareCalls(model, file.mock, false, tally);
}

type Checkpoint = PytorchGenerated['checkpoints'][number];

const atCheckpoint = (checkpoint: Checkpoint, what: string) => (): string => `operation ${checkpoint[0]}, ${what}`;

/** A checkpoint has the hash of the addresses before its operation, and the state after it. */
function compareCheckpoint({ totals, statistics }: CachingAllocator, checkpoint: Checkpoint, tally: Tally): void {
  const [, allocated, reserved, ooms] = checkpoint;
  tally.equal(atCheckpoint(checkpoint, 'allocated'), totals.allocated, allocated);
  tally.equal(atCheckpoint(checkpoint, 'reserved'), totals.reserved, reserved);
  tally.equal(atCheckpoint(checkpoint, 'num_ooms'), statistics.numOoms, ooms);
}
