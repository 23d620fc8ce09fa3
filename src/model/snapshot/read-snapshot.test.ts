import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { AppError } from '../../base/errors.js';
import { mulberry32 } from '../../base/random.js';
import { readPickle } from './pickle/pickle-document.js';
import { plainCopy } from './pickle/plain-copy.js';
import { looksLikePickle, readSnapshot } from './read-snapshot.js';
import { snapshotState } from './snapshot-state.js';
import { mutated } from './testing/mutated.js';
import { pythonPickle } from './testing/python-pickle.js';
import { quickestMs } from './testing/quickest.js';
import { sampleSnapshot } from './testing/sample-snapshot.js';

const PROTOCOLS = [0, 1, 2, 3, 4, 5] as const;
const SAMPLE = sampleSnapshot({ events: 400, depth: 12, seed: 7 });

/** What was thrown: it must be one line for a person, with where it is. */
function complaint(data: Uint8Array): string {
  try {
    readSnapshot(data, 'mem.pickle');
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    const { message } = error as AppError;
    expect(message).toMatch(/^mem\.pickle:? [^\n]+$/);
    return message;
  }
  return '';
}

const bytes = (...parts: (number | string)[]): Uint8Array =>
  Uint8Array.from(parts.map((part) => (typeof part === 'number' ? String.fromCharCode(part) : part)).join(''), (c) =>
    c.charCodeAt(0),
  );
const repeat = (part: string, count: number): string => part.repeat(count);

describe('values', () => {
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.boolean(),
      fc.constant(undefined),
      fc.maxSafeInteger(),
      fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).filter((n) => n > 2n ** 53n || n < -(2n ** 53n)),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
      fc.array(tie('node'), { maxLength: 5 }),
      fc.dictionary(fc.string(), tie('node'), { maxKeys: 5, noNullPrototype: false }),
    ),
  })).node;

  it.each(PROTOCOLS)('come back as they were from protocol %i, 64-bit integers included', (protocol) => {
    fc.assert(
      fc.property(value, (original) => {
        const document = readPickle(pythonPickle(original, protocol), 'x');
        expect(bareCopy(plainCopy(document, document.root))).toEqual(bareCopy(original));
      }),
      { numRuns: 150, seed: 11 },
    );
  });

  it('are exact on both sides of 2^53 and at the ends of 64 bits', () => {
    for (const original of [
      2n ** 53n - 1n,
      2n ** 53n,
      2n ** 53n + 1n,
      2n ** 63n - 1n,
      2n ** 63n,
      2n ** 64n - 1n,
      -(2n ** 63n),
      -(2n ** 31n) - 1n,
    ]) {
      for (const protocol of PROTOCOLS) {
        const document = readPickle(pythonPickle(original, protocol), 'x');
        expect(BigInt(plainCopy(document, document.root) as number | bigint)).toBe(original);
      }
    }
  });

  it('keep keys such as __proto__ as keys', () => {
    const text = '{"__proto__": {"polluted": true}, "constructor": 1}';
    const document = readPickle(pythonPickle(JSON.parse(text), 4), 'x');
    const plain = plainCopy(document, document.root) as Record<string, unknown>;
    expect(Object.getPrototypeOf(plain)).toBeNull();
    expect(Object.keys(plain)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

/** Prototypes do not count, nor does the difference of -0. */
const bareCopy = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(bareCopy)
    : typeof value === 'object' && value !== null
      ? new Map(Object.entries(value).map(([key, item]) => [key, bareCopy(item)]))
      : value === 0
        ? 0
        : value;

describe('snapshots', () => {
  it('read the same from every protocol: events, stacks, segments and settings', () => {
    const events = (SAMPLE['device_traces'] as Record<string, unknown>[][])[0] ?? [];
    for (const protocol of PROTOCOLS) {
      const snapshot = readSnapshot(pythonPickle(SAMPLE, protocol), 'x');
      const trace = snapshot.traces[0];
      expect(trace?.count).toBe(events.length);
      events.forEach((event, row) => {
        expect(trace?.addr[row]).toBe(event['addr']);
        expect(trace?.size[row]).toBe(event['size']);
        expect(trace?.time[row]).toBe(event['time_us']);
        const frames = snapshot.stacks.framesOf(trace?.stack[row] ?? -1);
        const names = Array.from(frames, (frame) => snapshot.strings.text(snapshot.stacks.frame(frame).name));
        expect(names).toEqual((event['frames'] as { name: string }[]).map(({ name }) => name));
      });
      expect(snapshotState(snapshot)).toMatchObject({
        reserved_bytes: 22 * 2 ** 20,
        allocated_bytes: 11 * 2 ** 20,
        segments: 2,
        blocks: 4,
      });
      expect(snapshot.settings?.maxSplitSize).toBe(-1);
      expect(snapshot.segments[0]?.pool).toEqual([0, 0]);
    }
  });

  it('share equal call stacks, also when each event has a list of its own', () => {
    const snapshot = readSnapshot(pythonPickle(SAMPLE, 4), 'x');
    expect(snapshot.stacks.stackCount).toBeLessThanOrEqual(302);
  });

  it('read a bare list of segments, old history blocks without addresses, and an oom entry', () => {
    const old = [
      {
        device: 1,
        address: 2 ** 40,
        total_size: 4096,
        stream: 0,
        segment_type: 'small',
        blocks: [
          {
            size: 1024,
            requested_size: 1000,
            state: 'active_allocated',
            history: [{ addr: 2 ** 40, real_size: 1000, frames: [{ name: 'f', filename: 'a.py', line: 3 }] }],
          },
          { size: 3072, requested_size: 0, state: 'inactive' },
        ],
      },
    ];
    const list = readSnapshot(pythonPickle(old, 4), 'x');
    expect(list.form).toBe('segments-list');
    expect([...list.blocks.address]).toEqual([2 ** 40, 2 ** 40 + 1024]);
    expect(list.blocks.stack[0]).toBeGreaterThanOrEqual(0);
    const oom = {
      segments: [],
      device_traces: [[], [{ action: 'oom', device_free: 95682560, size: 5308694528, stream: 0 }]],
    };
    const trace = readSnapshot(pythonPickle(oom, 4), 'x').traces[1];
    expect([trace?.addr[0], trace?.size[0], trace?.device]).toEqual([95682560, 5308694528, 1]);
  });

  it('hold addresses of the upper half of 64 bits exactly, as signed ones', () => {
    const address = 2n ** 64n - 2n ** 56n + 512n;
    const trace = readSnapshot(
      pythonPickle({ segments: [], device_traces: [[{ action: 'alloc', addr: address, size: 5, stream: 0 }]] }, 4),
      'x',
    ).traces[0];
    expect(BigInt.asUintN(64, BigInt(trace?.addr[0] ?? 0))).toBe(address);
  });
});

describe('what is no snapshot', () => {
  it.each([
    ['an empty file', new Uint8Array(0), /not a snapshot: the file is empty; expected/],
    ['a PNG', bytes(0x89, 'PNG\r\n', 0x1a, '\n'), /not a snapshot: a PNG picture; expected/],
    ['a CSV', bytes('a,b\n1,2\n'), /not a snapshot: a text; expected/],
    ['a zip', bytes('PK', 3, 4), /not a snapshot: a zip archive/],
    ['a pickled number', pythonPickle(5, 4), /not a snapshot: a pickle of something else; expected/],
    ['a dictionary without segments', pythonPickle({ a: 1 }, 4), /without a list "segments"/],
  ])('%s says so and what was expected', (_name, data, expected) => {
    expect(complaint(data)).toMatch(expected);
  });
});

describe('bombs', () => {
  const u32 = (n: number): string => String.fromCharCode(n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >>> 24) & 255);
  const head = '\u0080\u0004';
  it.each([
    ['GLOBAL', `${head}cos\nsystem\n(S'id'\ntR.`, /at byte 2: opcode GLOBAL.*refused/],
    ['STACK_GLOBAL', `${head}\u008c\u0002os\u008c\u0006system\u0093.`, /at byte 14: opcode STACK_GLOBAL.*refused/],
    ['REDUCE', `${head}N)R.`, /at byte 4: opcode REDUCE.*refused/],
    ['BUILD', `${head}}}b.`, /at byte 4: opcode BUILD/],
    ['INST', `${head}(ios\nsystem\n.`, /at byte 3: opcode INST/],
    ['NEWOBJ', `${head}N)\u0081.`, /at byte 4: opcode NEWOBJ/],
    ['PERSID', `${head}Pabc\n.`, /at byte 2: opcode PERSID/],
    ['EXT1', `${head}\u0082\u0001.`, /at byte 2: opcode EXT1/],
    ['NEXT_BUFFER', `${head}\u0097.`, /at byte 2: opcode NEXT_BUFFER/],
    ['an opcode that does not exist', `${head}\u00fe.`, /at byte 2: there is no pickle opcode 0xfe/],
    ['protocol 6', '\u0080\u0006N.', /not a snapshot/],
    ['a later protocol in the file', `${head}\u0080\u0009N.`, /at byte 2: protocol 9/],
    ['a string of 4 GiB', `${head}X${u32(0xffffffff)}abc.`, /the value at byte 2 runs past the end/],
    ['a string of 2^63 bytes', `${head}\u008d${repeat('\u00ff', 8)}abc.`, /the value at byte 2 runs past the end/],
    ['a memo number of 4 G', `${head}Nr${u32(0xffffffff)}.`, /at byte 3: memo number 4294967295 is far beyond/],
    ['a memo number never stored', `${head}j${u32(7)}.`, /at byte 2: memo number 7 was never stored/],
    ['a hole in the memo', `${head}Nq\u0005h\u0002.`, /at byte 5: memo number 2 was never stored/],
    ['items without a mark', `${head}]e.`, /at byte 3: there is no MARK/],
    ['items without a list', `${head}N(Ne.`, /at byte 5: APPENDS has no list/],
    ['a key without a value', `${head}}(Nu.`, /at byte 5: SETITEMS has a key without a value/],
    ['a list as a key', `${head}}(]Nu.`, /at byte 6: a dictionary key is a list/],
    ['pop of nothing', `${head}0.`, /at byte 2: there is nothing on the stack/],
    ['two values at the end', `${head}NN.`, /at byte 4: the pickle ends with 2 values/],
    ['no end', `${head}}`, /stops at byte 3 in the middle of a value/],
    ['an integer of 2 GiB', `${head}\u008b${u32(0x7fffffff)}.`, /at byte 2: an integer of 2147483647 bytes/],
    ['a list that holds itself', `${head}]q\u0000h\u0000a.`, /segment 0 is no dictionary/],
    ['a dictionary that holds itself', `${head}}q\u0000(X${u32(8)}segmentsh\u0000u.`, /without a list "segments"/],
    [
      'a frame that grows later',
      `${head}}q\u0000(X${u32(4)}nameX${u32(1)}aX${u32(8)}filenameX${u32(1)}bX${u32(4)}lineK\u0001uX${u32(1)}kNs.`,
      /frame or trace entry gets more items later/,
    ],
  ])('%s is refused in one line with the offset', (_name, text, expected) => {
    expect(complaint(bytes(text))).toMatch(expected);
  });

  it.each([
    ['a million open lists', bytes(head, repeat(']', 1_000_000))],
    ['a million marks', bytes(head, repeat('(', 1_000_000))],
    ['nested lists 300,000 deep', bytes(head, repeat(']', 300_000), repeat('a', 299_999), '.')],
    ['doubling by reference', bytes(head, ']q', 0, '(', repeat('h\u0000', 1_000_000), 'e.')],
    ['dictionaries dropped', bytes(head, repeat('}0', 600_000), 'N.')],
    ['a memo that is overwritten', bytes(head, 'N', repeat('q\u0000', 600_000), '.')],
    ['lines without end', bytes(`(lp0\nI${repeat('1', 600_000)}.`)],
    [
      'many short strings',
      bytes(
        head,
        Array.from(
          { length: 60_000 },
          (_, i) => `\u008c\u0003${String.fromCharCode(i & 255, (i >> 8) & 255, i >> 16)}0`,
        ).join(''),
        'N.',
      ),
    ],
  ])(
    '%s ends within 2 s',
    (_name, data) => {
      let line = '';
      const took = quickestMs(2_000, () => {
        line = complaint(data);
      });
      expect(line).not.toBe('');
      expect(took).toBeLessThan(2_000);
    },
    60_000,
  );
});

describe('mutated snapshots', () => {
  it('of 10,000 seeded kinds are read or refused in one line, each within 2 s', () => {
    const random = mulberry32(606);
    const originals = PROTOCOLS.map((protocol) =>
      pythonPickle(sampleSnapshot({ events: 24, depth: 4, seed: protocol }), protocol),
    );
    let refused = 0;
    for (let round = 0; round < 10_000; round++) {
      const data = mutated(originals[round % originals.length] ?? new Uint8Array(0), random);
      if (!looksLikePickle(data) || complaint(data) !== '') refused++;
    }
    expect(refused).toBeGreaterThan(3_000);
    expect(refused).toBeLessThan(10_000);
  }, 120_000);
});
