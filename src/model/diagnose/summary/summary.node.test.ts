import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plainLines } from '../texts/clean-text.js';
import { explainText } from '../texts/explain-text.js';
import { explainSummary } from './explain-summary.js';
import { parseSummaries } from './parse-summary.js';

interface Sample {
  readonly id: string;
  readonly ooms: number;
  readonly retries: number;
  readonly rows: readonly string[];
  readonly derived: Readonly<Record<string, number>>;
  readonly text?: string;
  readonly oom_text?: string;
}

const SAMPLES = JSON.parse(
  readFileSync(new URL('../../../../test-data/diagnose/memory-summaries.json', import.meta.url), 'utf8'),
) as readonly Sample[];

/** The table as PyTorch prints it. */
function printed({ rows, ooms, retries }: Sample): string {
  const lines = rows.map((row) => {
    const [metric = '', ...cells] = row.split('|');
    const label = metric === 'large' || metric === 'small' ? `      from ${metric} pool` : ` ${metric}`;
    return `|${label.padEnd(23)}|${cells
      .map((cell) => (/[A-Z]/.test(cell) ? cell : `${cell}  `).padStart(12))
      .map((cell) => `${cell} |`)
      .join('')}`;
  });
  return [
    '|                  PyTorch CUDA memory summary, device ID 0                 |',
    `|             CUDA OOMs: ${ooms}            |         cudaMalloc retries: ${retries}       |`,
    ...lines,
  ].join('\n');
}

describe('memory summaries', () => {
  it.each(SAMPLES.map((sample) => [sample.id, sample] as const))('%s: rows, figures and identities', (_id, sample) => {
    for (const text of [printed(sample), printed(sample).replace(/^/gm, '# '), sample.text ?? printed(sample)]) {
      const [summary] = parseSummaries(text.split('\n'));
      if (summary === undefined) throw new Error('no table found');
      expect([summary.ooms, summary.retries]).toEqual([sample.ooms, sample.retries]);
      const rows = summary.rows.map((row) => [row.pool === 'all' ? row.metric : row.pool, ...row.printed].join('|'));
      expect(rows).toEqual(sample.rows);
      const reading = explainSummary(summary);
      expect(reading.identities.length).toBeGreaterThan(5);
      expect(reading.identities.filter(({ holds }) => !holds)).toEqual([]);
      expect(reading.facts).toMatchObject(sample.derived);
    }
  });

  const FORMS: readonly (readonly [string, (text: string) => string])[] = [
    ['a docker compose prefix', (text) => text.replace(/^/gm, 'trainer-1  | ')],
    ['a logging prefix', (text) => text.replace(/^/gm, '2024-05-01 12:00:00,123 - INFO - ')],
    ['a rank', (text) => text.replace(/^/gm, '[rank3]: ')],
    ['wider columns', (text) => text.replace(/\|/g, '  |  ')],
    [
      'no spaces at all in cells',
      (text) => text.replace(/(\d) +([KMGT]?i?B|[KMGT])(?= *\|)/g, '$1$2').replace(/ +\|/g, '|'),
    ],
    ['Windows line ends', (text) => text.replace(/\n/g, '\r\n')],
    ['escaped line ends', (text) => text.replace(/\n/g, '\\n')],
  ];
  const figures = (text: string) =>
    parseSummaries(plainLines(text)).map(({ device, rows }) => ({
      device,
      rows: rows.map(({ metric, pool, values }) => ({ metric, pool, values })),
    }));

  it.each(FORMS)('say the same with %s', (_what, form) => {
    for (const sample of SAMPLES) expect(figures(form(printed(sample)))).toEqual(figures(printed(sample)));
  });

  it('of several devices stay apart', () => {
    const [first, second] = SAMPLES;
    if (first === undefined || second === undefined) throw new Error('two samples');
    const other = printed(second).replace('device ID 0', 'device ID 5');
    expect(figures(`${printed(first)}\n${other}`)).toEqual([...figures(printed(first)), ...figures(other)]);
    expect(figures(other)[0]?.device).toBe(5);
  });

  it('that were cut at the top or the bottom tell what is left, and no identity breaks', () => {
    for (const sample of SAMPLES) {
      const lines = printed(sample).split('\n');
      const whole = figures(printed(sample))[0]?.rows ?? [];
      for (let cut = 1; cut < lines.length; cut++) {
        for (const left of [lines.slice(cut), lines.slice(0, cut)]) {
          const [summary] = parseSummaries(left);
          const rows = summary?.rows.map(({ metric, pool, values }) => ({ metric, pool, values })) ?? [];
          expect(whole).toEqual(expect.arrayContaining(rows));
          if (summary !== undefined) {
            expect(explainSummary(summary).identities.filter(({ holds }) => !holds)).toEqual([]);
          }
        }
      }
    }
  });

  it('name the identity that a wrong cell breaks', () => {
    const [first] = SAMPLES;
    if (first === undefined) throw new Error('no samples');
    const wrong = printed(first).replace('481280 KiB', '581280 KiB');
    const [summary] = parseSummaries(wrong.split('\n'));
    const broken = summary === undefined ? [] : explainSummary(summary).identities.filter(({ holds }) => !holds);
    expect(broken.map(({ name }) => name)).toContain('Allocated memory, current: all = large + small');
  });

  it('prove a fragmentation when they are pasted with the message', () => {
    const pair = SAMPLES.find(({ oom_text }) => oom_text !== undefined);
    if (pair?.oom_text === undefined) throw new Error('no pair');
    const result = explainText(`${pair.oom_text}\n${printed(pair)}`);
    expect(result).toMatchObject({ kind: 'oom-text', verdict: 'fragmentation' });
    expect(result.facts).toMatchObject({ non_releasable_bytes: 646620160, releasable_bytes: 351232 });
    expect(result.why).toContain('The memory summary proves it');
  });

  it('show that expandable segments are on, so that nobody is told to turn them on', () => {
    const expandable = SAMPLES.find(({ id }) => id === 'sum-04');
    const message =
      'CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.00 GiB is free. ' +
      'Of the allocated memory 31.94 GiB is allocated by PyTorch, and 16.45 GiB is reserved by PyTorch but unallocated.';
    const result = explainText(`${message}\n${expandable === undefined ? '' : printed(expandable)}`);
    expect(result.verdict).toBe('fragmentation');
    expect(result.advice.some((line) => /^Set .*expandable_segments:True/.test(line))).toBe(false);
    expect(explainText(message).advice.some((line) => /^Set .*expandable_segments:True/.test(line))).toBe(true);
  });
});
