import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { modelWords } from '../../../app/model-words.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { countRows, type RowCounts } from '../../../app/rows.js';
import { isActive, recordOf, type RunContent, type RunState } from '../../../app/run-state.js';
import { countsWords, runDate, timeLeftWords } from '../../../app/words.js';
import { formatDuration, formatNumber } from '../../../base/format.js';
import { type Report } from '../../../model/report/schema.js';
import { type Progress } from '../../../engine/protocol.js';
import { PoliteController } from '../../controllers/polite-controller.js';
import { RunCancelledEvent, RunRequestedEvent, RunsRequestedEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { softwareMark } from '../badge.js';
import '../export-menu/export-menu.js';
import { styles } from './run-bar.styles.js';

const SEGMENTS = ['clean', 'flagged', 'failed', 'skipped'] as const;

/** How the run stands and what can be done about it. Its events ask the parent to run, cancel and export. */
@localized()
@customElement('app-run-bar')
export class RunBar extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) run: RunState = { phase: 'idle' };
  @property() badge: AdapterBadge = 'asking';
  /** False while settings or the adapter do not allow a run. */
  @property({ type: Boolean, attribute: false }) canRun = true;
  /** Why a run is not possible, in words; '' when it is. */
  @property() obstacle = '';
  /** How many runs the browser keeps. */
  @property({ type: Number }) keptRuns = 0;
  readonly #polite = new PoliteController(this);

  override willUpdate(): void {
    const { run } = this;
    if (run.phase === 'running') this.#polite.progress(progressWords(run.record, run.progress));
    else if (run.phase !== 'idle') this.#polite.tell(`${headWords(run)}. ${countsWords(countsOf(run.record))}`);
  }

  override render() {
    const record = recordOf(this.run);
    return html`
      <p class="line">${this.#renderLine()}</p>
      ${record === undefined ? html`<div class="progress"></div>` : renderProgress(this.run, record)}
      <div class="actions">${this.#renderActions()}</div>
      <p class="unseen" role="status" aria-live="polite">${this.#polite.text}</p>
    `;
  }

  #renderLine(): TemplateResult {
    const { run } = this;
    const mark = softwareMark(this.badge);
    switch (run.phase) {
      case 'idle':
        return html`<b>${headWords(run)}</b> ${mark}<span class="why">${this.obstacle}</span>`;
      case 'running':
      case 'cancelling':
        return html`
          <b>${headWords(run)}</b>
          <code>${run.progress.id}</code>
          ${renderFlagged(countsOf(run.record))} ${mark}
          ${
            run.progress.remainingNs === undefined || run.phase === 'cancelling'
              ? nothing
              : html`<span class="left">${timeLeftWords(run.progress.remainingNs)}</span>`
          }
        `;
      case 'done':
      case 'stopped':
        return html`
          <b>${headWords(run)}</b> ${mark}
          <span class="why">${this.obstacle === '' ? countsWords(countsOf(run.record)) : this.obstacle}</span>
        `;
      case 'opened':
        return html`
          <b>${headWords(run)}</b> ${mark}
          <span class="why">${this.obstacle === '' ? openedWords(run.report, run.record) : this.obstacle}</span>
        `;
      case 'failed':
        return html`<b>${headWords(run)}</b> ${mark}<span class="why bad">${modelWords(run.message)}</span>`;
    }
  }

  #renderActions() {
    const { phase } = this.run;
    const hasRows = countsSum(countsOf(recordOf(this.run))) > 0;
    const runWords =
      phase === 'idle' || phase === 'opened'
        ? msg('Run', { desc: 'button: starts a run' })
        : msg('Run again', { desc: 'button' });
    return html`
      ${
        isActive(this.run)
          ? html`<button
              ?disabled=${phase === 'cancelling'}
              @click=${() => this.dispatchEvent(new RunCancelledEvent())}
            >
              ${msg('Cancel', { desc: 'button: stops the run, keeps what was measured' })}
            </button>`
          : html`<button
              class="primary"
              ?disabled=${!this.canRun}
              @click=${() => this.dispatchEvent(new RunRequestedEvent())}
            >
              ${runWords}
            </button>`
      }
      <button @click=${() => this.dispatchEvent(new RunsRequestedEvent())}>
        ${
          this.keptRuns === 0
            ? msg('Runs', { desc: 'button: opens the list of kept runs, where two can be compared' })
            : msg(str`Runs (${formatNumber(this.keptRuns)})`, { desc: 'button: opens the list of kept runs' })
        }
      </button>
      <app-export-menu .disabled=${!hasRows}></app-export-menu>
    `;
  }
}

function headWords(run: RunState): string {
  switch (run.phase) {
    case 'idle':
      return msg('No run yet', { desc: 'run bar' });
    case 'running':
      return run.progress.total === 0
        ? msg('Starting', { desc: 'run bar: before the first row' })
        : placeWords(run.progress);
    case 'cancelling':
      return msg('Cancelling', { desc: 'run bar' });
    case 'done':
      return msg(str`Done in ${formatDuration(run.tookNs)}`, { desc: 'run bar' });
    case 'opened':
      return run.name === '' ? runDate(run.record.createdAt) : run.name;
    case 'stopped':
      return msg(str`Stopped after ${formatDuration(run.tookNs)}, incomplete`, { desc: 'run bar' });
    case 'failed':
      return msg(str`Failed after ${formatDuration(run.tookNs)}, incomplete`, { desc: 'run bar' });
  }
}

/** Rows of the round in work, and which round it is where the run comes back to its rows. */
function placeWords({ done, total, round }: Progress): string {
  const [own, rows] = round === undefined ? [done, total] : [round.done, round.rows];
  const words = msg(str`${formatNumber(own)} of ${formatNumber(rows)} rows`, { desc: 'run bar: progress' });
  if (round === undefined || round.of === 1) return words;
  return msg(str`Round ${formatNumber(round.number)} of ${formatNumber(round.of)}: ${words}`, {
    desc: 'run bar: progress where rows are measured in several rounds; then comes, for example, "16 of 117 rows"',
  });
}

/** What an opened run is: its counts, and whether it is whole. */
function openedWords(report: Report, record: RunContent): string {
  const counts = countsWords(countsOf(record));
  return report.complete
    ? msg(str`kept run: ${counts}`, { desc: 'run bar: an opened run' })
    : msg(str`kept run, incomplete: ${counts}`, { desc: 'run bar: an opened run' });
}

const progressWords = (record: RunContent, progress: Progress): string =>
  progress.total === 0
    ? msg('The run starts.', { desc: 'screen reader: progress' })
    : msg(str`${placeWords(progress)}, ${formatNumber(countsOf(record).flagged)} flagged`, {
        desc: 'screen reader: progress; begins with, for example, "Round 1 of 3: 16 of 117 rows"',
      });

/** Experiments count by their status too; they carry no flags. */
function countsOf(record: RunContent | undefined): RowCounts {
  if (record === undefined) return { clean: 0, flagged: 0, failed: 0, skipped: 0 };
  const counts = countRows(record.rows);
  const count = (status: string) => record.experiments.filter((experiment) => experiment.status === status).length;
  return {
    clean: counts.clean + count('measured'),
    flagged: counts.flagged,
    failed: counts.failed + count('failed'),
    skipped: counts.skipped + count('skipped'),
  };
}
const countsSum = (counts: RowCounts): number => SEGMENTS.reduce((sum, name) => sum + counts[name], 0);

function renderFlagged({ flagged, failed }: RowCounts) {
  return html`
    ${
      flagged === 0
        ? nothing
        : html`<span class="status warn"
            >${icons.warn}${msg(str`${formatNumber(flagged)} flagged`, { desc: 'run bar' })}</span
          >`
    }
    ${
      failed === 0
        ? nothing
        : html`<span class="status bad"
            >${icons.bad}${msg(str`${formatNumber(failed)} failed`, { desc: 'run bar' })}</span
          >`
    }
  `;
}

/** How much of a run is done: rows times rounds while it runs, the rows that came in after its end. */
function shareOf(run: RunState, sum: number, planned: number): readonly [done: number, total: number] {
  if (isActive(run) && run.progress.total > 0) return [run.progress.done, run.progress.total];
  return [sum, Math.max(sum, planned, 1)];
}

function renderProgress(run: RunState, record: RunContent) {
  const counts = countsOf(record);
  const sum = countsSum(counts);
  const [done, total] = shareOf(run, sum, record.planned.length);
  // The rows that are in fill the part of the bar that is done: a run comes back to them for more samples.
  const length = sum === 0 || done === 0 ? 1 : (sum * total) / done;
  let at = 0;
  const segments = SEGMENTS.map((name) => {
    const from = at;
    at += counts[name];
    return svg`<rect class=${name} x=${from} y="0" width=${counts[name]} height="1"/>`;
  });
  return html`
    <div
      class="progress"
      role="progressbar"
      aria-label=${msg('Run', { desc: 'name of the progress bar' })}
      aria-valuemin="0"
      aria-valuenow=${done}
      aria-valuemax=${total}
      aria-valuetext=${isActive(run) ? nothing : countsWords(counts)}
    >
      <svg viewBox="0 0 ${length} 1" preserveAspectRatio="none" aria-hidden="true">${segments}</svg>
    </div>
  `;
}

declare global {
  interface HTMLElementTagNameMap {
    'app-run-bar': RunBar;
  }
}
