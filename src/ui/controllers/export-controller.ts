import { msg, str } from '@lit/localize';
import { type ReactiveController, type ReactiveControllerHost } from 'lit';
import { type ExportFormat } from '../../app/export-formats.js';
import { reportFileName, reportOf, type StartedRun } from '../../app/run-report.js';
import { runDate } from '../../app/words.js';
import { adapterName } from '../../model/report/present.js';
import { type RunCharts } from '../pages/measure-page/run-charts.js';
import { saveFile } from '../pages/measure-page/save-file.js';

/** Takes a run out of the page as a file, a picture or a link, and says that it did. Writers are loaded when needed. */
export class ExportController implements ReactiveController {
  #told = '';

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#told = '';
  }

  /** The last thing that was done, for a status region. */
  get told(): string {
    return this.#told;
  }

  async save(run: StartedRun, format: ExportFormat): Promise<void> {
    const { exportReport } = await import('../../app/exports.js');
    const { name, type, text } = exportReport(reportOf(run), format);
    saveFile(name, new Blob([text], { type }));
    this.#tell(msg(str`Saved ${name}.`, { desc: 'status: after an export' }));
  }

  /** `charts` in the colours of the theme on screen; `wanted` says which. */
  async savePicture(run: StartedRun, charts: RunCharts, wanted: readonly string[]): Promise<void> {
    const { pictureOf } = await import('../pages/measure-page/picture.js');
    const report = reportOf(run);
    const { environment } = report;
    const adapter = environment === undefined ? '' : adapterName(environment);
    const isSoftware = environment?.adapter.class === 'software';
    const text = {
      source: [adapter, runDate(report.createdAt)].filter((part) => part !== '').join(', '),
      mark: isSoftware ? msg('Software adapter, no GPU', { desc: 'mark in a picture of charts' }) : '',
      barsTitle: msg('Bandwidth by tier', { desc: 'title of the chart' }),
    };
    const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
    const name = reportFileName(report, `-${wanted.length > 1 ? 'charts' : (wanted[0] ?? 'chart')}.png`);
    saveFile(name, await pictureOf(charts, wanted, text, theme));
    this.#tell(msg(str`Saved ${name}.`, { desc: 'status: after an export' }));
  }

  async copyLink(link: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      // Not allowed here, or the page lost the focus: the address bar has the same link.
      this.#tell(msg('The browser did not let the link be copied. The address bar shows it.', { desc: 'status' }));
      return;
    }
    this.#tell(msg('The link was copied.', { desc: 'status' }));
  }

  #tell(words: string): void {
    this.#told = words;
    this.host.requestUpdate();
  }
}
