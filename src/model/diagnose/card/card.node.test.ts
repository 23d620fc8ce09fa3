/** Every figure of a verdict card, computed again from the facts of real texts, or from the blocks of a run. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordedHeap } from '../../snapshot/recorded-heap.js';
import { recordedRun } from '../../snapshot/testing/recorded-run.js';
import { type Diagnosis } from '../diagnosis.js';
import { explainSnapshot } from '../snapshot/explain-snapshot.js';
import { explainText } from '../texts/explain-text.js';
import { hasTwoCauses, headlineOf } from './headline.js';
import { type Sum, sumsOf } from './sums.js';

const MIB = 2 ** 20;
const SIGNS = { none: 1, plus: 1, minus: -1 } as const;
/** Lines whose figure is one of the sum's; what was asked for stands beside the sum of pieces. */
const added = ({ about, lines }: Sum) => (about === 'pieces' ? lines.filter(({ label }) => label !== 'asked') : lines);
const totalOf = (sum: Sum): number => added(sum).reduce((total, { sign, bytes }) => total + SIGNS[sign] * bytes, 0);
const resultOf = ({ result }: Sum): number => (result.label === 'short' ? -result.bytes : result.bytes);

interface Entry {
  readonly id: string;
  readonly text: string;
}
const texts = JSON.parse(readFileSync('test-data/diagnose/oom-texts.json', 'utf8')) as readonly Entry[];
const diagnoses = texts.map(({ id, text }): [string, Diagnosis] => [id, explainText(text)]);

describe('sums beside a verdict on real texts', () => {
  it.each(diagnoses)('%s: lines come to the result', (_, diagnosis) => {
    for (const sum of sumsOf(diagnosis)) {
      expect(totalOf(sum)).toBeCloseTo(resultOf(sum), 3);
      for (const { bytes } of [...sum.lines, sum.result]) expect(bytes).toBeGreaterThanOrEqual(0);
    }
  });

  it.each(diagnoses)('%s: the device sum comes to the printed capacity', (_, diagnosis) => {
    const device = sumsOf(diagnosis).find(({ about }) => about === 'device');
    if (device !== undefined) expect(device.result.bytes).toBeCloseTo(Number(diagnosis.facts['capacity_bytes']), 0);
  });

  it('are there for most of them', () => {
    const withSums = diagnoses.filter(([, diagnosis]) => sumsOf(diagnosis).length > 0).length;
    expect(withSums).toBeGreaterThan(diagnoses.length / 2);
  });
});

describe('headlines of real texts', () => {
  it.each(diagnoses)('%s: says what its figures say', (_, diagnosis) => {
    const { facts } = diagnosis;
    const head = headlineOf(diagnosis);
    if ('asked' in head) expect(head.asked).toBe(facts['tried_bytes']);
    switch (head.kind) {
      case 'in-pieces':
        expect(diagnosis.verdict).toBe('fragmentation');
        break;
      case 'too-little':
        expect(head.free + head.short).toBeCloseTo(head.asked, 3);
        expect(head.short).toBeGreaterThan(0);
        break;
      case 'larger-than-device':
        expect(head.asked).toBeGreaterThan(head.capacity);
        break;
      case 'others':
        expect(head.outside).toBeLessThanOrEqual(head.capacity);
        expect(head.capacity).toBe(facts['capacity_bytes']);
        break;
      case 'not-the-cache':
        expect(head.free).toBeGreaterThanOrEqual(head.asked);
        break;
      default:
    }
    if (hasTwoCauses(diagnosis)) expect(['fragmentation', 'true-shortage']).toContain(diagnosis.verdict);
  });

  it('are not the bare reasons for most of the texts that say what was asked for', () => {
    const asked = diagnoses.filter(([, { facts, verdict }]) => 'tried_bytes' in facts && verdict !== 'unknown');
    const bare = asked.filter(([, diagnosis]) => headlineOf(diagnosis).kind === 'reasons').map(([id]) => id);
    expect(bare.length).toBeLessThan(asked.length / 4);
  });
});

describe('the card of a snapshot', () => {
  it('has the figures of the blocks at the failure', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.constantFrom('', 'expandable_segments:True'), (seed, conf) => {
        const snapshot = recordedRun({ seed, steps: 400, capacity: 300 * MIB, conf });
        const diagnosis = explainSnapshot(snapshot);
        const failure = diagnosis.oom_state.at(-1);
        const trace = snapshot.traces[0];
        if (failure === undefined || trace === undefined) return;
        const { segments } = recordedHeap(snapshot, trace, failure.event).heap;
        const blocks = segments.flatMap((segment) => segment.blocks);
        const free = blocks.filter(({ state }) => state === 'free').map(({ size }) => size);
        const inFree = free.reduce((sum, size) => sum + size, 0);
        const used = blocks.reduce((sum, { size }) => sum + size, 0) - inFree;
        const device = trace.addr[failure.event] ?? 0;
        const reserved = used + inFree;
        const [shortage, pieces] = sumsOf(diagnosis);
        expect(shortage?.event).toBe(failure.event);
        expect(shortage?.lines.map(({ bytes }) => bytes)).toEqual([reserved + device, used]);
        expect(shortage?.result.bytes).toBe(device + inFree);
        expect(pieces?.lines).toEqual([
          { label: 'asked', bytes: trace.size[failure.event], sign: 'none' },
          { label: 'not-reserved', bytes: device, sign: 'none' },
          { label: 'holes', bytes: inFree, sign: 'plus', pieces: free.length },
        ]);
        expect(pieces?.result.bytes).toBe(device + inFree);
        const head = headlineOf(diagnosis);
        if (head.kind === 'in-pieces') {
          expect(head).toMatchObject({ free: device + inFree, pieces: free.length + (device > 0 ? 1 : 0) });
        }
        if (head.kind === 'too-little') expect(head.short).toBe((trace.size[failure.event] ?? 0) - device - inFree);
      }),
    );
  });

  it('without a failure says what is cached', () => {
    const snapshot = recordedRun({ seed: 3, steps: 200, capacity: 2 ** 36 });
    const diagnosis = explainSnapshot(snapshot);
    const reserved = snapshot.segments.reduce((sum, { size }) => sum + size, 0);
    expect(headlineOf(diagnosis)).toEqual({
      kind: 'no-failure',
      reserved,
      cached: diagnosis.state.inactive_bytes,
    });
    expect(sumsOf(diagnosis).map(totalOf)).toEqual([reserved - diagnosis.state.active_bytes]);
  });
});
