import { describe, expect, it } from 'vitest';
import { sampleReport, sampleRow } from './testing/report-sample.js';
import { toHtml } from './to-html.js';
import { toRowsCsv } from './to-rows-csv.js';

const SWEEP = [1, 2, 4].map((size) => ({
  ...sampleRow,
  id: `tiers/sweep/${size}MiB`,
  workingSet: size * 2 ** 20,
}));

describe('toHtml', () => {
  it('is one page without scripts or anything from elsewhere, with the charts inside', () => {
    const page = toHtml({ ...sampleReport, results: [...SWEEP, ...sampleReport.results] });
    expect(page).not.toMatch(/<script|\bsrc=|href=|url\(|@import|style="/);
    expect(page).toContain("default-src 'none'");
    expect(page.match(/<svg class="chart"/g)).toHaveLength(2);
    expect(page).toContain('<circle class="series-1"');
  });

  it('carries the mark of a software adapter at every table and chart, and none for hardware', () => {
    const mark = '<b class="mark">Software</b>';
    const software = toHtml({ ...sampleReport, results: SWEEP });
    expect(software.split(mark)).toHaveLength(5);
    const { environment } = sampleReport;
    if (environment === undefined) throw new Error('the sample has an environment');
    const hardware = { ...environment, adapter: { ...environment.adapter, class: 'hardware' as const } };
    expect(toHtml({ ...sampleReport, results: SWEEP, environment: hardware })).not.toContain(mark);
  });

  it('lists every row and experiment, with reasons, escaped', () => {
    const page = toHtml(sampleReport);
    for (const { id } of [...sampleReport.results, ...sampleReport.experiments]) expect(page).toContain(id);
    expect(page).toContain('no &lt;timestamps&gt;, &quot;here&quot; | there');
    expect(page).not.toContain('<timestamps>');
  });

  it('says that a run is incomplete, and why', () => {
    const page = toHtml({ ...sampleReport, complete: false, incompleteReason: 'stopped by <me>' });
    expect(page).toContain('Incomplete: stopped by &lt;me&gt;');
    expect(toHtml(sampleReport)).not.toContain('Incomplete');
  });
});

it('writes one CSV line a row, with empty cells where there is no number', () => {
  const [head = '', first = '', second = ''] = toRowsCsv(sampleReport).split('\r\n');
  const width = head.split(',').length;
  expect(first.split(',')).toHaveLength(width);
  expect(first).toContain('tiers/global/triad/vec4/64MiB,tiers,measured,12.5,GB/s,3,12.5');
  expect(second).toContain('tiers/latency,tiers,skipped,,ns,,,');
  expect(second).toContain('"no <timestamps>, ""here"" | there"');
});
