/**
 * The report as one HTML page that needs nothing else: no scripts, no files, no connections. Charts are inline SVG with
 * their numbers as tables, and figures of a software adapter carry their mark wherever they stand.
 */
import { formatBytes, formatSignificant } from '../../base/format.js';
import { drawBarChart, type TierBar } from './charts/bar-chart.js';
import { bandwidthFigure, ENGLISH_FIGURE_WORDS, latencyFigure } from './charts/figures.js';
import { drawLineChart, type LineFigure } from './charts/line-chart.js';
import { CHART_CSS, type Frame, type Shape, toSvg } from './charts/shapes.js';
import { tierBars } from './charts/tier-bars.js';
import { PAGE_CSS } from './html-style.js';
import { bySuite, describeExperiment, environmentFacts, formatSpread, formatValue, summarize } from './present.js';
import type { Report, Row } from './schema.js';
import { escapeXml } from './xml.js';

const LINE_FRAME: Frame = { width: 900, height: 380, scale: 1 };
const BAR_HEIGHT = 46;

/** One self-contained page. All text of the report is escaped. */
export function toHtml(report: Report): string {
  const mark = report.environment?.adapter.class === 'software' ? '<b class="mark">Software</b>' : '';
  const title = `vramlab, ${report.createdAt}`;
  const body = [
    `<header><h1>vramlab report ${mark}</h1>${incompleteNote(report)}${head(report)}</header>`,
    ...charts(report, mark),
    ...[...bySuite(report.results)].map(([suite, rows]) => suiteTable(suite, rows, mark)),
    experimentTable(report),
    `<footer><p>Written by ${escapeXml(report.tool.name)} ${escapeXml(report.tool.version)}. Bandwidth is in decimal GB/s, memory in KiB, MiB and GiB. The JSON report holds every sample.</p></footer>`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeXml(title)}</title>
<style>${PAGE_CSS}${CHART_CSS}</style>
</head>
<body>
<main>
${body.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`;
}

const incompleteNote = (report: Report): string =>
  report.complete
    ? ''
    : `<p class="incomplete">Incomplete: ${escapeXml(report.incompleteReason ?? 'no reason given')}</p>`;

function head(report: Report): string {
  const { environment } = report;
  const facts: (readonly [string, string])[] = [
    ['Measured', report.createdAt],
    ['Rows', summarize(report)],
    ...(environment === undefined ? [] : environmentFacts(environment)),
    ['Preset', report.preset],
    ['Seed', String(report.seed)],
    ['Arguments', report.argv.join(' ')],
    ['Tool', [report.tool.name, report.tool.version, report.tool.commit ?? ''].join(' ').trim()],
  ];
  const items = facts.map(([name, text]) => `<dt>${escapeXml(name)}</dt><dd>${escapeXml(text)}</dd>`);
  return `<dl>${items.join('')}</dl>`;
}

function charts({ results, experiments }: Report, mark: string): readonly string[] {
  const run = { rows: results, experiments };
  const bandwidth = bandwidthFigure(run, ENGLISH_FIGURE_WORDS);
  const latency = latencyFigure(run, ENGLISH_FIGURE_WORDS);
  const bars = tierBars(results, experiments);
  return [
    lineChart('Bandwidth by working set', 'decimal GB/s', bandwidth, mark),
    lineChart('Latency by working set', 'pointer chase, one thread, ns', latency, mark),
    barChart(bars, mark),
  ];
}

function lineChart(title: string, detail: string, figure: LineFigure, mark: string): string {
  if (figure.lines.length === 0) return '';
  const rows = figure.lines.flatMap((line) =>
    line.points.map((point) => [
      line.label,
      formatBytes(point.workingSet),
      formatSignificant(point.value),
      `${formatSignificant(point.low)} to ${formatSignificant(point.high)}`,
      point.basis === 'range' ? 'range of samples' : '95 % interval',
      String(point.samples),
    ]),
  );
  const columns = ['line', 'working set', figure.unit, 'whisker', 'whisker is', 'n'];
  return figureHtml(title, detail, mark, LINE_FRAME, drawLineChart(figure, LINE_FRAME), table(columns, rows));
}

function barChart(bars: readonly TierBar[], mark: string): string {
  if (bars.length === 0) return '';
  const frame = { width: LINE_FRAME.width, height: bars.length * BAR_HEIGHT + 36, scale: 1 };
  const rows = bars.map((bar) =>
    bar.kind === 'measured'
      ? [bar.name, bar.detail, `${formatSignificant(bar.value)} GB/s${bar.derived ? ', derived' : ''}`, bar.id]
      : [bar.name, bar.detail, 'no figure', bar.reason],
  );
  const detail = 'log scale, dashed = derived';
  const shapes = drawBarChart(bars, 'GB/s', frame);
  return figureHtml('Bandwidth by tier', detail, mark, frame, shapes, table(['tier', 'how', 'value', 'row'], rows));
}

function figureHtml(
  title: string,
  detail: string,
  mark: string,
  { width, height }: Frame,
  shapes: readonly Shape[],
  numbers: string,
): string {
  return `<figure>
<figcaption><h2>${title}</h2> <span>${detail}</span> ${mark}</figcaption>
<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${toSvg(shapes)}</svg>
<details><summary>Table of the same numbers</summary>${numbers}</details>
</figure>`;
}

function suiteTable(suite: string, rows: readonly Row[], mark: string): string {
  const columns = ['row', 'value', '95 %', 'samples', 'notes'];
  const lines = rows.map((row) =>
    row.status === 'measured'
      ? [
          row.id,
          formatValue(row.value, row.unit),
          `\u00b1${formatSpread(row)}`,
          String(row.stats.n),
          row.flags.join(', '),
        ]
      : [row.id, row.status, '', '', row.reason],
  );
  return `<section><h2>${escapeXml(suite)} ${mark}</h2>${table(columns, lines)}</section>`;
}

function experimentTable({ experiments }: Report): string {
  if (experiments.length === 0) return '';
  const lines = experiments.map((each) => [each.id, each.status, describeExperiment(each)]);
  return `<section><h2>experiments</h2>${table(['experiment', 'status', 'result'], lines)}</section>`;
}

function table(columns: readonly string[], lines: readonly (readonly string[])[]): string {
  const heads = columns.map((name) => `<th scope="col">${escapeXml(name)}</th>`).join('');
  const rows = lines.map(
    ([first = '', ...rest]) =>
      `<tr><th scope="row">${escapeXml(first)}</th>${rest.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`,
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="table"><table><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
