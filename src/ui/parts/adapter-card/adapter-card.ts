import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { adapterName, type AdapterState, badgeOf } from '../../../app/adapter-state.js';
import { type Environment } from '../../../model/report/schema.js';
import { AdapterRequestedEvent } from '../../events.js';
import { block } from '../../styles/block.styles.js';
import { controls } from '../../styles/controls.styles.js';
import { adapterBadge } from '../badge.js';
import { styles } from './adapter-card.styles.js';
import { adapterFacts, adapterHint } from './adapter-facts.js';

/** What the figures come from. Asks its parent to look again after a loss. */
@localized()
@customElement('app-adapter-card')
export class AdapterCard extends LitElement {
  static override styles = [controls, block, styles];
  @property({ attribute: false }) state: AdapterState = { kind: 'asking' };

  override render() {
    return html`
      <header>
        <h2>${msg('Adapter', { desc: 'heading of the adapter card' })}</h2>
        ${adapterBadge(badgeOf(this.state))}
      </header>
      ${this.#renderState()}
    `;
  }

  #renderState() {
    switch (this.state.kind) {
      case 'asking':
        return html`<p class="hint" role="status">${msg('Asking the browser.', { desc: 'adapter card' })}</p>`;
      case 'ready':
        return this.#renderFacts(this.state.environment);
      case 'none':
        return html`<p class="hint">${msg('The browser gives no WebGPU adapter.', { desc: 'adapter card' })}</p>`;
      case 'lost':
        return html`
          ${this.state.environment === undefined ? nothing : this.#renderName(this.state.environment)}
          <p class="hint" role="status">
            ${msg('The device was lost. Figures measured before that are kept. A new one has to be asked for.', {
              desc: 'adapter card after a loss',
            })}
          </p>
          <p>
            <button @click=${() => this.dispatchEvent(new AdapterRequestedEvent())}>
              ${msg('Recover', { desc: 'button: ask for a new adapter and device' })}
            </button>
          </p>
        `;
    }
  }

  #renderName({ adapter }: Environment) {
    const name = adapterName(adapter);
    return name === undefined
      ? html`<p class="lead masked">${msg('empty', { desc: 'name of an adapter that the browser masks' })}</p>`
      : html`<p class="lead">${name}</p>`;
  }

  #renderFacts(environment: Environment) {
    const hint = adapterHint(environment);
    return html`
      ${this.#renderName(environment)}
      <dl>
        ${adapterFacts(environment).map(
          ([name, value]) => html`
            <dt>${name}</dt>
            <dd>${value}</dd>
          `,
        )}
      </dl>
      ${hint === undefined ? nothing : html`<p class="hint">${hint}</p>`}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-adapter-card': AdapterCard;
  }
}
