import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { DEFAULT_SETTINGS, type RunSettings, type SettingsProblems } from '../../../app/settings.js';
import { presetWords, problemWords } from '../../../app/words.js';
import { PRESETS } from '../../../model/report/schema.js';
import { SettingsChangedEvent } from '../../events.js';
import { block } from '../../styles/block.styles.js';
import { controls } from '../../styles/controls.styles.js';
import { field } from '../../styles/field.styles.js';
import { styles } from './run-settings.styles.js';

type TextField = 'filter' | 'budget' | 'seed';

/** How to run: preset, filter, budget and seed. A field that cannot be used says why, under itself. */
@localized()
@customElement('app-run-settings')
export class RunSettingsForm extends LitElement {
  static override styles = [controls, block, field, styles];
  @property({ attribute: false }) settings: RunSettings = DEFAULT_SETTINGS;
  @property({ attribute: false }) problems: SettingsProblems = {};
  @property({ type: Boolean }) disabled = false;

  override render() {
    return html`
      <header><h2>${msg('Run settings', { desc: 'heading' })}</h2></header>
      <fieldset ?disabled=${this.disabled}>
        <legend class="unseen">${msg('Preset', { desc: 'how long a run takes' })}</legend>
        ${PRESETS.map(
          (preset) => html`
            <label class="preset">
              <input
                type="radio"
                name="preset"
                value=${preset}
                .checked=${preset === this.settings.preset}
                @change=${() => this.dispatchEvent(new SettingsChangedEvent({ preset }))}
              />
              <span>${presetWords(preset)}</span>
            </label>
          `,
        )}
      </fieldset>
      <div class="fields">
        ${this.#renderField('filter', msg('Filter', { desc: 'field: which rows to run' }), 'tiers/global/.*')}
        ${this.#renderField('budget', msg('Budget', { desc: 'field: most bytes of buffers' }), '1 GiB')}
        ${this.#renderField('seed', msg('Seed', { desc: 'field: seed of the random numbers' }), '1')}
      </div>
    `;
  }

  #renderField(field: TextField, label: string, placeholder: string) {
    const problem = problemWords(this.problems, field);
    return html`
      <label class="field ${problem === undefined ? '' : 'refused'}">
        ${label}
        <input
          type="text"
          name=${field}
          spellcheck="false"
          autocomplete="off"
          maxlength="500"
          inputmode=${field === 'seed' ? 'numeric' : 'text'}
          placeholder=${placeholder}
          aria-invalid=${problem === undefined ? 'false' : 'true'}
          aria-describedby=${problem === undefined ? nothing : `${field}-problem`}
          ?disabled=${this.disabled}
          .value=${this.settings[field]}
          @input=${(event: InputEvent) => this.#onInput(field, event)}
        />
        ${
          problem === undefined
            ? nothing
            : html`<span class="problem" id="${field}-problem" role="alert">${problem}</span>`
        }
      </label>
    `;
  }

  #onInput(field: TextField, event: InputEvent): void {
    if (!(event.target instanceof HTMLInputElement)) return;
    this.dispatchEvent(new SettingsChangedEvent({ [field]: event.target.value }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-run-settings': RunSettingsForm;
  }
}
