/**
 * The report as one HTML page that needs nothing else: no scripts, no files, no connections. Charts are inline SVG with
 * their numbers as tables, and figures of a software adapter carry their mark wherever they stand.
 */
import { formatBytes, formatSignificant } from '../../base/format.js';
import { say } from '../../base/said.js';
import { drawBarChart, type TierBar } from './charts/bar-chart.js';
import { bandwidthFigure, latencyFigure } from './charts/figures.js';
import { drawLineChart, type LineFigure } from './charts/line-chart.js';
import { CHART_CSS, type Frame, type Shape, toSvg } from './charts/shapes.js';
import { tierBars } from './charts/tier-bars.js';
import { PAGE_CSS } from './html-style.js';
import { bySuite, describeExperiment, environmentFacts, formatSpread, formatValue, summarize } from './present.js';
import { ENGLISH_REPORT, type ReportLanguage } from './report-language.js';
import type { Report, Row } from './schema.js';
import { escapeXml } from './xml.js';

const LINE_FRAME: Frame = { width: 900, height: 380, scale: 1 };
const BAR_HEIGHT = 46;

/** One self-contained page, English without a language. All text of the report is escaped. */
export const toHtml = (report: Report, language: ReportLanguage = ENGLISH_REPORT): string =>
  new ReportPage(report, language).page();

/** Writes the parts of the page of one report in one language. */
class ReportPage {
  /** Beside every figure of a software adapter. */
  readonly #mark: string;

  constructor(
    private readonly report: Report,
    private readonly language: ReportLanguage,
  ) {
    this.#mark =
      report.environment?.adapter.class === 'software' ? `<b class="mark">${this.#said(say`Software`)}</b>` : '';
  }

  page(): string {
    const { tool, results, createdAt } = this.report;
    const title = `vramlab, ${createdAt}`;
    const written = this.#said(
      say`Written by ${`${tool.name} ${tool.version}`}. Bandwidth is in decimal GB/s, memory in KiB, MiB and GiB. The JSON report holds every sample.`,
    );
    const body = [
      `<header><h1>${this.#said(say`vramlab report`)} ${this.#mark}</h1>${this.#incompleteNote()}${this.#head()}</header>`,
      ...this.#charts(),
      ...[...bySuite(results)].map(([suite, rows]) => this.#suiteTable(suite, rows)),
      this.#experimentTable(),
      `<footer><p>${written}</p></footer>`,
    ];
    return `<!doctype html>
<html lang="${escapeXml(this.language.tag)}">
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

  #said(sentence: string): string {
    return escapeXml(this.language.words(sentence));
  }

  #incompleteNote(): string {
    const { complete, incompleteReason } = this.report;
    if (complete) return '';
    const why = incompleteReason ?? say`no reason given`;
    return `<p class="incomplete">${this.#said(say`Incomplete: ${why}`)}</p>`;
  }

  #head(): string {
    const { report } = this;
    const { environment, tool } = report;
    const facts: (readonly [string, string])[] = [
      [say`Measured`, report.createdAt],
      [say`Rows`, summarize(report)],
      ...(environment === undefined ? [] : environmentFacts(environment)),
      [say`Preset`, report.preset],
      [say`Seed`, String(report.seed)],
      [say`Arguments`, report.argv.join(' ')],
      [say`Tool`, [tool.name, tool.version, tool.commit ?? ''].join(' ').trim()],
    ];
    const items = facts.map(([name, text]) => `<dt>${this.#said(name)}</dt><dd>${this.#said(text)}</dd>`);
    return `<dl>${items.join('')}</dl>`;
  }

  #charts(): readonly string[] {
    const { results, experiments } = this.report;
    const { figures, tiers } = this.language;
    const run = { rows: results, experiments };
    return [
      this.#lineChart(say`Bandwidth by working set`, say`decimal GB/s`, bandwidthFigure(run, figures)),
      this.#lineChart(say`Latency by working set`, say`pointer chase, one thread, ns`, latencyFigure(run, figures)),
      this.#barChart(tierBars(results, experiments, tiers)),
    ];
  }

  #lineChart(title: string, detail: string, figure: LineFigure): string {
    if (figure.lines.length === 0) return '';
    const rows = figure.lines.flatMap((line) =>
      line.points.map((point) => [
        line.label,
        formatBytes(point.workingSet),
        formatSignificant(point.value),
        `${formatSignificant(point.low)}\u2013${formatSignificant(point.high)}`,
        point.basis === 'range' ? say`range of samples` : say`95 % interval`,
        String(point.samples),
      ]),
    );
    const columns = [say`Line`, say`Working set`, figure.unit, say`Whisker`, say`Whisker is`, 'n'];
    const numbers = this.#table(columns, rows);
    return this.#figure(title, detail, LINE_FRAME, drawLineChart(figure, LINE_FRAME), numbers);
  }

  #barChart(bars: readonly TierBar[]): string {
    if (bars.length === 0) return '';
    const frame = { width: LINE_FRAME.width, height: bars.length * BAR_HEIGHT + 36, scale: 1 };
    const rows = bars.map((bar) => {
      if (bar.kind === 'not-resolved') return [bar.name, bar.detail, say`no figure`, bar.reason];
      const value = `${formatSignificant(bar.value)} GB/s`;
      return [bar.name, bar.detail, bar.derived ? say`${value}, derived` : value, bar.id];
    });
    const numbers = this.#table([say`Tier`, say`Measured by`, say`Value`, say`Row`], rows);
    const shapes = drawBarChart(bars, 'GB/s', frame);
    return this.#figure(say`Bandwidth by tier`, say`log scale, dashed = derived`, frame, shapes, numbers);
  }

  #figure(title: string, detail: string, { width, height }: Frame, shapes: readonly Shape[], numbers: string): string {
    return `<figure>
<figcaption><h2>${this.#said(title)}</h2> <span>${this.#said(detail)}</span> ${this.#mark}</figcaption>
<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${this.#said(title)}">${toSvg(shapes)}</svg>
<details><summary>${this.#said(say`Table of the same numbers`)}</summary>${numbers}</details>
</figure>`;
  }

  #suiteTable(suite: string, rows: readonly Row[]): string {
    const columns = [say`Row`, say`Value`, '95 %', say`Samples`, say`Notes`];
    const lines = rows.map((row) =>
      row.status === 'measured'
        ? [
            row.id,
            formatValue(row.value, row.unit),
            `\u00b1${formatSpread(row)}`,
            String(row.stats.n),
            this.language.list(row.flags.map(this.language.flag)),
          ]
        : [row.id, row.status, '', '', row.reason],
    );
    return `<section><h2>${escapeXml(suite)} ${this.#mark}</h2>${this.#table(columns, lines)}</section>`;
  }

  #experimentTable(): string {
    const { experiments } = this.report;
    if (experiments.length === 0) return '';
    const lines = experiments.map((each) => [each.id, each.status, describeExperiment(each, this.language)]);
    const columns = [say`Experiment`, say`Status`, say`Result`];
    return `<section><h2>${this.#said(say`Experiments`)}</h2>${this.#table(columns, lines)}</section>`;
  }

  #table(columns: readonly string[], lines: readonly (readonly string[])[]): string {
    const heads = columns.map((name) => `<th scope="col">${this.#said(name)}</th>`).join('');
    const rows = lines.map(
      ([first = '', ...rest]) =>
        `<tr><th scope="row">${this.#said(first)}</th>${rest.map((cell) => `<td>${this.#said(cell)}</td>`).join('')}</tr>`,
    );
    return `<div class="scroll" tabindex="0" role="region" aria-label="${this.#said(say`Table`)}"><table><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
  }
}
