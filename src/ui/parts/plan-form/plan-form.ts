import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type PlanProblem } from '../../../app/plan-reading.js';
import {
  CARD_FIELDS,
  type CardField,
  type CardFields,
  PLAN_FIELDS,
  type PlanField,
  type PlanFields,
} from '../../../app/plan-view.js';
import { planFieldWords, planProblemWords } from '../../../app/plan-words.js';
import { ALLOCATOR_NAMES } from '../../../model/allocator/names.js';
import { type Architecture } from '../../../model/plan/architecture/architecture.js';
import { ARCHITECTURES } from '../../../model/plan/architecture/presets.js';
import { MODES, OFFLOADS, OPTIMIZERS, PRECISIONS, RECOMPUTES, WEIGHT_FORMATS } from '../../../model/plan/settings.js';
import { CardChangedEvent, ConfigChosenEvent, PlanChangedEvent } from '../../events.js';
import { block } from '../../styles/block.styles.js';
import { controls } from '../../styles/controls.styles.js';
import { planSlider } from './plan-slider.js';
import { styles } from './plan-form.styles.js';

const MOST_ON_SLIDER = { batch: 64, seq: 32_768 } as const;
const SHAPE = ['layers', 'hidden', 'heads', 'vocab'] as const;

/** Model, job and card of a plan. A field that cannot be used says why, under itself. */
@localized()
@customElement('app-plan-form')
export class PlanForm extends LitElement {
  static override styles = [controls, block, styles];
  @property({ attribute: false }) fields: PlanFields = PLAN_FIELDS;
  @property({ attribute: false }) card: CardFields = CARD_FIELDS;
  @property({ attribute: false }) problem: PlanProblem | undefined = undefined;
  /** Of the fields, where it is known: decides how far a sequence may go. */
  @property({ attribute: false }) architecture: Architecture | undefined = undefined;

  override render() {
    const { fields, problem } = this;
    return html`
      ${
        problem === undefined || problem.field !== undefined
          ? nothing
          : html`<p class="problem" role="alert">${planProblemWords(problem)}</p>`
      }
      <section>
        <h2>${msg('Model', { desc: 'plan: heading' })}</h2>
        ${this.#renderModel()}
      </section>
      <section>
        <h2>${msg('Step', { desc: 'plan: heading, batch and sequence' })}</h2>
        ${this.#slider('batch', MOST_ON_SLIDER.batch)}
        ${this.#slider('seq', Math.min(MOST_ON_SLIDER.seq, this.architecture?.positions || MOST_ON_SLIDER.seq))}
      </section>
      <section>
        <h2>${msg('Job', { desc: 'plan: heading, how it is run' })}</h2>
        <div class="fields">
          ${this.#select('mode', MODES)} ${this.#select('precision', PRECISIONS)}
          ${fields.mode === 'inference' ? nothing : this.#renderTraining()}
          ${fields.mode === 'train' ? nothing : this.#select('weights', WEIGHT_FORMATS)} ${this.#text('tp')}
          ${this.#text('pp')} ${fields.pp === '1' && fields.stage === '0' ? nothing : this.#text('stage')}
        </div>
        ${this.#switch('flash')} ${this.#switch('sp')}
        ${fields.mode === 'inference' || fields.precision === 'fp32' ? nothing : this.#switch('master')}
      </section>
      <section>
        <h2>${msg('Card', { desc: 'plan: heading' })}</h2>
        <div class="fields">
          ${this.#cardText('capacity', '80 GiB')}
          ${this.#cardText('context', msg('not known', { desc: 'plan: empty field' }))} ${this.#cardSelect()}
          ${this.#cardText('conf', '')}
        </div>
      </section>
    `;
  }

  #renderModel() {
    const { fields } = this;
    const own = fields.arch === 'config';
    return html`
      <div class="fields">
        <div class="field wide ${this.#refused('arch')}">
          <label for="field-arch">${planFieldWords('arch')}</label>
          <select id="field-arch" name="arch" @change=${(event: Event) => this.#onValue('arch', event)}>
            <option value="" ?selected=${fields.arch === ''}>
              ${msg('A count of parameters', { desc: 'plan: choice of model' })}
            </option>
            ${own ? html`<option value="config" selected>${this.architecture?.name ?? 'config.json'}</option>` : nothing}
            ${ARCHITECTURES.map(({ name }) => html`<option value=${name} ?selected=${fields.arch === name}>${name}</option>`)}
          </select>
          ${this.#complaint('arch')}
        </div>
        ${fields.arch === '' ? html`${this.#text('params')} ${SHAPE.map((field) => this.#text(field))}` : nothing}
        <div class="field wide ${this.#refused('config')}">
          <label for="field-config">${msg('or a Hugging Face config.json', { desc: 'plan: field, a file' })}</label>
          <input
            id="field-config"
            type="file"
            name="config"
            accept=".json,.gz,application/json,application/gzip"
            @change=${this.#onFile}
          />
          ${this.#complaint('config')}
        </div>
      </div>
    `;
  }

  #renderTraining() {
    return html`
      ${this.#select('optimizer', OPTIMIZERS)} ${this.#select('recompute', RECOMPUTES)}
      ${
        this.fields.mode === 'train'
          ? html`${this.#select('zero', ['0', '1', '2', '3'])} ${this.#text('dp')} ${this.#select('offload', OFFLOADS)}`
          : nothing
      }
      ${this.#text('accumulate')}
    `;
  }

  #slider(field: 'batch' | 'seq', most: number): TemplateResult {
    return html`
      <div class="field ${this.#refused(field)}">
        ${planSlider({
          name: field,
          label: planFieldWords(field),
          value: this.fields[field],
          most,
          isRefused: this.problem?.field === field,
          onValue: (value) => this.#change({ [field]: value }),
        })}
        ${this.#complaint(field)}
      </div>
    `;
  }

  #text(field: PlanField): TemplateResult {
    return html`
      <div class="field ${this.#refused(field)}">
        <label for="field-${field}">${planFieldWords(field)}</label>
        <input
          id="field-${field}"
          type="text"
          name=${field}
          inputmode="numeric"
          autocomplete="off"
          spellcheck="false"
          maxlength="40"
          aria-invalid=${this.problem?.field === field ? 'true' : 'false'}
          aria-describedby=${this.problem?.field === field ? `${field}-problem` : nothing}
          .value=${this.fields[field]}
          @input=${(event: Event) => this.#onValue(field, event)}
        />
        ${this.#complaint(field)}
      </div>
    `;
  }

  #select(field: PlanField, choices: readonly string[]): TemplateResult {
    return html`
      <div class="field ${this.#refused(field)}">
        <label for="field-${field}">${planFieldWords(field)}</label>
        <select id="field-${field}" name=${field} @change=${(event: Event) => this.#onValue(field, event)}>
          ${choices.map((choice) => html`<option value=${choice} ?selected=${choice === this.fields[field]}>${choice}</option>`)}
        </select>
        ${this.#complaint(field)}
      </div>
    `;
  }

  #switch(field: 'flash' | 'sp' | 'master'): TemplateResult {
    return html`
      <label class="switch">
        <input
          type="checkbox"
          name=${field}
          .checked=${this.fields[field] === '1'}
          @change=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) this.#change({ [field]: event.target.checked ? '1' : '' });
          }}
        />
        ${planFieldWords(field)}
      </label>
      ${this.#complaint(field)}
    `;
  }

  #cardText(field: Exclude<CardField, 'allocator'>, placeholder: string): TemplateResult {
    return html`
      <div class="field ${this.#refused(field)}">
        <label for="field-${field}">${planFieldWords(field)}</label>
        <input
          id="field-${field}"
          type="text"
          name=${field}
          autocomplete="off"
          spellcheck="false"
          maxlength="400"
          placeholder=${placeholder}
          aria-invalid=${this.problem?.field === field ? 'true' : 'false'}
          aria-describedby=${this.problem?.field === field ? `${field}-problem` : nothing}
          .value=${this.card[field]}
          @input=${(event: Event) => this.#onCard(field, event)}
        />
        ${this.#complaint(field)}
      </div>
    `;
  }

  #cardSelect(): TemplateResult {
    return html`
      <div class="field">
        <label for="field-allocator">${planFieldWords('allocator')}</label>
        <select id="field-allocator" name="allocator" @change=${(event: Event) => this.#onCard('allocator', event)}>
          ${ALLOCATOR_NAMES.map((name) => html`<option value=${name} ?selected=${name === this.card.allocator}>${name}</option>`)}
        </select>
      </div>
    `;
  }

  #refused(field: PlanField | CardField): string {
    return this.problem?.field === field ? 'refused' : '';
  }

  #complaint(field: PlanField | CardField) {
    if (this.problem?.field !== field) return nothing;
    return html`<span class="problem" id="${field}-problem" role="alert">${planProblemWords(this.problem)}</span>`;
  }

  #change(change: Partial<PlanFields>): void {
    this.dispatchEvent(new PlanChangedEvent(change));
  }

  #onValue(field: PlanField, { target }: Event): void {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
      this.#change({ [field]: target.value });
  }

  #onCard(field: CardField, { target }: Event): void {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      this.dispatchEvent(new CardChangedEvent({ [field]: target.value }));
    }
  }

  readonly #onFile = ({ target }: Event): void => {
    const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
    if (file !== undefined) this.dispatchEvent(new ConfigChosenEvent(file));
    // The same file can be chosen again.
    if (target instanceof HTMLInputElement) target.value = '';
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'app-plan-form': PlanForm;
  }
}
