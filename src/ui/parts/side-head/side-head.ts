import { localized, msg } from '@lit/localize';
import { html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { styles } from './side-head.styles.js';

/** How a side stands. */
export type SideOutcome =
  | { readonly kind: 'waiting' | 'running' }
  | { readonly kind: 'completes' | 'out-of-memory' | 'going-on'; readonly words: string }
  | { readonly kind: 'refused'; readonly words: string };

/** The head of a side: what it is and how it ends. */
@localized()
@customElement('app-side-head')
export class SideHead extends LitElement {
  static override styles = [controls, styles];
  /** `A` or `B`. */
  @property() letter = 'A';
  @property() heading = '';
  @property() code = '';
  @property({ attribute: false }) outcome: SideOutcome = { kind: 'waiting' };

  override render() {
    return html`
      <div class="head">
        <div class="title">
          <span class="letter">${this.letter}</span>
          <h2 title=${this.heading}>${this.heading}</h2>
        </div>
        ${this.#renderOutcome()}
        <code title=${this.code}>${this.code}</code>
      </div>
    `;
  }

  #renderOutcome() {
    switch (this.outcome.kind) {
      case 'waiting':
        return html`<span class="outcome quiet">${msg('waiting', { desc: 'outcome of a side' })}</span>`;
      case 'running':
        return html`<span class="outcome quiet">${msg('running', { desc: 'outcome of a side' })}</span>`;
      case 'going-on':
        return html`<span class="outcome">${this.outcome.words}</span>`;
      case 'completes':
        return html`<span class="outcome ok">${icons.ok}${this.outcome.words}</span>`;
      case 'out-of-memory':
        return html`<span class="outcome bad">${icons.bad}${this.outcome.words}</span>`;
      case 'refused':
        return html`<span class="outcome refused bad" role="alert">${icons.bad}${this.outcome.words}</span>`;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-side-head': SideHead;
  }
}
