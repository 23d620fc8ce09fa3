/** Programs for property tests: makes, frees, streams, flushes and markers, none of which is against the rules. */
import fc from 'fast-check';
import { TraceBuilder } from '../../trace/trace-builder.js';
import { type Trace } from '../../trace/trace.js';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

const step = fc.record({
  what: fc.nat(99),
  size: fc.oneof(
    fc.integer({ min: 0, max: 4 * KIB }),
    fc.integer({ min: 1, max: 24 * MIB }),
    fc.constantFrom(512, MIB, MIB + 1, 2 * MIB, 10 * MIB, 20 * MIB),
  ),
  pick: fc.nat(1e6),
  stream: fc.nat(2),
});

/** Up to `longest` operations, on up to three streams where `streams` says so. */
export const randomPrograms = (longest: number, streams: boolean): fc.Arbitrary<Trace> =>
  fc.array(step, { minLength: 1, maxLength: longest, size: 'max' }).map((steps) => {
    const builder = new TraceBuilder('random');
    const live: number[] = [];
    let id = 0;
    for (const { what, size, pick, stream } of steps) {
      if (what < 50 || live.length === 0) {
        builder.allocate(++id, size, streams ? stream : 0, pick % 7, `tensor ${pick % 5}`);
        live.push(id);
      } else if (what < 88) builder.free(live.splice(pick % live.length, 1)[0] ?? 0);
      else if (what < 92 && streams) builder.recordStream(live[pick % live.length] ?? 0, stream);
      else if (what < 95) builder.synchronize();
      else if (what < 97) builder.emptyCache();
      else builder.mark(`step ${pick % 50}`);
    }
    return builder.finish();
  });
