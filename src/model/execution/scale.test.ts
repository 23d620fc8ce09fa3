import { describe, expect, it } from 'vitest';
import { MiB } from '../../base/units.js';
import { TraceBuilder } from '../trace/trace-builder.js';
import { constantsAt, scaleFor, scaleText, scaleTrace } from './scale.js';

function tensors(...sizes: number[]) {
  const builder = new TraceBuilder('test');
  sizes.forEach((size, id) => builder.allocate(id, size));
  builder.free(0);
  return builder.finish();
}

describe('scaleFor', () => {
  it('changes nothing where the budget is enough', () => {
    expect(scaleFor(MiB(100), MiB(100))).toBe(1);
  });
  it('takes the smallest power of two that brings the case under the budget', () => {
    expect(scaleFor(MiB(100) + 1, MiB(100))).toBe(2);
    expect(scaleFor(MiB(800), MiB(100))).toBe(8);
    expect(scaleFor(MiB(800) + 1, MiB(100))).toBe(16);
  });
  it('refuses a scale at which a small segment would be no multiple of 256 bytes', () => {
    expect(scaleFor(8192, 1)).toBe(8192);
    expect(() => scaleFor(8193, 1)).toThrow(/budget: 1 B is too little/);
  });
});

describe('scaleTrace', () => {
  it('rounds sizes up to 256 bytes after the division, and keeps frees and empty tensors', () => {
    const { trace, capacity } = scaleTrace(tensors(0, 1, 512, 513, MiB(4)), MiB(8), MiB(4));
    expect([...trace.size]).toEqual([0, 256, 256, 512, MiB(2), 0]);
    expect(capacity).toBe(MiB(4));
  });
  it('leaves sizes as they are at scale 1', () => {
    expect([...scaleTrace(tensors(3, 5), MiB(1), MiB(1)).trace.size]).toEqual([3, 5, 0]);
  });
});

describe('constantsAt', () => {
  it("is PyTorch's at scale 1", () => {
    expect(constantsAt(1)).toMatchObject({
      minBlock: 512,
      smallSize: MiB(1),
      smallSegment: MiB(2),
      largeSegment: MiB(20),
    });
  });
  it('clamps the smallest block at 256 bytes', () => {
    expect(constantsAt(2).minBlock).toBe(256);
    expect(constantsAt(64)).toMatchObject({ minBlock: 256, smallSize: 16_384, smallSegment: 32_768 });
  });
  it('says what became of them', () => {
    expect(scaleText(scaleTrace(tensors(1), MiB(640), MiB(10)))).toMatch(
      /divided by 64 .* 256 B, 16 KiB, 32 KiB, 320 KiB/,
    );
  });
});
