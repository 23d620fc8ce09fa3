import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORY, OPERATION, type Trace } from './trace.js';
import { TraceBuilder } from './trace-builder.js';
import { parseTrace, TraceReader } from './trace-reader.js';
import { writeTrace } from './trace-writer.js';

const HEAD = '"schema":"vramlab-trace","version":1,"name":"t"';
const file = (ops: string): string => `{${HEAD},"ops":[${ops}],"meta":{}}`;
const textOf = (trace: Trace): string => [...writeTrace(trace)].join('');

/** Any program: allocations of any size, frees of what is alive, the other operations in between. */
const programs = fc.array(
  fc.record({ what: fc.nat(9), size: fc.nat(2 ** 31), stream: fc.nat(3), pick: fc.nat(), text: fc.string() }),
  { maxLength: 60 },
);
type Step = typeof programs extends fc.Arbitrary<(infer S)[]> ? S : never;

function traceOf(steps: readonly Step[]): Trace {
  const builder = new TraceBuilder('t');
  let next = 1;
  for (const { what, size, stream, pick, text } of steps) {
    const live = builder.liveIds();
    const id = live[pick % Math.max(1, live.length)];
    if (what < 4) builder.allocate(next++, size, stream);
    else if (what === 4) builder.allocate(next++, size, stream, CATEGORY.activation, text);
    else if (what === 5 && id !== undefined) builder.free(id);
    else if (what === 6 && id !== undefined) builder.recordStream(id, stream);
    else if (what === 7) builder.mark(text);
    else if (what === 8) builder.synchronize(stream === 0 ? -1 : stream);
    else builder.emptyCache();
  }
  return builder.finish({ made: 'by a test' });
}

describe('a trace file', () => {
  it('reads back as it was written, however it is cut into chunks', () => {
    fc.assert(
      fc.property(programs, fc.integer({ min: 1, max: 50 }), (steps, chunk) => {
        const trace = traceOf(steps);
        const bytes = new TextEncoder().encode(textOf(trace));
        const parts: Trace[] = [];
        const reader = new TraceReader('t', { part: (part) => parts.push(part) });
        for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
        reader.end();
        const [read] = parts;
        expect(parts.length).toBe(trace.length === 0 ? 0 : 1);
        if (read !== undefined) expect({ ...read, meta: reader.header.meta }).toEqual(trace);
      }),
    );
  });

  it('may have space anywhere and its members in any order', () => {
    const { trace, header } = parseTrace(
      ` {\n "ops" : [ [ "a" , 1 , 5e2 ] ,\n ["f",1] ] , "extra": {"a":["]","\\""]}, ${HEAD}, "meta":{"capacity":64} } \n`,
    );
    expect([...trace.size]).toEqual([500, 0]);
    expect([header.name, header.capacity, header.format]).toEqual(['t', 64, 'vramlab-trace']);
  });

  it('tells PyTorch’s and BFC’s golden dialects apart by what is in them', () => {
    const torch = parseTrace('{"pytorch":"2.14-dev","config":"x","capacity":1,"fraction":0.5,"ops":[["s"],["F",0.5]]}');
    expect(torch.header).toMatchObject({ format: 'pytorch-golden', conf: 'x', torch: '2.14', fraction: 0.5 });
    expect([...torch.trace.kind]).toEqual([OPERATION.snapshot, OPERATION.setMemoryFraction]);
    const bfc = parseTrace('{"config":{"memory_limit":9},"ops":["a 1 512 A=256 U","s 4","c"],"off":[0,null,null]}');
    expect(bfc.header).toMatchObject({ format: 'bfc-golden', bfc: { memory_limit: 9 } });
    expect([...bfc.trace.kind]).toEqual([OPERATION.allocate, OPERATION.setSafeFrontier, OPERATION.clearStats]);
    expect(bfc.trace.placement?.alignment[0]).toBe(256);
  });

  it('may name its operations by a generator', () => {
    const generator = '{"algorithm":"mulberry32-churn","seed":7,"ops":1000,"max_live":3}';
    const { trace } = parseTrace(`{"pytorch":"2.6.0","config":"","capacity":1,"generator":${generator}}`);
    expect(trace.length).toBe(1000);
  });

  it.each([
    ['an unknown id', file('["a",1,5,0],["f",2]'), 't: operation 1: tensor 2 is freed, but it was never allocated'],
    [
      'a double free',
      file('["a",1,5,0],["f",1],["f",1]'),
      't: operation 2: tensor 1 is freed, but it was freed before',
    ],
    ['a negative size', file('["a",1,-5,0]'), 't: operation 0: size -5 of tensor 1 is not a whole number'],
    ['NaN', file('["a",1,NaN,0]'), 't: operation 0: ["a",1,NaN,0] is not valid JSON'],
    ['a size over 2^53', file('["a",1,9007199254740993,0]'), 't: operation 0: size 9007199254740992 of tensor 1'],
    ['an endless size', file('["a",1,1e999,0]'), 't: operation 0: size Infinity of tensor 1'],
    ['a size in quotes', file('["a",1,"5",0]'), 't: operation 0: ["a",1,"5",0]: argument 2 is not a number'],
    ['an unknown operation', file('["x",1]'), 't: operation 0: ["x",1] is no operation'],
    ['too few arguments', file('["a",1]'), 't: operation 0: ["a",1] has 1 arguments'],
    ['an unknown category', file('["a",1,5,0,"tensor"]'), '"tensor" is no category'],
    ['no array', file('5'), 't: operation 0: 5 is no operation'],
    ['a missing comma', file('["e"]["e"]'), 't: operation 1: not valid JSON at byte'],
    ['a missing value', file('["e"],'), 't: operation 1: not valid JSON at byte'],
    [
      'a cut file',
      file('["a",1,5,0],["a",2,5,0]').slice(0, 75),
      't: operation 1: the file ends in the middle, at byte 75',
    ],
    ['an empty file', '', 't: the file is empty'],
    ['a picture', '\u0089PNG\r\n', 't: not a trace file: it starts with the bytes'],
    ['zeros', '\0'.repeat(1000), 't: not a trace file: it starts with the bytes 00 00 00 00 00 00 00 00, not with'],
    ['nothing but space', ' \r\n\t', 't: not a trace file: it is all space'],
    ['words', 'hello world', 't: not a trace file: it starts with "hello wo", not with a JSON object'],
    ['a file after the end', `${file('["e"]')}{}`, 'something follows the end of the object'],
    ['no operations', `{${HEAD}}`, 't: not a trace file: there are no "ops"'],
    ['operations that are no array', `{${HEAD},"ops":5}`, 't: "ops" is not an array of operations'],
    ['no schema', '{"ops":[["e"]]}', 't: the file has no "schema"'],
    ['another schema', '{"schema":"vramlab-report","version":1,"ops":[]}', 'this is a "vramlab-report" file'],
    [
      'a newer version',
      '{"schema":"vramlab-trace","version":2,"ops":[["new"]]}',
      'version 2 is newer than this program reads',
    ],
    ['no version', '{"schema":"vramlab-trace","ops":[]}', 'version is missing'],
    ['a negative capacity', '{"pytorch":"2.6.0","capacity":-1,"ops":[]}', '"capacity" is not a number from 0'],
    ['an unknown generator', '{"pytorch":"2.6.0","generator":{"algorithm":"x"}}', 'generator "x" is not known'],
    ['a BFC operation with an unknown word', '{"config":{},"ops":["a 1 5 Z"]}', 'operation 0: "a 1 5 Z" is no BFC'],
  ])('with %s is refused in one line', (_, text, message) => {
    expect(() => parseTrace(text, 't')).toThrow(message);
  });
});
