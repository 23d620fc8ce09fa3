/** Every form in which a run can leave the page as text. Loaded when one is asked for. */
import { assertNever } from '../base/errors.js';
import { type Report } from '../model/report/schema.js';
import { toCsv } from '../model/report/to-csv.js';
import { toHtml } from '../model/report/to-html.js';
import { toJunit } from '../model/report/to-junit.js';
import { toMarkdown } from '../model/report/to-markdown.js';
import { toRowsCsv } from '../model/report/to-rows-csv.js';
import { reportLanguage } from './chart-words.js';
import { type ExportFormat } from './export-formats.js';
import { reportFileName } from './run-report.js';

export interface ExportedFile {
  readonly name: string;
  /** MIME type. */
  readonly type: string;
  readonly text: string;
}

/** The file of a report in one format. Its name carries the adapter's class, and `incomplete` where it is. */
export function exportReport(report: Report, format: ExportFormat): ExportedFile {
  const name = (ending: string) => reportFileName(report, ending);
  switch (format) {
    case 'json':
      return { name: name('.json'), type: 'application/json', text: `${JSON.stringify(report, undefined, 1)}\n` };
    case 'rows':
      return { name: name('-rows.csv'), type: 'text/csv', text: toRowsCsv(report) };
    case 'samples':
      return { name: name('-samples.csv'), type: 'text/csv', text: toCsv(report) };
    case 'markdown':
      return { name: name('.md'), type: 'text/markdown', text: toMarkdown(report) };
    case 'junit':
      return { name: name('.xml'), type: 'application/xml', text: toJunit(report) };
    case 'html':
      return { name: name('.html'), type: 'text/html', text: toHtml(report, reportLanguage()) };
    default:
      return assertNever(format);
  }
}
