import { describe, expect, it } from 'vitest';
import { CATEGORY, idOf, markersOf, OPERATION, tensorCount } from './trace.js';
import { TraceBuilder } from './trace-builder.js';

const build = (steps: (builder: TraceBuilder) => void) => {
  const builder = new TraceBuilder('t');
  steps(builder);
  return builder;
};

describe('TraceBuilder', () => {
  it('numbers tensors densely in order of allocation and keeps the program’s ids', () => {
    const trace = build((b) => {
      b.allocate(70, 512);
      b.allocate(7_000_000_000, 0, 3);
      b.free(70);
      b.allocate(70, 2 ** 53 - 1);
    }).finish();
    expect([...trace.kind]).toEqual([OPERATION.allocate, OPERATION.allocate, OPERATION.free, OPERATION.allocate]);
    expect([...trace.tensor]).toEqual([0, 1, 0, 2]);
    expect([...trace.size]).toEqual([512, 0, 0, 2 ** 53 - 1]);
    expect([...trace.stream]).toEqual([0, 3, 0, 0]);
    expect([0, 1, 2].map((tensor) => idOf(trace, tensor))).toEqual([70, 7_000_000_000, 70]);
    expect(tensorCount(trace)).toBe(3);
  });

  it('leaves out columns that nothing is known for', () => {
    const plain = build((b) => b.allocate(1, 1)).finish();
    expect([plain.category, plain.text, plain.placement]).toEqual([undefined, undefined, undefined]);
    const rich = build((b) => {
      b.mark('step 1');
      b.allocate(1, 1, 0, CATEGORY.gradient);
      b.allocatePlaced(2, 1, { alignment: 4096, upperEnd: true });
      b.allocate(3, 1, 0, CATEGORY.unknown, 'hidden states');
      b.free(2);
    }).finish();
    expect([...(rich.category ?? [])]).toEqual([0, CATEGORY.gradient, 0, 0, 0]);
    expect([...(rich.text ?? [])]).toEqual([0, -1, -1, 1, -1]);
    expect([...(rich.placement?.alignment ?? [])]).toEqual([0, 0, 4096, 0, 0]);
    expect([...(rich.placement?.upperEnd ?? [])]).toEqual([0, 0, 1, 0, 0]);
    expect(markersOf(rich)).toEqual([{ operation: 0, label: 'step 1' }]);
  });

  it('gives a long trace in parts that go on where the last ended', () => {
    const builder = build((b) => {
      b.mark('start');
      b.allocate(1, 100);
    });
    const first = builder.drain();
    builder.allocate(2, 200);
    builder.mark('end');
    builder.free(1);
    const second = builder.drain();
    expect([first.length, first.firstTensor, second.length, second.firstTensor]).toEqual([2, 0, 3, 1]);
    expect([...second.tensor]).toEqual([1, -1, 0]);
    expect(idOf(second, 1)).toBe(2);
    expect(markersOf(second)).toEqual([{ operation: 1, label: 'end' }]);
    expect(() => builder.free(1)).toThrow('t: operation 5: tensor 1 is freed, but it was freed before');
  });

  it.each([
    ['an id that was never allocated', (b: TraceBuilder) => b.free(8), 'tensor 8 is freed, but it was never allocated'],
    ['an id that is far from all others', (b: TraceBuilder) => b.free(2 ** 40), 'it is not alive'],
    ['an id used on a stream when dead', (b: TraceBuilder) => b.recordStream(8, 1), 'is used on a stream, but'],
    ['an id that is alive', (b: TraceBuilder) => b.allocate(1, 1), 'tensor 1 is allocated a second time'],
    ['a negative id', (b: TraceBuilder) => b.allocate(-1, 1), 'id -1 is not'],
    ['a negative size', (b: TraceBuilder) => b.allocate(2, -1), 'size -1 of tensor 2 is not'],
    ['a size that is no number', (b: TraceBuilder) => b.allocate(2, NaN), 'size NaN of tensor 2 is not'],
    ['a size over 2^53', (b: TraceBuilder) => b.allocate(2, 2 ** 53), 'is not a whole number of bytes'],
    ['half a byte', (b: TraceBuilder) => b.allocate(2, 0.5), 'size 0.5 of tensor 2'],
    ['a negative stream', (b: TraceBuilder) => b.allocate(2, 1, -1), 'stream -1 is not'],
    ['an endless fraction', (b: TraceBuilder) => b.control(OPERATION.setMemoryFraction, Infinity), 'not finite'],
  ])('refuses %s, with its place', (_, wrong, message) => {
    const builder = build((b) => b.allocate(1, 1));
    expect(() => wrong(builder)).toThrow(message);
    expect(() => wrong(builder)).toThrow('t: operation 1: ');
  });
});
