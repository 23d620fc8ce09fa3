import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSnapshot } from './read-snapshot.js';
import { type RecordedSnapshot } from './recorded-snapshot.js';
import { pythonPickle, Tuple } from './testing/python-pickle.js';

/** Frames that entries share, so that some are met for the first time inside a call stack and others are known. */
const SHARED = Array.from({ length: 6 }, (_, i) => ({ name: `f${i}`, filename: 'a.py', line: i * 300 }));

const frame = fc.oneof(
  { weight: 8, arbitrary: fc.nat(SHARED.length - 1).map((i) => SHARED[i]) },
  { weight: 2, arbitrary: fc.record({ name: fc.string(), filename: fc.string(), line: fc.nat(70_000) }) },
  // What no reader of whole stacks expects: another key, another kind of value.
  { weight: 1, arbitrary: fc.record({ name: fc.string(), filename: fc.string(), line: fc.nat(9), extra: fc.nat(9) }) },
);
const entry = fc
  .record(
    {
      action: fc.constantFrom('alloc', 'free_requested', 'segment_alloc', 'annotate'),
      addr: fc.nat(2 ** 31 - 1).map((n) => 2 ** 46 + 512 * n),
      size: fc.nat(2 ** 31 - 1),
      stream: fc.constantFrom(0, 7, 2 ** 40),
      time_us: fc.nat(2 ** 31 - 1),
      frames: fc.oneof(fc.array(frame, { maxLength: 6 }), fc.constant(undefined)),
      compile_context: fc.constantFrom('N/A', '0/1', undefined),
      user_metadata: fc.constantFrom('', 'step 3', undefined),
      pool_id: fc.oneof(
        fc.tuple(fc.nat(300), fc.nat(300)).map((pair) => new Tuple(pair)),
        fc.constant(undefined),
      ),
      unheard_of: fc.oneof(fc.string(), fc.constant({ a: [1] })),
    },
    { requiredKeys: ['action', 'addr', 'size'], noNullPrototype: true },
  )
  .chain((made) =>
    fc.shuffledSubarray(Object.keys(made), { minLength: Object.keys(made).length }).map((keys) => ({ made, keys })),
  )
  .map(({ made, keys }) => Object.fromEntries(keys.map((key) => [key, made[key as keyof typeof made]])));

/** What a person sees of each entry, without the reader's numbers. */
function entriesOf({ traces, strings, stacks, poolPairs }: RecordedSnapshot): unknown {
  const text = (number: number): string | undefined => (number < 0 ? undefined : strings.text(number));
  return traces.map((trace) =>
    Array.from({ length: trace.count }, (_, row) => ({
      action: trace.action[row],
      numbers: [trace.addr[row], trace.size[row], trace.stream[row], trace.time[row]],
      frames: Array.from((trace.stack[row] ?? -1) < 0 ? [] : stacks.framesOf(trace.stack[row] ?? -1), (number) => {
        const { name, file, line } = stacks.frame(number);
        return [strings.text(name), strings.text(file), line];
      }),
      context: text(trace.context[row] ?? -1),
      metadata: text(trace.metadata[row] ?? -1),
      pool:
        (trace.pool[row] ?? -1) < 0
          ? undefined
          : poolPairs.slice(2 * (trace.pool[row] ?? 0), 2 * (trace.pool[row] ?? 0) + 2),
    })),
  );
}

describe('trace entries of any shape', () => {
  it('read the same where a reader of whole records takes them and where opcodes are taken one by one', () => {
    fc.assert(
      fc.property(fc.array(fc.array(entry, { maxLength: 12 }), { maxLength: 3 }), (traces) => {
        const value = { segments: [], device_traces: traces };
        // Protocol 0 builds dictionaries key by key, so no whole record is ever seen.
        const plain = entriesOf(readSnapshot(pythonPickle(value, 0), 'x'));
        for (const protocol of [2, 4, 5]) {
          expect(entriesOf(readSnapshot(pythonPickle(value, protocol), 'x'))).toEqual(plain);
        }
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});
