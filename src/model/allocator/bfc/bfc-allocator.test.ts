import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../base/errors.js';
import { type Heap, NULL_BLOCK } from '../allocator.js';
import { BfcAllocator } from './bfc-allocator.js';
import { BumpMemory } from './bump-memory.js';
import { humanReadableBytes } from './human-readable.js';
import { parseBfcConf } from './options.js';
import { backOff } from './regions.js';

const MiB = 2 ** 20;

/** One letter a unit of 256 B: the block's handle as a letter, `.` free. */
const draw = ({ segments }: Heap): string =>
  segments
    .map(({ blocks }) =>
      blocks
        .map(({ size, state, handle }) =>
          (state === 'allocated' ? String.fromCharCode(65 + handle) : '.').repeat(size / 256),
        )
        .join(''),
    )
    .join('|');

describe('BfcAllocator', () => {
  it('takes the smallest chunk that fits, splits it from the front and joins what is freed', () => {
    const bfc = new BfcAllocator({ memoryLimit: 12 * 256 });
    const [a, b, c] = [bfc.malloc(1024), bfc.malloc(256), bfc.malloc(512)];
    expect(draw(bfc.heap())).toBe('AAAABCC.....');
    bfc.free(a);
    expect(draw(bfc.heap())).toBe('....BCC.....');
    const again = bfc.malloc(1000); // 4 units of the hole of 4, not of the 5 behind
    expect(draw(bfc.heap())).toBe('AAAABCC.....');
    bfc.free(c);
    bfc.free(again);
    bfc.free(b);
    expect(draw(bfc.heap())).toBe('............');
  });

  it.each([
    [6, 3],
    [5, 5],
  ])('of a hole of %i units a request of 3 takes %i: a part only from twice the request on', (hole, taken) => {
    const bfc = new BfcAllocator({ memoryLimit: 11 * 256 });
    const first = bfc.malloc(hole * 256);
    bfc.malloc((11 - hole) * 256);
    bfc.free(first);
    expect(bfc.sizeOf(bfc.malloc(3 * 256))).toBe(taken * 256);
  });

  it('answers size 0 with a null pointer that may be freed', () => {
    const bfc = new BfcAllocator({ memoryLimit: MiB });
    expect(bfc.malloc(0)).toBe(NULL_BLOCK);
    expect(bfc.lastFailure()).toBeUndefined();
    bfc.free(NULL_BLOCK);
    expect(bfc.stats()).toMatchObject({ num_allocs: 0, pool_bytes: 0 });
  });

  it('reports a failure in the words of either year, and stops dumping after ten', () => {
    for (const version of ['2025', '2026'] as const) {
      const lines: string[] = [];
      const bfc = new BfcAllocator({
        memoryLimit: MiB,
        version,
        allowRetryOnFailure: false,
        onLog: ([, text]) => lines.push(text),
      });
      for (let i = 0; i < 12; i++) expect(bfc.malloc(2 * MiB)).toBe(-1);
      expect(lines.filter((line) => line.startsWith('BFCAllocator dump'))).toHaveLength(10);
      expect(bfc.lastFailure()?.text).toContain(
        version === '2025' ? 'If the cause is memory fragmentation maybe' : 'If this is caused by memory fragmentation',
      );
      expect(lines[0]).toBe(bfc.lastFailure()?.text);
    }
  });

  it('a failure that the caller tolerates is one line', () => {
    const lines: string[] = [];
    const bfc = new BfcAllocator({ memoryLimit: MiB, onLog: ([, text]) => lines.push(text) });
    expect(bfc.allocate(2 * MiB, { retryOnFailure: false })).toBe(-1);
    expect(lines).toEqual([
      'Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00MiB from the lower end with freed_by_count=0. ' +
        'The caller indicates that this is not a failure, but this may mean that there could be performance gains ' +
        'if more memory were available.',
    ]);
  });

  it('takes limits of terabytes', () => {
    const bfc = new BfcAllocator({ memoryLimit: 8 * 2 ** 40, memory: new BumpMemory(2 ** 44) });
    const handles = [3 * 2 ** 40, 2 ** 40 + 1, 5].map((size) => bfc.malloc(size));
    expect(handles.map((handle) => bfc.addressOf(handle) - 2 ** 40)).toEqual([0, 3 * 2 ** 40, 2 ** 42 + 256]);
  });

  it.each([
    { memoryLimit: -1 },
    { memoryLimit: 0.5 },
    { memoryLimit: NaN },
    { memoryLimit: 2 ** 53 },
    { memoryLimit: MiB, fragmentationFraction: 2 },
    { memoryLimit: MiB, defaultAlignment: 3 },
    { memoryLimit: MiB, spatialPartitioning: true, allowGrowth: true },
    { memoryLimit: MiB, spatialPartitioning: true, version: '2025' as const },
  ])('refuses %j', (options) => {
    expect(() => new BfcAllocator(options)).toThrow(AppError);
  });
});

describe('backOff', () => {
  it('is nine tenths in single precision, and always less', () => {
    expect(backOff(8192)).toBe(7424);
    expect(backOff(2560)).toBe(2304);
    expect(backOff(2304)).toBe(2304 - 256);
    expect(backOff(256)).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (units) => {
        const smaller = backOff(units * 256);
        expect(smaller).toBeLessThan(units * 256);
        expect(smaller % 256).toBe(0);
        expect(Math.abs(smaller - units * 230.4)).toBeLessThanOrEqual(256 + units * 256 * 2 ** -22);
      }),
    );
  });
});

describe('humanReadableBytes', () => {
  it.each([
    [0, '0B'],
    [1023, '1023B'],
    [1024, '1.0KiB'],
    [1280, '1.2KiB'], // 1.25: to even, as printf does
    [1792, '1.8KiB'], // 1.75
    [2 ** 20 - 1, '1024.0KiB'],
    [2 ** 20, '1.00MiB'],
    [2 ** 30 + 2 ** 27, '1.12GiB'], // 1.125
    [-862585, '-842.4KiB'],
  ])('%i is %s', (size, text) => {
    expect(humanReadableBytes(size)).toBe(text);
  });
});

describe('parseBfcConf', () => {
  it('reads sizes with units, flags and the supply', () => {
    expect(parseBfcConf('memory_limit=2GiB, allow_growth=true,sub_granularity=2MiB,version=2025')).toEqual({
      options: { memoryLimit: 2 * 2 ** 30, allowGrowth: true, version: '2025' },
      subGranularity: 2 * MiB,
    });
    expect(parseBfcConf('')).toEqual({ options: {} });
  });

  it.each([
    ['growth=true', /"growth=true" is no setting of bfc; write key=value with one of memory_limit, /],
    ['allow_growth', /"allow_growth" is no setting/],
    ['allow_growth=yes', /allow_growth: "yes" is neither true nor false/],
    ['memory_limit=2 parsecs', /memory_limit: "2 parsecs" is not a usable size/],
    ['version=2024', /version: "2024" is none of 2025, 2026/],
    ['fragmentation_fraction=1.5', /not a number from 0 to 1/],
    ['allow_growth=true,allow_growth=true', /allow_growth is given twice/],
    ['constructor=1', /"constructor=1" is no setting/],
  ])('refuses %s', (conf, message) => {
    expect(() => parseBfcConf(conf)).toThrow(message);
  });
});
