import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, svg } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { BatchPoint } from '../../../app/plan-work.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { FrameController } from '../../controllers/frame-controller.js';
import { chart } from '../../styles/chart.styles.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { styles } from './batch-chart.styles.js';

const MARGIN = { left: 56, right: 16, top: 12, bottom: 28 } as const;

/** Memory over the batch: what is reserved and what is allocated, the card as a line, a flag where it runs out. */
@localized()
@customElement('app-batch-chart')
export class BatchChart extends LitElement {
  static override styles = [controls, table, chart, styles];
  @property({ attribute: false }) points: readonly BatchPoint[] = [];
  @property({ type: Number }) capacity = 0;
  /** The batch that is planned. */
  @property({ type: Number }) planned = 0;
  /** The largest that completes; undefined while it is looked for. */
  @property({ attribute: false }) largest: number | undefined = undefined;
  /** Why there is nothing to draw, '' where there is. */
  @property() note = '';
  @state() private showsTable = false;
  @state() private cursor: number | undefined;
  @query('.plot') private readonly plot!: HTMLElement | null;
  readonly #frame = new FrameController(this, () => this.plot ?? undefined);

  override render() {
    const heading = msg('Memory over the batch', { desc: 'plan: heading of the chart' });
    return html`
      <figure>
        <figcaption>
          <h2>${heading}</h2>
          <p class="quiet">${this.#summary()}</p>
          <div class="tools">
            <button class="text" aria-pressed=${this.showsTable ? 'true' : 'false'} @click=${this.#onTable}>
              ${msg('Table', { desc: 'button: shows the numbers of the chart' })}
            </button>
          </div>
        </figcaption>
        ${this.showsTable ? this.#renderTable() : this.#renderPlot(heading)}
      </figure>
    `;
  }

  #summary(): string {
    if (this.note !== '') return this.note;
    if (this.largest === undefined) return msg('Looking for the largest batch', { desc: 'plan: while it is searched' });
    if (this.largest === 0) return msg('Not even one sequence fits', { desc: 'plan: result of the search' });
    const largest = formatNumber(this.largest);
    return msg(str`${largest} is the largest that completes`, { desc: 'plan: result of the search for a batch' });
  }

  #renderTable() {
    return html`
      <div
        class="scroll"
        tabindex="0"
        role="group"
        aria-label=${msg('Memory over the batch', { desc: 'plan: heading of the chart' })}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">${msg('Batch', { desc: 'plan: column' })}</th>
              <th scope="col" class="number">${msg('Allocated', { desc: 'plan: column' })}</th>
              <th scope="col" class="number">${msg('Reserved', { desc: 'plan: column' })}</th>
              <th scope="col">${msg('On the card', { desc: 'plan: column, completes or not' })}</th>
            </tr>
          </thead>
          <tbody>
            ${this.points.map(
              ({ batch, allocated, reserved, fits }) => html`
                <tr>
                  <th scope="row">${formatNumber(batch)}</th>
                  <td class="number">${formatBytes(allocated)}</td>
                  <td class="number">${formatBytes(reserved)}</td>
                  <td>${fitWords(fits)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `;
  }

  #renderPlot(heading: string) {
    return html`
      <div
        class="plot"
        tabindex="0"
        role="application"
        aria-roledescription=${msg('chart', { desc: 'kind of element, for screen readers' })}
        aria-label="${heading}. ${this.#summary()}. ${msg('Arrow keys read the points, Table shows them all.', {
          desc: 'name of the chart: how to read it',
        })}"
        @keydown=${this.#onKey}
        @blur=${this.#onLeave}
      >
        ${this.#drawing()}
      </div>
      <p class="unseen" role="status">${this.#cursorWords()}</p>
    `;
  }

  #cursorWords(): string {
    const point = this.cursor === undefined ? undefined : this.points[this.cursor];
    if (point === undefined) return '';
    const [batch, allocated, reserved] = [
      formatNumber(point.batch),
      formatBytes(point.allocated),
      formatBytes(point.reserved),
    ];
    const fits = fitWords(point.fits);
    return msg(str`Batch ${batch}: ${allocated} allocated, ${reserved} reserved, ${fits}`, {
      desc: 'plan: the point of the chart that is looked at',
    });
  }

  #drawing() {
    const { width, height, scale } = this.#frame.value;
    const { points, capacity } = this;
    if (width === 0 || points.length === 0) return nothing;
    const [left, right, top, bottom] = [MARGIN.left, MARGIN.right, MARGIN.top, MARGIN.bottom].map(
      (each) => each * scale,
    );
    const most = Math.max(capacity, ...points.map(({ reserved }) => reserved)) * 1.05;
    const last = Math.max(2, points[points.length - 1]?.batch ?? 2);
    const x = (batch: number) => (left ?? 0) + ((batch - 1) / (last - 1)) * (width - (left ?? 0) - (right ?? 0));
    const y = (bytes: number) => (top ?? 0) + (1 - bytes / most) * (height - (top ?? 0) - (bottom ?? 0));
    const path = (pick: (point: BatchPoint) => number) =>
      points
        .map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point.batch).toFixed(1)} ${y(pick(point)).toFixed(1)}`)
        .join('');
    const floor = y(0);
    const failing = points.find(({ fits }) => !fits);
    const looked = this.cursor === undefined ? undefined : points[this.cursor];
    const ticks = ticksOf(last);
    return html`
      <svg viewBox="0 0 ${width} ${height}" aria-hidden="true">
        ${[0.25, 0.5, 0.75, 1].map((share) => {
          const at = y(capacity * share);
          return svg`
            <line class="grid" x1=${left} x2=${width - (right ?? 0)} y1=${at} y2=${at}></line>
            <text class="tick end" x=${(left ?? 0) - 6} y=${at}>${formatBytes(capacity * share)}</text>
          `;
        })}
        ${ticks.map((batch) => svg`<text class="tick middle" x=${x(batch)} y=${floor + 16 * scale}>${formatNumber(batch)}</text>`)}
        <line class="axis" x1=${left} x2=${width - (right ?? 0)} y1=${floor} y2=${floor}></line>
        ${this.planned > 0 && this.planned <= last ? svg`<line class="planned" x1=${x(this.planned)} x2=${x(this.planned)} y1=${top} y2=${floor}></line>` : nothing}
        <path class="allocated" d=${path(({ allocated }) => allocated)}></path>
        <path class="reserved" d=${path(({ reserved }) => reserved)}></path>
        ${points.map(
          ({ batch, reserved, allocated }) => svg`
          <circle class="reserved" cx=${x(batch)} cy=${y(reserved)} r=${2.5 * scale}></circle>
          <rect class="allocated" x=${x(batch) - 2.5 * scale} y=${y(allocated) - 2.5 * scale} width=${5 * scale} height=${5 * scale}></rect>
        `,
        )}
        <line class="capacity" x1=${left} x2=${width - (right ?? 0)} y1=${y(capacity)} y2=${y(capacity)}></line>
        ${
          failing === undefined
            ? nothing
            : svg`
                <line class="failure" x1=${x(failing.batch)} x2=${x(failing.batch)} y1=${y(capacity)} y2=${floor}></line>
                <path class="flag" d="M${x(failing.batch)} ${y(capacity)}l${9 * scale} ${4 * scale}l${-9 * scale} ${4 * scale}z"></path>
              `
        }
        ${looked === undefined ? nothing : svg`<line class="cursor" x1=${x(looked.batch)} x2=${x(looked.batch)} y1=${top} y2=${floor}></line>`}
        <text
          class="label reserved"
          x=${width - (right ?? 0)}
          y=${y(points[points.length - 1]?.reserved ?? 0) - 8 * scale}
        >
          ${msg('reserved', { desc: 'plan: line of the chart' })}
        </text>
        <text
          class="label allocated"
          x=${width - (right ?? 0)}
          y=${y(points[points.length - 1]?.allocated ?? 0) + 16 * scale}
        >
          ${msg('allocated', { desc: 'plan: line of the chart' })}
        </text>
      </svg>
    `;
  }

  readonly #onTable = (): void => {
    this.showsTable = !this.showsTable;
    this.cursor = undefined;
  };

  readonly #onLeave = (): void => {
    this.cursor = undefined;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const last = this.points.length - 1;
    const now = this.cursor ?? -1;
    const next = { ArrowRight: Math.min(last, now + 1), ArrowLeft: Math.max(0, now - 1), Home: 0, End: last }[
      event.key
    ];
    if (next === undefined || last < 0) return;
    event.preventDefault();
    this.cursor = next;
  };
}

/** About six whole numbers from 1 to the last. */
function ticksOf(last: number): number[] {
  const step = Math.max(1, Math.ceil((last - 1) / 5));
  const ticks: number[] = [];
  for (let batch = 1; batch <= last; batch += step) ticks.push(batch);
  return ticks;
}

function fitWords(fits: boolean): string {
  return fits
    ? msg('completes', { desc: 'plan: a batch on the card' })
    : msg('out of memory', { desc: 'plan: a batch on the card' });
}

declare global {
  interface HTMLElementTagNameMap {
    'app-batch-chart': BatchChart;
  }
}
