import { localized, msg } from '@lit/localize';
import { css, html, LitElement } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { type ModelSettings } from '../../../app/model-settings.js';
import { type Row } from '../../../model/report/schema.js';
import { controls } from '../../styles/controls.styles.js';
import '../../parts/tier-bars/tier-bars.js';
import '../../parts/training-time/training-time.js';
import { type RunCharts } from './run-charts.js';

const styles = css`
  :host {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    min-block-size: 0;
  }
  .choice {
    display: flex;
    gap: 0.125rem;
    padding: var(--space-2) var(--space-3) 0;
  }
  :host > :last-child {
    padding-block-start: var(--space-1);
  }
`;

/** The pane beside the results: bandwidth by tier, or what the figures mean for training. */
@localized()
@customElement('app-side-pane')
export class SidePane extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) bars!: RunCharts['bars'];
  @property({ attribute: false }) rows: readonly Row[] = [];
  @property({ attribute: false }) model!: ModelSettings;
  @property({ attribute: false }) badge: AdapterBadge = 'asking';
  @state() private side: 'tiers' | 'training' = 'tiers';

  override render() {
    const choice = (side: 'tiers' | 'training', words: string) => html`
      <button class="text" aria-pressed=${this.side === side ? 'true' : 'false'} @click=${() => (this.side = side)}>
        ${words}
      </button>
    `;
    return html`
      <div class="choice" role="group" aria-label=${msg('What to show', { desc: 'name of the choice' })}>
        ${choice('tiers', msg('Tiers', { desc: 'choice: bandwidth by tier' }))}
        ${choice('training', msg('For training', { desc: 'choice: what the figures mean for training' }))}
      </div>
      ${
        this.side === 'tiers'
          ? html`<app-tier-bars .bars=${this.bars} .badge=${this.badge}></app-tier-bars>`
          : html`<app-training-time .rows=${this.rows} .model=${this.model} .badge=${this.badge}></app-training-time>`
      }
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-side-pane': SidePane;
  }
}
