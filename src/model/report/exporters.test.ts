import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleReport, sampleRow } from './testing/report-sample.js';
import { toCsv } from './to-csv.js';
import { toJunit } from './to-junit.js';
import { toMarkdown } from './to-markdown.js';
import { toText } from './to-text.js';

const incomplete = { ...sampleReport, complete: false, incompleteReason: 'interrupted after 1 of 3 rows' };
const withReason = (reason: string) => ({
  ...sampleReport,
  results: [{ id: 'tiers/latency', suite: 'tiers' as const, status: 'failed' as const, unit: 'ns', reason }],
  experiments: [],
});

/** RFC 4180, read character by character: the independent check of what `toCsv` writes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text.charAt(i + 1) === '"') cell += text.charAt(i++);
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',' || c === '\n') {
      rows.at(-1)?.push(cell);
      cell = '';
      if (c === '\n') rows.push([]);
    } else if (c !== '\r') cell += c;
  }
  return rows.slice(0, -1);
}

describe('toCsv', () => {
  it('has one line a sample, and one for each row without a figure', () => {
    const [head = [], ...lines] = parseCsv(toCsv(sampleReport));
    expect(lines).toHaveLength(3 + 2);
    expect(lines.every((cells) => cells.length === head.length)).toBe(true);
    expect(lines.slice(0, 3).map((cells) => cells[head.indexOf('value')])).toEqual(['12', '12.5', '13']);
    const statuses = lines.map((cells) => cells[head.indexOf('status')]);
    expect(statuses).toEqual(['measured', 'measured', 'measured', 'skipped', 'failed']);
  });

  it('keeps every text and every number whole', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.double({ min: 1e-9, max: 1e15, noNaN: true }),
        (reason, value) => {
          const clean = reason.replace(/\r/g, '');
          const [head = [], failed = []] = parseCsv(toCsv(withReason(clean)));
          expect(failed[head.indexOf('reason')]).toBe(clean);
          const [, measured = []] = parseCsv(toCsv({ ...sampleReport, results: [{ ...sampleRow, samples: [value] }] }));
          expect(Number(measured[head.indexOf('value')])).toBe(value);
        },
      ),
    );
  });
});

describe('toJunit', () => {
  it('counts cases, failures and skips by suite', () => {
    const xml = toJunit(sampleReport);
    expect(xml).toContain('<testsuite name="tiers" tests="2" failures="0" errors="0" skipped="1">');
    expect(xml).toContain('<testsuite name="dispatch" tests="1" failures="1" errors="0" skipped="0">');
    expect(xml).toContain('<testsuite name="experiments" tests="1" failures="0" errors="0" skipped="0">');
    expect(xml).toContain('message="no &lt;timestamps&gt;, &quot;here&quot; | there"');
  });

  it('shows an unfinished run as an error', () => {
    expect(toJunit(sampleReport)).not.toContain('<error');
    expect(toJunit(incomplete)).toContain('<error message="interrupted after 1 of 3 rows"/>');
  });

  it('holds nothing that XML 1.0 forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (reason) => {
        const message = /<failure message="([^"]*)"\/>/.exec(toJunit(withReason(reason)))?.[1];
        expect(message).toBeDefined();
        expect(message?.replace(/&(amp|lt|gt|quot);/g, '')).not.toMatch(/[<&>]|[^\u0020-\u{10FFFF}]|[\uFFFE\uFFFF]/u);
      }),
    );
  });
});

describe('toMarkdown', () => {
  it('keeps every table row at its number of columns, whatever a reason holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (reason) => {
        const row = toMarkdown(withReason(reason))
          .split('\n')
          .find((line) => line.startsWith('| tiers/latency'));
        expect(row?.replace(/\\\\/g, '').replace(/\\\|/g, '').split('|')).toHaveLength(5 + 2);
        expect(row).not.toContain('<');
      }),
    );
  });

  it('marks the software adapter and what is missing', () => {
    expect(toMarkdown(sampleReport)).toContain('swiftshader (software adapter, no GPU)');
    expect(toMarkdown(sampleReport)).not.toContain('Incomplete');
    expect(toMarkdown(incomplete)).toContain('**Incomplete:** interrupted after 1 of 3 rows');
  });
});

describe('toText', () => {
  it('shows each row with its figure or its reason, and the counts', () => {
    const text = toText(sampleReport);
    expect(text).toMatch(/tiers\/global\/triad\/vec4\/64MiB +12\.5 GB\/s +±4\.0 % +3 +unstable/);
    expect(text).toMatch(/dispatch\/pass +failed +1 of 4 words is wrong/);
    expect(text).toContain('1 measured, 1 skipped, 1 failed; experiments: 1 measured, 0 skipped, 0 failed');
    expect(text).toContain('observed out-of-memory, recovered yes');
  });
});
