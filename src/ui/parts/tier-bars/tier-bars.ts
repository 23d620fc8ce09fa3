import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { formatSignificant } from '../../../base/format.js';
import { drawBarChart, type TierBar } from '../../../model/report/charts/bar-chart.js';
import { FrameController } from '../../controllers/frame-controller.js';
import { PictureRequestedEvent } from '../../events.js';
import { chart } from '../../styles/chart.styles.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { softwareMark } from '../badge.js';
import { drawing } from '../drawing.js';
import { styles } from './tier-bars.styles.js';

/** Bandwidth by tier: one bar a tier on a log axis, or why it has none; the same as a table behind a toggle. */
@localized()
@customElement('app-tier-bars')
export class TierBars extends LitElement {
  static override styles = [controls, table, chart, styles];
  @property({ attribute: false }) bars: readonly TierBar[] = [];
  @property() badge: AdapterBadge = 'asking';
  @state() private showsTable = false;
  @query('.plot') private readonly plot!: HTMLElement | null;
  readonly #frame = new FrameController(this, () => this.plot ?? undefined);

  override render() {
    const { bars } = this;
    return html`
      <figure>
        <figcaption>
          <h2>${msg('Bandwidth by tier', { desc: 'title of the chart' })}</h2>
          ${bars.length > 0 ? softwareMark(this.badge) : nothing}
          <div class="tools">
            <button
              class="text"
              aria-pressed=${this.showsTable ? 'true' : 'false'}
              @click=${() => (this.showsTable = !this.showsTable)}
            >
              ${msg('Table', { desc: 'button: shows the numbers of the chart' })}
            </button>
            <button
              class="text"
              ?disabled=${bars.length === 0}
              @click=${() => this.dispatchEvent(new PictureRequestedEvent(['tiers']))}
            >
              ${msg('PNG', { desc: 'button: saves the chart as a picture' })}
            </button>
          </div>
        </figcaption>
        ${
          bars.length === 0
            ? this.#renderEmpty()
            : html`<p class="quiet">${this.#detail()}</p>
                ${this.#renderFigures()}`
        }
      </figure>
    `;
  }

  #renderEmpty() {
    return html`<p class="hint empty">${msg('Run tiers to draw this.', { desc: 'in the empty chart' })}</p>`;
  }

  #renderFigures() {
    if (this.showsTable) return barTable(this.bars);
    const words = this.bars.map(barWords).join(' ');
    return html`
      <div
        class="plot"
        role="img"
        aria-label=${msg(str`Bandwidth by tier, decimal GB/s. ${words}`, { desc: 'name of the bar chart' })}
      >
        ${drawing(drawBarChart(this.bars, 'GB/s', this.#frame.value), this.#frame.value)}
      </div>
    `;
  }

  #detail(): string {
    const hasRange = this.bars.some((bar) => bar.kind === 'measured' && bar.basis === 'range');
    const hasDerived = this.bars.some((bar) => bar.kind === 'measured' && bar.derived);
    const whisker = hasRange
      ? msg('log scale, whisker = range of samples', { desc: 'subtitle of the bar chart' })
      : msg('log scale, whisker = 95 % interval', { desc: 'subtitle of the bar chart' });
    return hasDerived ? msg(str`${whisker}, dashed = derived`, { desc: 'subtitle of the bar chart' }) : whisker;
  }
}

function barWords(bar: TierBar): string {
  if (bar.kind === 'not-resolved') return `${bar.name}: ${bar.reason}.`;
  return `${bar.name}, ${bar.detail}: ${formatSignificant(bar.value)}.`;
}

function barTable(bars: readonly TierBar[]): TemplateResult {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${msg('Numbers of the chart', { desc: 'region' })}>
      <table>
        <thead>
          <tr>
            <th scope="col">${msg('Tier', { desc: 'column' })}</th>
            <th scope="col" class="number">GB/s</th>
            <th scope="col" class="number">${msg('From', { desc: 'column: low end of the whisker' })}</th>
            <th scope="col" class="number">${msg('To', { desc: 'column: high end of the whisker' })}</th>
            <th scope="col">${msg('How', { desc: 'column: how the figure was got, or why there is none' })}</th>
          </tr>
        </thead>
        <tbody>
          ${bars.map((bar) => barRow(bar))}
        </tbody>
      </table>
    </div>
  `;
}

function barRow(bar: TierBar): TemplateResult {
  if (bar.kind === 'not-resolved') {
    return html`<tr>
      <th scope="row">${bar.name}</th>
      <td class="number" colspan="3">${msg('no figure', { desc: 'table of the tiers' })}</td>
      <td>${bar.reason}</td>
    </tr>`;
  }
  const how = bar.derived ? msg(str`${bar.id}, derived`, { desc: 'table of the tiers: row and how' }) : bar.id;
  return html`<tr>
    <th scope="row">${bar.name}</th>
    <td class="number">${formatSignificant(bar.value)}</td>
    <td class="number">${formatSignificant(bar.low)}</td>
    <td class="number">${formatSignificant(bar.high)}</td>
    <td>${how}</td>
  </tr>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'app-tier-bars': TierBars;
  }
}
