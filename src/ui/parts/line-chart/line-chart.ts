import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { formatBytes, formatNumber, formatSignificant } from '../../../base/format.js';
import {
  drawLineChart,
  type LineCursor,
  type LineFigure,
  workingSetAt,
} from '../../../model/report/charts/line-chart.js';
import { FrameController } from '../../controllers/frame-controller.js';
import { PictureRequestedEvent } from '../../events.js';
import { chart } from '../../styles/chart.styles.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { softwareMark } from '../badge.js';
import { drawing } from '../drawing.js';
import { moveCursor } from './chart-keys.js';
import { styles } from './line-chart.styles.js';
import { lineTable } from './line-table.js';

const EMPTY: LineFigure = { unit: '', xTitle: '', lines: [], bands: [], note: '' };

/** A chart over working sets and, behind a toggle, the same numbers as a table. */
@localized()
@customElement('app-line-chart')
export class LineChart extends LitElement {
  static override styles = [controls, table, chart, styles];
  @property({ attribute: false }) figure: LineFigure = EMPTY;
  /** Which chart it is, for who makes a picture of it. */
  @property() chartId = '';
  @property({ attribute: false }) heading = '';
  /** What is measured and what the whisker is. */
  @property() detail = '';
  /** What went wrong, '' when nothing did. The plot keeps what it has. */
  @property() trouble = '';
  @property() badge: AdapterBadge = 'asking';
  @state() private showsTable = false;
  @state() private cursor: LineCursor | undefined;
  @query('.plot') private readonly plot!: HTMLElement | null;
  readonly #frame = new FrameController(this, () => this.plot ?? undefined);

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('figure') && this.cursor !== undefined && this.#looked() === undefined) this.cursor = undefined;
  }

  override render() {
    const hasPoints = this.figure.lines.length > 0;
    return html`
      <figure>
        <figcaption>
          <h2>${this.heading}</h2>
          <p class="quiet">${this.detail}</p>
          ${hasPoints ? softwareMark(this.badge) : nothing}
          <div class="tools">
            <button class="text" aria-pressed=${this.showsTable ? 'true' : 'false'} @click=${this.#onTable}>
              ${msg('Table', { desc: 'button: shows the numbers of the chart' })}
            </button>
            <button class="text" ?disabled=${!hasPoints} @click=${this.#onPicture}>
              ${msg('PNG', { desc: 'button: saves the chart as a picture' })}
            </button>
          </div>
        </figcaption>
        ${this.trouble === '' ? nothing : html`<p class="hint trouble" role="alert">${this.trouble}</p>`}
        ${this.showsTable ? lineTable(this.figure) : this.#renderPlot()}
      </figure>
    `;
  }

  #renderPlot() {
    return html`
      <div
        class="plot"
        tabindex="0"
        role="application"
        aria-roledescription=${msg('chart', { desc: 'kind of element, for screen readers' })}
        aria-label=${this.#name()}
        @keydown=${this.#onKey}
        @blur=${this.#onLeave}
        @pointermove=${this.#onPointer}
        @pointerleave=${this.#onLeave}
      >
        ${drawing(drawLineChart(this.figure, this.#frame.value, this.cursor), this.#frame.value)}
      </div>
      <p class="unseen" role="status">${this.#cursorWords()}</p>
    `;
  }

  #name(): string {
    const { heading } = this;
    const { lines, bands, note, unit } = this.figure;
    if (lines.length === 0) return msg(str`${heading}. No figures yet. ${note}`, { desc: 'name of the chart' });
    const ends = lines.map(({ label, points }) => {
      const [first = '', last = ''] = [points[0], points.at(-1)].map((point) => formatSignificant(point?.value ?? 0));
      return msg(str`${label} ${first} ${unit} at the smallest, ${last} at the largest.`, {
        desc: 'name of the chart: ends of one line',
      });
    });
    const tiers = bands.map(({ name, detail }) => `${name}, ${detail}.`);
    const keys = msg('Arrow keys read the points, Table shows them all.', {
      desc: 'name of the chart: how to read it',
    });
    return [`${heading}.`, ...ends, ...tiers, note, keys].filter((part) => part !== '').join(' ');
  }

  #looked() {
    const { cursor } = this;
    const line = this.figure.lines.find(({ series }) => series === cursor?.series);
    const point = line?.points.find(({ workingSet }) => workingSet === cursor?.workingSet);
    return line === undefined || point === undefined ? undefined : { line, point };
  }

  #cursorWords(): string {
    const looked = this.#looked();
    if (looked === undefined) return '';
    const { point } = looked;
    const { label } = looked.line;
    const { unit } = this.figure;
    const [size, value, low, high, samples] = [
      formatBytes(point.workingSet),
      formatSignificant(point.value),
      formatSignificant(point.low),
      formatSignificant(point.high),
      formatNumber(point.samples),
    ];
    return msg(str`${label}, ${size}: ${value} ${unit}, ${low} to ${high}, ${samples} samples`, {
      desc: 'chart: the point that is looked at',
    });
  }

  readonly #onTable = (): void => {
    this.showsTable = !this.showsTable;
    this.cursor = undefined;
  };

  readonly #onPicture = (): boolean => this.dispatchEvent(new PictureRequestedEvent([this.chartId]));

  readonly #onLeave = (): void => {
    this.cursor = undefined;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const next = moveCursor(this.figure.lines, this.cursor, event.key);
    if (next === undefined) return;
    event.preventDefault();
    this.cursor = next;
  };

  readonly #onPointer = (event: PointerEvent): void => {
    const left = this.plot?.getBoundingClientRect().left ?? 0;
    const workingSet = workingSetAt(this.figure, this.#frame.value, event.clientX - left);
    const isThere = (series: 1 | 2) =>
      this.figure.lines.some((line) => line.series === series && line.points.some((p) => p.workingSet === workingSet));
    const wanted = this.cursor?.series ?? 1;
    const series = isThere(wanted) ? wanted : wanted === 1 ? 2 : 1;
    if (workingSet === this.cursor?.workingSet) return;
    this.cursor = workingSet === undefined ? undefined : { workingSet, series };
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'app-line-chart': LineChart;
  }
}
