import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../../base/random.js';
import { type Verdict } from '../diagnosis.js';
import { quickestMs } from '../../snapshot/testing/quickest.js';
import { mutatedText } from '../testing/mutated-text.js';
import { PASTED } from '../testing/pasted-logs.js';
import { explainText } from './explain-text.js';

interface Sample {
  readonly id: string;
  readonly text: string;
  readonly framework: string;
  readonly facts: Readonly<Record<string, number | readonly number[]>>;
  readonly verdict: Verdict;
  readonly rule?: Verdict;
}

const SAMPLES = JSON.parse(
  readFileSync(new URL('../../../../test-data/diagnose/oom-texts.json', import.meta.url), 'utf8'),
) as readonly Sample[];

/**
 * Two labels that the texts themselves contradict. oom-019: PyTorch 1.0 to 1.3 print `cached` after subtracting
 * `allocated`, so 9.59 GiB live is this process's own memory and 0.83 GiB is outside it, not 10.4. oom-198: RMM prints this
 * reason where what stands behind the pool refused to grow it, and no figure but the request: by the rule that is unknown.
 */
const OUR_VERDICT: Readonly<Record<string, Verdict>> = { 'oom-019': 'true-shortage', 'oom-198': 'unknown' };

describe('messages that people posted', () => {
  it.each(PASTED)('say the same in a log with %s', (_what, paste) => {
    for (const { id, text } of SAMPLES) {
      const plain = explainText(text);
      const { framework, verdict, facts } = explainText(paste(text));
      expect({ id, framework, verdict, facts }).toEqual({
        id,
        framework: plain.framework,
        verdict: plain.verdict,
        facts: plain.facts,
      });
    }
  });

  it.each(SAMPLES.map((sample) => [sample.id, sample] as const))('%s: facts and verdict', (id, sample) => {
    const result = explainText(sample.text);
    expect(result.framework).toBe(sample.framework);
    for (const [key, value] of Object.entries(sample.facts)) {
      const got = result.facts[key];
      if (typeof value !== 'number' || typeof got !== 'number') {
        expect(got, key).toEqual(value);
        continue;
      }
      const range = result.ranges[key] ?? [got - 1, got + 1];
      // A sum of two printed figures carries both errors.
      const slack = key === 'reserved_bytes' || key === 'free_bytes' ? 0.011 * 2 ** 30 : 1;
      expect(value, key).toBeGreaterThanOrEqual(range[0] - slack);
      expect(value, key).toBeLessThanOrEqual(range[1] + slack);
    }
    expect([OUR_VERDICT[id] ?? sample.verdict, sample.rule]).toContain(result.verdict);
    expect(result.why.length).toBeGreaterThan(10);
    if (result.verdict === 'unknown') expect(result.why).toContain('unknown, because');
    expect(result.steps.length).toBeGreaterThan(0);
  });

  it('finds the same facts in a log with colours, ranks, quotes and line breaks', () => {
    for (const sample of SAMPLES.filter(
      ({ framework }) => framework === 'pytorch-cuda' || framework === 'pytorch-hip',
    )) {
      const plain = explainText(sample.text);
      const wrapped = sample.text
        .split(' ')
        .map((word, index) => (index % 9 === 8 ? `\n[rank3]:   ${word}` : word))
        .join(' ');
      const log = `step 41 loss 2.31\n\u001b[31m${wrapped}\u001b[0m\nTraceback (most recent call last):\n  File "train.py", line 3`;
      expect(explainText(log).facts, sample.id).toEqual(plain.facts);
      const quoted = JSON.stringify({ exception_message: sample.text });
      expect(explainText(quoted).verdict, sample.id).toBe(plain.verdict);
    }
  });
});

describe('mutated texts', () => {
  it('never throws, never hangs and always gives a verdict with a reason', () => {
    const random = mulberry32(20260606);
    for (let round = 0; round < 10_000; round++) {
      const text = mutatedText(SAMPLES[random() % SAMPLES.length]?.text ?? '', random);
      const result = explainText(text);
      expect(result.why).not.toBe('');
      for (const value of Object.values(result.facts)) {
        if (typeof value === 'number') expect(Number.isNaN(value)).toBe(false);
      }
    }
  }, 120_000);

  it.each([
    ['one character over and over', 'a'.repeat(2_000_000)],
    ['spaces', ' '.repeat(2_000_000)],
    ['digits', '1'.repeat(1_000_000)],
    ['brackets', '[rank'.repeat(300_000)],
    ['message heads', 'CUDA out of memory. Tried to allocate '.repeat(30_000)],
    ['stat heads', 'Stats: Limit: 1 '.repeat(30_000)],
    ['ggml heads', 'ggml_a: '.repeat(100_000)],
    ['bars', '| '.repeat(500_000)],
    ['settings', 'PYTORCH_CUDA_ALLOC_CONF=a:1,'.repeat(30_000)],
    ['nccl', 'nccl '.repeat(200_000)],
    ['range errors', 'RangeError '.repeat(100_000)],
  ])(
    'reads a hostile text of %s in under 2 s',
    (_name, text) => {
      const took = quickestMs(2_000, () => explainText(text));
      expect(took).toBeLessThan(2_000);
    },
    60_000,
  );
});
