import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { controls } from '../../styles/controls.styles.js';
import { styles } from './plan-bars.styles.js';

/** A part of a bar. */
export interface PlanPart {
  readonly label: string;
  /** On the scale of all bars. */
  readonly value: number;
  /** With its unit. */
  readonly shown: string;
  /** Letter of its category, `left` for what nothing takes, '' for none. */
  readonly category: string;
}

export interface PlanBar {
  /** Over the bar; '' where its only part says it. */
  readonly label: string;
  readonly parts: readonly PlanPart[];
}

/** A line that the bars stand against. */
export interface PlanLimit {
  readonly value: number;
  readonly label: string;
}

/** Sums as bars on one scale, each part with its name and number; a limit as a dashed line through them. */
@localized()
@customElement('app-plan-bars')
export class PlanBars extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) bars: readonly PlanBar[] = [];
  @property({ attribute: false }) limit: PlanLimit | undefined;
  /** Shows names and empty bars only: the question is not answered yet. */
  @property({ type: Boolean }) hides = false;

  override render() {
    const { bars, limit } = this;
    const most = Math.max(limit?.value ?? 0, ...bars.map(({ parts }) => sum(parts)));
    return html`
      ${limit === undefined ? nothing : html`<p class="name">${this.#limitWords(limit)}</p>`}
      <ul>
        ${bars.map((bar) => this.#renderBar(bar, most))}
      </ul>
    `;
  }

  #limitWords({ label }: PlanLimit): string {
    return msg(str`The dashed line is ${label}.`, { desc: 'plan bars: what the line through the bars stands for' });
  }

  #renderBar({ label, parts }: PlanBar, most: number): TemplateResult {
    const [only] = parts;
    const isSingle = parts.length === 1 && only !== undefined && label === '';
    return html`
      <li>
        <p class="name">
          <span>${isSingle ? html`${swatch(only)} ${only.label}` : label}</span>
          ${isSingle && !this.hides ? html`<b>${only.shown}</b>` : nothing}
        </p>
        ${this.#renderShapes(parts, most)}
        ${
          isSingle
            ? nothing
            : html`<p class="name parts">
                ${parts.map((part) => html`<span>${swatch(part)} ${part.label} ${this.hides ? nothing : html`<b>${part.shown}</b>`}</span>`)}
              </p>`
        }
      </li>
    `;
  }

  #renderShapes(parts: readonly PlanPart[], most: number): TemplateResult {
    const scale = most === 0 ? 0 : 100 / most;
    let x = 0;
    const shapes = parts.map(({ value, category }) => {
      const shape = svg`<rect class=${category} x=${x} width=${value * scale} height="10" />`;
      x += value * scale;
      return shape;
    });
    const limit = (this.limit?.value ?? 0) * scale;
    return html`
      <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        ${this.hides ? svg`<rect class="waiting" width="100" height="10" />` : shapes}
        ${limit > 0 && !this.hides ? svg`<line class="limit" x1=${limit} x2=${limit} y1="-2" y2="12" />` : nothing}
      </svg>
    `;
  }
}

/** The letter of a part's category in its colour: what the map has too. */
const swatch = ({ category }: PlanPart): TemplateResult | typeof nothing =>
  category === '' ? nothing : html`<i class=${`swatch ${category}`} aria-hidden="true">${category}</i>`;

const sum = (parts: readonly PlanPart[]): number => parts.reduce((all, { value }) => all + value, 0);

declare global {
  interface HTMLElementTagNameMap {
    'app-plan-bars': PlanBars;
  }
}
